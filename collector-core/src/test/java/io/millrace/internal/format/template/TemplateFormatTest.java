package io.millrace.internal.format.template;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.internal.format.JournalRecord;
import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemplateFormatTest {
    private static final long RECEIVED_NS = 1_795_262_400_123_456_789L; // 2026-11-21T12:00:00.123456789Z
    private static final String WITH_PROCID = "<13>Nov 21 10:00:05 h a[7]: b=1 b=2 say \"x, y\"";
    private static final String WITHOUT = "<13>just text";

    private final JournalRecord record = new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false);

    private String written(String template, String message) {
        byte[] bytes = message.getBytes(UTF_8);
        LineBuffer out = new LineBuffer();
        TemplateFormat.of(template).write(record.wrap(bytes, 0, bytes.length, RECEIVED_NS), out);
        String line = out.toString();
        assertThat(line).endsWith("\n");
        return line.substring(0, line.length() - 1);
    }

    @Test
    void defaultStandsForAnAbsentField() {
        assertThat(written("{hostname|unknown} {fields.c|} {hostname} {fields.b|x}", WITHOUT))
                .isEqualTo("unknown  - x");
        assertThat(written("{hostname|unknown} {fields.b|x}", WITH_PROCID)).isEqualTo("h 1,2");
        assertThat(written("{{{hostname|a | b: c}}}", WITHOUT)).isEqualTo("{a | b: c}");
    }

    @Test
    void sectionIsWrittenOnlyWithOrWithoutItsField() {
        String template = "{appname|-}{#procid}[{procid}]{/procid}{^procid} no process{/procid}: x";
        assertThat(written(template, WITH_PROCID)).isEqualTo("a[7]: x");
        assertThat(written(template, WITHOUT)).isEqualTo("- no process: x");
    }

    @Test
    void sectionsCanBeNested() {
        String template = "{#hostname}1{^procid}2{/procid}{#fields.b}3{#fields.b}4{/fields.b}{/fields.b}{/hostname}5";
        assertThat(written(template, WITH_PROCID)).isEqualTo("1345");
        assertThat(written(template, "<13>Nov 21 10:00:05 h a: x")).isEqualTo("125");
        assertThat(written(template, WITHOUT)).isEqualTo("5");
        String deep = "{#hostname}".repeat(20_000) + "x" + "{/hostname}".repeat(20_000);
        assertThat(written(deep, WITH_PROCID)).isEqualTo("x");
        assertThat(written(deep, WITHOUT)).isEmpty();
    }

    @Test
    void jsonValuesAreComplete() {
        assertThat(written(
                        "{{\"m\":{message:json},\"h\":{hostname:json},\"n\":{fields.none:json},\"v\":{version:json|1}}}",
                        "<13>Nov 21 10:00:00 h a: say \"x\"\n\u0007\u00e4"))
                .isEqualTo("{\"m\":\"say \\\"x\\\"\\n\\u0007\u00e4\",\"h\":\"h\",\"n\":null,\"v\":\"1\"}"
                        .replace("\\n", "\\u000a"));
        assertThat(written("{hostname:json|un\"known}", WITHOUT)).isEqualTo("\"un\\\"known\"");
        assertThat(written("{version:json} {timestamp:json}", "<13>1 2026-11-21T10:00:00Z h a - - - x"))
                .isEqualTo("1 \"2026-11-21T10:00:00Z\"");
    }

    @Test
    void csvValuesAreQuotedWhereNeeded() {
        assertThat(written("{hostname:csv},{message:csv},{fields.none:csv},{fields.b:csv}", WITH_PROCID))
                .isEqualTo("h,\"b=1 b=2 say \"\"x, y\"\"\",,\"1,2\"");
        assertThat(written("{message:csv}", "<13>Nov 21 10:00:00 h a: x\ny")).isEqualTo("x#012y");
        assertThat(written("{hostname:csv|a,b}", WITHOUT)).isEqualTo("\"a,b\"");
    }

    @ParameterizedTest
    @CsvSource({
        "rfc3339, 2026-11-21T12:00:00.123456789Z",
        "epoch, 1795262400",
        "epoch-ms, 1795262400123",
        "epoch-us, 1795262400123456",
        "epoch-ns, 1795262400123456789",
        "%Y-%m-%d %H:%M:%S, 2026-11-21 12:00:00",
        "%FT%T.%3N%z, 2026-11-21T12:00:00.123+0000",
        "%6N %9N %N, 123456 123456789 123456789",
        "%a %A %b %B %e %j %y %s%%, Sat Saturday Nov November 21 325 26 1795262400%",
    })
    void timesHaveFormats(String format, String expected) {
        assertThat(written("{receive_time:" + format + "}", WITHOUT)).isEqualTo(expected);
        assertThat(written("{timestamp:" + format + "|never}", WITHOUT)).isEqualTo(expected);
    }

    @Test
    void daysAreThoseOfTheTime() {
        TemplateFormat format = TemplateFormat.of("{timestamp:%b %e %T}");
        LineBuffer out = new LineBuffer();
        for (String time : new String[] {"1969-12-31T23:59:59Z", "2026-03-01T00:00:00Z", "2026-11-21T10:00:00Z"}) {
            byte[] bytes = ("<13>1 " + time + " h a - - - x").getBytes(UTF_8);
            format.write(record.wrap(bytes, 0, bytes.length, RECEIVED_NS), out);
        }
        assertThat(out).hasToString("Dec 31 23:59:59\nMar  1 00:00:00\nNov 21 10:00:00\n");
    }

    @Test
    void nameInQuotesMayHaveAnyCharacter() {
        assertThat(written("{fields.\"a:b\"|none}{fields.\"c|}\\\"\":json}", "<13>{\"a:b\":1,\"c|}\\\"\":2}"))
                .isEqualTo("1\"2\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "x {hostname:jsn}~column 3 of the template: there is no format jsn for hostname; did you mean json?",
                "{message:%F}~column 1 of the template: there is no format %F for message: that is for times; there are json csv",
                "{timestamp:epoch_ms}~column 1 of the template: there is no format epoch_ms for timestamp; did you mean epoch-ms?",
                "{timestamp:yyyy}~column 1 of the template: there is no format yyyy for timestamp; there are rfc3339",
                "{timestamp:%Q}~column 1 of the template: there is no %Q in dates; there are %Y",
                "{timestamp:%F %}~column 1 of the template: there is no % in dates",
                "{time:epoch}~column 1 of the template: there is no field time; did you mean timestamp?",
                "{host|x}~column 1 of the template: there is no field host; did you mean hostname?",
                "{hostname|x~column 1 of the template: a { without its }",
                "{hostname|x {message}}~column 13 of the template: a default has no braces",
                "{fields.\"a}~column 9 of the template: this name has no closing quote",
                "{fields.\"a\"b}~column 12 of the template: after a name in quotes, : | or } belongs here",
                "a{#procid}b~column 2 of the template: {#procid} has no end; it ends with {/procid}",
                "a{/procid}b~column 2 of the template: {/procid} ends no section; a section begins with {#procid}",
                "{#procid}a{/msgid}~column 11 of the template: {/msgid} ends no section; the one of column 1 ends with {/procid}",
                "{#host}a{/host}~column 1 of the template: there is no field host; did you mean hostname?",
                "{#procid:json}~column 9 of the template: after {#procid, only } belongs here",
                "{#procid~column 1 of the template: a { without its }",
                "{~column 1 of the template: a { without its }",
            })
    void errorsNameThePlaceAndWhatIsRight(String template, String error) {
        assertThatThrownBy(() -> TemplateFormat.of(template))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(error);
    }

    @Test
    void oneFieldIsNoSection() {
        assertThatThrownBy(() -> TemplateFormat.ofField("#hostname")).hasMessageContaining("one field belongs here");
        assertThatThrownBy(() -> TemplateFormat.ofField("hostname}{severity"))
                .hasMessageContaining("one field belongs here");
        assertThatThrownBy(() -> TemplateFormat.ofField("{hostname")).hasMessageContaining("a field belongs here");
    }
}
