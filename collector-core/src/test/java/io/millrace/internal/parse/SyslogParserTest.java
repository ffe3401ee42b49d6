package io.millrace.internal.parse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.millrace.message.Facility;
import io.millrace.message.Kind;
import io.millrace.message.SyslogMessage;
import io.millrace.message.SyslogMessage.Field;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the page's examples do not show. */
class SyslogParserTest {
    private static final long NOW_NS = 1_795_262_400_000_000_000L;

    private final ParsedMessage message = new ParsedMessage();

    private ParsedMessage parse(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        new SyslogParser(ZoneOffset.UTC).parse(bytes, 0, bytes.length, NOW_NS, message);
        return message;
    }

    @Test
    void parsesEveryPriority() {
        for (int priority = 0; priority <= 191; priority++) {
            parse("<" + priority + ">1 - - - - - -");
            assertThat(message.facility().code()).isEqualTo(priority / 8);
            assertThat(message.severity().code()).isEqualTo(priority % 8);
            assertThat(message.isPriorityMissing()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"<192>x", "<>x", "<-1>x", "<1234>x", "<13x", "<13", "<", "", "1 - - - - - -"})
    void invalidPriorityIsPartOfARawMessage(String text) {
        assertThat(parse(text).kind()).isEqualTo(Kind.RAW);
        assertThat(message.isPriorityMissing()).isTrue();
        assertThat(message.text(Field.MESSAGE)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<13>1 2026-11-21T10:00:00Z host app 1 id",
                "<13>1 - host app 1 ",
                "<13>1 2026-11-21T10:00:00Z",
                "<13>1 2026-11-21T10:00:00Z  host",
                "<13>1 2026-11-21T10:00:00Z h\u007fst",
                "<13>1 2026-11-21T10:00:00Zhost app",
                "<13>1 yesterday host app 1 id -",
                "<13>0 - - - - - -",
                "<13>1  - - - - - -",
                "<13>1 - h\u007fst - - - -",
            })
    void almostRfc5424IsNotRfc5424(String text) {
        parse(text);
        assertThat(message.kind() == Kind.RFC5424 && !text.endsWith(" id")).isFalse();
        assertThat(message.facility()).isEqualTo(Facility.USER);
    }

    /** A whole word of it is a field; the last, whose end may be missing, is not. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "'',-,-,-,-",
                "'ho',-,-,-,ho",
                "'host ',host,-,-,-",
                "'host ap',host,-,-,ap",
                "'- app 12',-,app,-,12",
                "'host app 12 ',host,app,12,-",
                "'host app 12 ID',host,app,12,-",
            })
    void headerTruncatedAfterItsTimeIsRfc5424(String rest, String host, String app, String process, String text) {
        parse("<13>1 2026-11-21T10:00:00Z " + rest);
        assertThat(message.kind()).isEqualTo(Kind.RFC5424);
        assertThat(message.version()).isEqualTo(1);
        assertThat(message.timestampNs()).isEqualTo(NOW_NS - 7_200_000_000_000L);
        assertThat(field(Field.HOSTNAME)).isEqualTo(host);
        assertThat(field(Field.APPNAME)).isEqualTo(app);
        assertThat(field(Field.PROCID)).isEqualTo(process);
        assertThat(field(Field.MESSAGE)).isEqualTo(text);
    }

    private @Nullable String field(Field field) {
        return message.has(field) ? message.text(field) : null;
    }

    /** The epoch is a time like any other. */
    @Test
    void timestampOfTheEpochIsNotMissing() {
        assertThat(parse("<13>1 1970-01-01T00:00:00Z host app - - - x").timestampNs())
                .isZero()
                .isNotEqualTo(SyslogMessage.NO_TIME);
        assertThat(parse("<13>1 - host app - - - x").timestampNs()).isEqualTo(SyslogMessage.NO_TIME);
    }

    @Test
    void iteratesOverStructuredData() {
        parse("<13>1 - - - - - [a@1 x=\"1\" y=\"a\\]\\\"\\\\b\\c\"][b][c z=\"\"] m");
        StructuredData data = new StructuredData();
        data.wrap(message);
        List<String> found = new ArrayList<>();
        while (data.nextElement()) {
            found.add(text(data.nameBegin(), data.nameEnd()));
            while (data.nextParameter()) {
                found.add(text(data.nameBegin(), data.nameEnd()) + "=" + new String(data.value(), UTF_8));
            }
        }
        assertThat(found).containsExactly("a@1", "x=1", "y=a]\"\\b\\c", "b", "c", "z=");
        data.wrap(message);
        assertThat(data.nextElement()).isTrue();
        assertThat(data.nextElement()).isTrue();
        assertThat(text(data.nameBegin(), data.nameEnd()))
                .as("parameters need not be looked at")
                .isEqualTo("b");
    }

    private String text(int begin, int end) {
        return new String(message.bytes(), begin, end - begin, UTF_8);
    }

    @Test
    void octetCountMustMatch() {
        assertThat(parse("16 <13>1 - - - - - -").version()).isZero();
        assertThat(parse("15 <13>1 - - - - - -\n").version()).isZero();
        String right = "<13>1 - - - - - -";
        assertThat(parse(right.length() + " " + right).version()).isEqualTo(1);
        assertThat(parse((right.length() + 1) + " " + right + "\n").version()).isEqualTo(1);
        assertThat(parse(right.length() + " " + right + "\n").version()).isEqualTo(1);
    }

    @Test
    void parsingAllocatesNothing() throws IOException {
        assertAllocatesNothing(ZoneId.of("Europe/Berlin"), Samples.corpus());
    }

    /** In UTC: the times of these are between more changes of clocks than a zone keeps in mind. */
    @Test
    void parsingRareFormsAllocatesNothing() throws IOException {
        assertAllocatesNothing(ZoneOffset.UTC, Samples.all());
    }

    private void assertAllocatesNothing(ZoneId zone, List<byte[]> samples) {
        SyslogParser parser = new SyslogParser(zone);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        long before = 0;
        int rounds = 2_000;
        for (int round = -rounds; round < rounds; round++) {
            if (round == 0) {
                before = threads.getThreadAllocatedBytes(self);
            }
            for (int i = 0; i < samples.size(); i++) {
                byte[] sample = samples.get(i);
                parser.parse(sample, 0, sample.length, NOW_NS, message);
            }
        }
        long bytes = threads.getThreadAllocatedBytes(self) - before;
        assertThat((double) bytes / rounds / samples.size())
                .as("bytes per message")
                .isLessThan(0.1);
    }
}
