package io.millrace.app.sink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.format.LogRecord;
import io.millrace.parse.SyslogParser;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class NameTemplateTest {
    private static final long RECEIVED_NS = 1_795_305_599_000_000_000L; // 2026-11-21T23:59:59Z

    private static LogRecord record(String text, long timeNs) {
        byte[] bytes = text.getBytes(UTF_8);
        return new LogRecord(new SyslogParser(ZoneOffset.UTC)).wrap(bytes, 0, bytes.length, timeNs);
    }

    @Test
    void fieldsAndTimesAreFilledIn() {
        NameTemplate template = NameTemplate.parse("logs/{year}/{month}/{day}/{hour}-{severity}-{hostname}.log");
        assertThat(template.of(record("<11>Nov 21 10:00:00 web1 app: x", RECEIVED_NS)))
                .isEqualTo("logs/2026/11/21/23-err-web1.log");
        assertThat(template.isConstant()).isFalse();
        assertThat(NameTemplate.parse("a/b").isConstant()).isTrue();
    }

    @Test
    void daysAreThoseOfTheZone() {
        NameTemplate template = NameTemplate.parse("{date}").in(ZoneId.of("Europe/Berlin"));
        assertThat(template.of(record("x", RECEIVED_NS))).isEqualTo("2026-11-22");
        assertThat(template.of(record("x", RECEIVED_NS - 3_600_000_000_000L))).isEqualTo("2026-11-21");
    }

    @Test
    void theSameNameIsTheSameObject() {
        NameTemplate template = NameTemplate.parse("{hostname}");
        LogRecord record = record("<11>Nov 21 10:00:00 web1 app: x", RECEIVED_NS);
        assertThat(template.of(record)).isSameAs(template.of(record));
    }

    @Test
    void whatIsWrongIsSaidWithItsColumn() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NameTemplate.parse("a/{hots}"))
                .withMessageStartingWith("column 3: there is no field hots; there are timestamp ")
                .withMessageEndingWith("of the time there are date year month day hour");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NameTemplate.parse("a/{date"))
                .withMessage("column 3: a { without its }");
    }
}
