package io.millrace.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.internal.format.JournalRecord;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamedFiltersTest {
    private static final byte[] DENY = "<11>Nov 21 10:00:00 fw1 a: action=deny n=1 n=2".getBytes(UTF_8);

    private final JournalRecord record =
            new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false).wrap(DENY, 0, DENY.length, 0);

    private static Filter compile(NamedFilters filters, String expression) {
        return Filter.compile(expression, FilterScope.NONE.with(filters));
    }

    @Test
    void expressionUsesNamedFilters() {
        NamedFilters filters = new NamedFilters(Map.of(
                "denies", "fields.action == \"deny\"",
                "bad-denies", "filter(denies) and severity <= err",
                "never-used", "filter(gone)"));
        Filter filter = compile(filters, "filter(bad-denies) and not filter(\"denies\") or filter(bad-denies)");
        assertThat(filter.matches(record)).isTrue();
        assertThat(filter.uses()).containsExactly("bad-denies", "denies");
        assertThat(compile(filters, "filter(denies) and severity < err").matches(record))
                .isFalse();
    }

    @Test
    void unknownNamesAndCyclesAreErrors() {
        NamedFilters filters = new NamedFilters(
                Map.of("denies", "hostname", "a", "filter(b)", "b", "not filter(a)", "bad", "severty"));
        assertThatThrownBy(() -> compile(filters, "hostname and filter(denise)"))
                .hasMessage("column 21: denise is not right: there is no filter denise; did you mean denies?");
        assertThatThrownBy(() -> filters.find("a")).hasMessageContaining("a filter cannot use itself: a uses b uses a");
        assertThatThrownBy(() -> filters.find("b")).hasMessageContaining("a filter cannot use itself: b uses a uses b");
        assertThatThrownBy(() -> compile(filters, "filter(bad)")).hasMessageContaining("did you mean severity?");
        assertThatThrownBy(() -> compile(filters, "filter(denies")).hasMessageContaining("a ) belongs here");
        assertThatThrownBy(() -> compile(filters, "filter()"))
                .hasMessageContaining("the name of a filter belongs here");
        assertThatThrownBy(() -> Filter.compile("filter(denies)"))
                .hasMessageContaining("there are no named filters here");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "severity <= err and severity > err",
                "severity > debug",
                "severity == 3 and hostname and severity in [crit, alert]",
                "hostname == \"a\" and hostname == \"b\"",
                "hostname == \"a\" and hostname != \"a\"",
                "hostname in [\"a\", \"b\"] and hostname not in [\"b\", \"a\", \"c\"]",
                "message == \"a\" and message contains \"b\"",
                "message == \"a\" and message matches \"^[b-z]\"",
                "source_ip == 10.0.0.1 and source_ip == 10.0.0.2",
                "source_ip in 10.0.0.0/8 and source_ip in [192.0.2.0/24, 2001:db8::/32]",
                "receive_time < 2026-01-01T00:00:00Z and receive_time >= 2026-01-01T00:00:00Z",
                "(severity < err and hostname) and (severity > err or severity == err and severity == crit and msgid)"
                        + " and severity > crit",
                "filter(errors) and severity == info",
                "sequence < 0 or severity == err and severity == crit",
            })
    void contradictionsAreFound(String expression) {
        NamedFilters filters = new NamedFilters(Map.of("errors", "severity <= err and hostname"));
        assertThat(compile(filters, expression).contradiction()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "severity <= err and severity >= err",
                "severity <= err or severity > err and severity > crit",
                "hostname == \"a\" or hostname == \"b\"",
                "hostname in [\"a\", \"b\"] and hostname != \"a\"",
                "fields.a == \"1\" and fields.a == \"2\"",
                "fields.a == 1 and fields.a > 5",
                "message contains \"a\" and message not contains \"a\" and hostname",
                "source_ip in 10.0.0.0/8 and source_ip == 10.1.2.3 and source_ip != 10.1.2.4",
                "timestamp < 1960-01-01T00:00:00Z",
                "not (severity <= err and severity > err)",
                "filter(errors) and severity == crit",
                "sequence > 10 and sequence < 12",
            })
    void whatMayMatchIsNoContradiction(String expression) {
        NamedFilters filters = new NamedFilters(Map.of("errors", "severity <= err and hostname"));
        assertThat(compile(filters, expression).contradiction()).isNull();
    }

    @Test
    void sameExpressionMayHaveOtherSpaces() {
        Filter filter = Filter.compile("severity<=err and hostname == \"a b\"");
        assertThat(filter.saysTheSameAs(Filter.compile(" severity <= err\n and hostname==\"a b\" ")))
                .isTrue();
        assertThat(filter.saysTheSameAs(Filter.compile("severity <= err and hostname == \"a  b\"")))
                .isFalse();
    }

    @Test
    void explanationShowsWhatWasCompared() {
        NamedFilters filters = new NamedFilters(Map.of("denies", "fields.action == \"deny\""));
        Filter filter = compile(
                filters,
                "severity <= crit and (hostname == \"fw1\" or procid) and not filter(denies) and fields.n in [2, 3]");
        LineBuffer out = new LineBuffer();
        new Explanation(filter).write(record, 2, out);
        assertThat(out.toString().lines())
                .containsExactly(
                        "  no   severity <= crit and (hostname == \"fw1\" or procid) and not filter(denies) and fields.n in [2, 3]",
                        "    no   severity <= crit                   severity is err",
                        "    yes  hostname == \"fw1\" or procid",
                        "      yes  hostname == \"fw1\"                  hostname is \"fw1\"",
                        "      no   procid                             procid is absent",
                        "    no   not filter(denies)",
                        "      yes  filter(denies)",
                        "        yes  fields.action == \"deny\"            fields.action is \"deny\"",
                        "    yes  fields.n in [2, 3]                 fields.n is \"1\", \"2\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "hostname like \"fw%\" | column 10: like is not right: did you mean contains, or matches with a regular",
                "hostname contain \"fw\" | column 10: contain is not right: did you mean contains? hostname accepts == !=",
                "hostname startsWith \"fw\" | column 10: startsWith is not right: did you mean startswith? hostname accepts",
                "fields.a ends_with \"fw\" | column 10: ends_with is not right: did you mean endswith? fields.a accepts",
                "hostname not match \"fw\" | column 14: match is not right: did you mean matches? after not, hostname accepts",
                "hostname not like \"fw\" | column 14: like is not right: did you mean contains, or matches",
                "severity lte err | column 10: lte is not right: did you mean <=? severity accepts",
                "severity is err | column 10: is is not right: did you mean ==? severity accepts",
                "source_ip equals 10.0.0.1 | column 11: equals is not right: did you mean ==? source_ip accepts == != in",
                "severity == err AND hostname | column 17: AND is not right: did you mean and? and, or, or the end belong here",
                "hostname OR severity | column 10: OR is not right: did you mean or?",
                "severity not == err | column 14: == is not right: after not, severity accepts in",
                "message matches \"\\d+\" | column 18: \\d is no escape: text has only \\\" and \\\\; for \\d in a regular expression, write \\\\d",
                "message contains \"a\\nb\" | column 20: \\n is no escape",
            })
    void mistakesOfOtherLanguagesHaveHints(String expression, String message) {
        assertThatThrownBy(() -> Filter.compile(expression))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }
}
