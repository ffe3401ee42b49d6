package io.millrace.app.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.app.report.Node;
import io.millrace.collector.SourceAddress;
import io.millrace.collector.SourcesStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SourcesJsonTest {
    @Test
    void hasTheFieldsOfThePage() {
        SourceAddress v4 = new SourceAddress(0, 0xffff_0a00_0001L);
        SourceAddress v6 = new SourceAddress(0x2001_0db8_0000_0000L, 1);
        SourcesStatus status = new SourcesStatus(
                1,
                2,
                9,
                3,
                4,
                5,
                6,
                8,
                true,
                List.of(new SourcesStatus.Top(v4, 1.54, 200)),
                List.of(new SourcesStatus.Silent(v6, Instant.parse("2026-11-21T08:30:00Z"), Duration.ofSeconds(20))),
                7,
                List.of(new SourcesStatus.Gaps(v4, 3)));
        assertThat(new Node().put("sources", SourcesJson.of(status)).json())
                .isEqualTo(
                        "{'sources':{'known':1,'forgotten':2,'untracked':9,'missing':3,'restarts':4,'unfollowed':5,'behind':6,'skipped':8,"
                                        .replace('\'', '"')
                                + ("'numbering':true,'top':[{'source':'10.0.0.1','perSecond':1.5,'bytesPerSecond':200.0}],"
                                                + "'silent':[{'source':'2001:db8::1',"
                                                + "'lastHeard':'2026-11-21T08:30:00Z','usualSilenceMs':20000}],'silentCount':7,"
                                                + "'gaps':[{'source':'10.0.0.1','missing':3}]}}")
                                        .replace('\'', '"'));
    }

    @Test
    void isNullWithoutSourceTracking() {
        assertThat(SourcesJson.of(null)).isNull();
    }

    @Test
    void listsWhatWasFound() {
        SourcesStatus.Source source = new SourcesStatus.Source(
                new SourceAddress(0, 0xffff_0a00_0001L),
                "fw1",
                true,
                Instant.parse("2026-11-21T08:30:00Z"),
                Duration.ofSeconds(20),
                true,
                List.of(1, 0));
        assertThat(SourcesJson.of(new SourcesStatus.Found(7, List.of(source)), true))
                .isEqualTo("{'matched':7,'sources':[{'source':'10.0.0.1','host':'fw1','relay':true,".replace('\'', '"')
                        + "'lastHeard':'2026-11-21T08:30:00Z','usualSilenceMs':20000,'silent':true,'perMinute':[1,0]}]}"
                                .replace('\'', '"'));
        assertThat(SourcesJson.of(new SourcesStatus.Found(7, List.of(source)), false))
                .contains("\"host\":null,\"relay\":false,");
        assertThat(SourcesJson.of(null, true)).isEqualTo("{\"sources\":null}");
    }
}
