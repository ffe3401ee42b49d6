package io.millrace.output.internal.name;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.message.InputRules;
import io.millrace.message.LogRecord;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class NameTemplateTest {
    private static final long RECEIVED_NS = 1_795_305_599_000_000_000L; // 2026-11-21T23:59:59Z

    private static LogRecord record(String text, long timeNs) {
        byte[] bytes = text.getBytes(UTF_8);
        return LogRecord.of(new InputRules(ZoneOffset.UTC, false)).wrap(bytes, 0, bytes.length, timeNs);
    }

    @Test
    void fillsInFieldsAndTimes() {
        NameTemplate template = NameTemplate.parse("logs/{year}/{month}/{day}/{hour}-{severity}-{hostname}.log");
        assertThat(template.of(record("<11>Nov 21 10:00:00 web1 app: x", RECEIVED_NS))
                        .text())
                .isEqualTo("logs/2026/11/21/23-err-web1.log");
        assertThat(template.isConstant()).isFalse();
        assertThat(NameTemplate.parse("a/b").isConstant()).isTrue();
    }

    @Test
    void fieldsHaveDefaultsAndFormats() {
        NameTemplate template = NameTemplate.parse("{hostname|no host}/{timestamp:%H}-{appname|}.log");
        assertThat(template.of(record("<11>Nov 21 10:00:00 web1 app: x", RECEIVED_NS))
                        .text())
                .isEqualTo("web1/10-app.log");
        assertThat(template.of(record("<11>x", RECEIVED_NS)).text()).isEqualTo("no_host/23--.log");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NameTemplate.parse("a-{#hostname}{hostname}{/hostname}"))
                .withMessageStartingWith("column 3: one field belongs here, and no section");
    }

    @Test
    void daysFollowTheTimeZone() {
        NameTemplate template = NameTemplate.parse("{date}").in(ZoneId.of("Europe/Berlin"));
        assertThat(template.of(record("x", RECEIVED_NS)).text()).isEqualTo("2026-11-22");
        assertThat(template.of(record("x", RECEIVED_NS - 3_600_000_000_000L)).text())
                .isEqualTo("2026-11-21");
    }

    @Test
    void truncatesFieldsOfLongComponents() {
        NameTemplate template = NameTemplate.parse("/l\u00f6gs/{hostname}-{appname}_{procid}.log/{appname}");
        String host = "h".repeat(120);
        String app = "a".repeat(48);
        String proc = "p".repeat(120);
        LogRecord record =
                record("<11>1 2026-11-21T10:00:00Z " + host + " " + app + " " + proc + " - - x", RECEIVED_NS);
        assertThat(template.of(record).text())
                .isEqualTo("/l\u00f6gs/" + "h".repeat(73) + "-" + app + "_" + "p".repeat(73) + ".log/" + app);
        NameTemplate wide = NameTemplate.parse("{hostname}" + "\u00f6".repeat(90));
        assertThat(wide.of(record).text()).isEqualTo("h".repeat(20) + "\u00f6".repeat(90));
        NameTemplate full = NameTemplate.parse("{hostname}" + "x".repeat(300));
        assertThat(full.of(record).text()).isEqualTo("h" + "x".repeat(300));
    }

    @Test
    void fixedDirectoryEndsBeforeTheFirstField() {
        assertThat(NameTemplate.parse("/a/{date}/{hostname}/x").fixedDirectory("/a/2026-11-21/h/x"))
                .isEqualTo("/a/2026-11-21/");
        assertThat(NameTemplate.parse("{hostname}/x").fixedDirectory("h/x")).isEmpty();
        assertThat(NameTemplate.parse("{date}.log").isOfMessages()).isFalse();
    }

    @Test
    void levelsMatchNamesOfAnyTime() {
        NameTemplate template = NameTemplate.parse("/a/b{date}//{hostname|n/a}/./{hour}-{appname}.log");
        assertThat(template.directory()).isEqualTo("/a/");
        NameTemplate below = template.belowDirectory();
        assertThat(below.times(Instant.ofEpochSecond(0))).containsExactly("1970-01-01", "00");
        List<Pattern> levels = below.levels(false);
        assertThat(levels).hasSize(3);
        assertThat("b2026-11-21").matches(levels.get(0));
        for (String bad : List.of("b2026-11-2", "b2026-11-21x", "2026-11-21", "b2026/11-21", "b\u0661026-11-21")) {
            assertThat(bad).doesNotMatch(levels.get(0));
        }
        assertThat("2001:db8::1_.-").matches(levels.get(1));
        for (String bad : List.of("", ".", "..", ".web", "a b", "a/b", "@other", "w\u00e4b", "x".repeat(101))) {
            assertThat(bad).doesNotMatch(levels.get(1));
        }
        Matcher file = levels.get(2).matcher("23-app.log");
        assertThat(file.matches()).isTrue();
        assertThat(file.group(1)).isEqualTo("23");
        assertThat(below.levels(true)).element(1).hasToString(Pattern.quote("@other"));
    }

    @Test
    void otherNameHasNoFieldsAndCannotBeForged() {
        NameTemplate template = NameTemplate.parse("logs/{date}/{hostname}/{appname}.log");
        NameTemplate.Name name = template.of(record("<11>1 - @other @other - - - x", RECEIVED_NS));
        assertThat(name.text()).isEqualTo("logs/2026-11-21/_other/_other.log");
        assertThat(name.other()).isEqualTo("logs/2026-11-21/@other/@other.log");
        assertThat(name.isOther()).isFalse();
        assertThat(NameTemplate.parse("{date}").of(record("x", RECEIVED_NS)).isOther())
                .isTrue();
        assertThat(template.of(record("<11>1 - @other @other - - - x", RECEIVED_NS + 86_400_000_000_000L))
                        .fields())
                .as("the same at any time")
                .isEqualTo(name.fields());
    }

    @Test
    void equalNamesAreTheSameObject() {
        NameTemplate template = NameTemplate.parse("{hostname}");
        LogRecord record = record("<11>Nov 21 10:00:00 web1 app: x", RECEIVED_NS);
        assertThat(template.of(record)).isSameAs(template.of(record));
    }

    @Test
    void timesOfOtherProgramsAreWarnings() {
        assertThat(NameTemplate.parse("/logs/%Y-%m.log").warnings())
                .containsExactly("in '/logs/%Y-%m.log' %Y is text, not a time; did you mean {year}?");
        assertThat(NameTemplate.parse("/logs/{date}/100%done/%F0").warnings()).isEmpty();
    }

    @Test
    void errorsHaveTheColumn() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NameTemplate.parse("a/{hots}"))
                .withMessageStartingWith(
                        "column 3: there is no field hots; did you mean fields.hots?; there are timestamp ")
                .withMessageEndingWith("of the time there are date year month day hour");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NameTemplate.parse("a/{date"))
                .withMessage("column 3: a { without its }");
    }
}
