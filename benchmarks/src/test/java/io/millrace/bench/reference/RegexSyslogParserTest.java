package io.millrace.bench.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegexSyslogParserTest {
    private static final String NOW = "2026-11-21T12:00:00Z";

    private final RegexSyslogParser parser = new RegexSyslogParser(Clock.fixed(Instant.parse(NOW), ZoneOffset.UTC));

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = true,
            value = {
                "<34>Oct 11 22:14:15 mymachine su: failed for lonvick | 2026-10-11T22:14:15Z mymachine su 34 failed for lonvick",
                "<13>Feb  5 17:32:18 10.0.0.99 cron[123]: a job | 2026-02-05T17:32:18Z 10.0.0.99 cron 13 a job",
                "<13>Feb  5 17:32:18 host no tag here | 2026-02-05T17:32:18Z host - 13 no tag here",
                "<165>1 2003-08-24T05:14:15.000003-07:00 192.0.2.1 myproc 8710 - - hello | 2003-08-24T05:14:15.000003-07:00 192.0.2.1 myproc 165 hello",
                "<165>1 2003-10-11T22:14:15.003Z h app - ID47 [a@1 x=\"\\]\"][b@2] text [c] | 2003-10-11T22:14:15.003Z h app 165 text [c]",
                "<165>1 - - - - - - text | 2026-11-21T12:00:00Z - - 165 text",
                "<191>no header at all | 2026-11-21T12:00:00Z 127.0.0.1 - 191 no header at all",
                "<999>priority out of range | 2026-11-21T12:00:00Z 127.0.0.1 - 13 priority out of range",
                "<13>Feb 31 17:32:18 host tag: no such day | 2026-11-21T12:00:00Z 127.0.0.1 - 13 Feb 31 17:32:18 host tag: no such day",
                "00000001 00000 00000002 00000003 abc | 2026-11-21T12:00:00Z 127.0.0.1 - 13 00000001 00000 00000002 00000003 abc",
            })
    void parsesMessages(String datagram, String line) {
        assertThat(parse(datagram)).isEqualTo(line);
    }

    @Test
    void parsesAnEmptyDatagram() {
        assertThat(parse("")).isEqualTo(NOW + " 127.0.0.1 - 13 ");
    }

    @Test
    void parsesALongMessageWithoutStackOverflow() {
        String text = "[\\] \n".repeat(10_000);
        assertThat(parse("<13>1 - h t - - [" + "x".repeat(50_000) + "] " + text))
                .endsWith(" h t 13 " + text);
        assertThat(parse("<13>1 - h t - - " + "[a]".repeat(20_000) + " " + text))
                .endsWith(" h t 13 " + text);
    }

    private String parse(String datagram) {
        return parser.parse(datagram, InetAddress.getLoopbackAddress()).toString();
    }
}
