package io.millrace.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.internal.format.JournalRecord;
import io.millrace.internal.record.TestDatagram;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterTest {
    private static final long RECEIVED_NS = 1_795_262_400_000_000_000L; // 2026-11-21T12:00:00Z

    private static JournalRecord record() throws Exception {
        JournalRecord record = new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false);
        return record.wrap(
                TestDatagram.of(
                                "<131>1 2026-11-21T11:59:58Z fw1 ipsec 99 - [a@1 b=\"c\"] tunnel denied: peer 198.51.100.7")
                        .at(RECEIVED_NS)
                        .from(new byte[] {10, 1, 2, 3}, 0, 514)
                        .view(),
                "edge",
                1,
                42);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "severity <= err",
                "severity == err",
                "severity < warning",
                "severity in [crit, err]",
                "severity != 4",
                "facility == local0",
                "facility in [auth, local0]",
                "hostname == \"fw1\"",
                "hostname in [\"fw2\", \"fw1\"]",
                "hostname startswith \"fw\"",
                "appname endswith \"sec\"",
                "procid == \"99\"",
                "message contains \"denied\"",
                "message startswith \"\" and message endswith \"7\"",
                "structured_data contains \"b=\\\"c\\\"\"",
                "raw startswith \"<131>\"",
                "parse == \"rfc5424\" and version == 1",
                "body == \"text\"",
                "input == \"edge\" and shard == 1 and sequence >= 42",
                "source_ip in 10.0.0.0/8",
                "source_ip in [192.0.2.0/24, 10.1.2.3]",
                "source_ip == 10.1.2.3 and source_port == 514",
                "source_ip != 10.1.2.4",
                "timestamp < 2026-11-21T12:00:00Z and receive_time >= 2026-11-21T13:00:00+01:00",
                "not msgid",
                "hostname and not (severity > err or facility == mail)",
                "severity == debug or severity == err and hostname == \"fw1\"",
                "severity <= err and hostname == \"fw1\" and message contains \"denied\" and source_ip in 10.0.0.0/8",
            })
    void isTrue(String expression) throws Exception {
        assertThat(Filter.compile(expression).matches(record())).isTrue();
        assertThat(Filter.compile("not (" + expression + ")").matches(record())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "severity <= crit",
                "hostname == \"fw\"",
                "hostname != \"fw1\"",
                "message contains \"DENIED\"",
                "msgid == \"\"",
                "msgid != \"x\"",
                "msgid contains \"\"",
                "source_ip in 10.2.0.0/15",
                "source_ip in 2001:db8::/32",
                "source_ip in 0.0.0.0/0 and severity > err",
                "timestamp > 2026-11-21T12:00:00Z",
            })
    void isFalse(String expression) throws Exception {
        assertThat(Filter.compile(expression).matches(record())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fields.src == \"10.0.0.1\"",
                "fields.msg == \"a = b\" and fields.msg contains \"= b\" and fields.msg startswith \"a =\"",
                "fields.src in [\"10.0.0.2\", \"10.0.0.1\"] and fields.cs1 endswith \"two\"",
                "fields.cs1 == \"one\" and fields.cs1 == \"two\" and fields.cs1 != \"three\"",
                "not fields.cs1 != \"one\"",
                "fields.src and not fields.dst",
                "not (fields.dst != \"x\" or fields.dst == \"\" or fields.dst contains \"\" or fields.SRC)",
                "(fields.src)",
            })
    void keysAreFields(String expression) {
        byte[] line = "CEF:0|v|p|1|1|n|5|src=10.0.0.1 cs1=one msg=a \\= b cs1=two".getBytes(UTF_8);
        JournalRecord record = new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false)
                .wrap(line, 0, line.length, RECEIVED_NS);
        assertThat(Filter.compile(expression).matches(record)).isTrue();
        byte[] other = "<13>srcs=10.0.0.1 cs1=one".getBytes(UTF_8);
        assertThat(Filter.compile("fields.src").matches(record.wrap(other, 0, other.length, RECEIVED_NS)))
                .isFalse();
    }

    @Test
    void lineOfAFileHasNoSource() {
        byte[] line = "<13>Nov 21 10:00:00 h a: m".getBytes(UTF_8);
        JournalRecord record = new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false)
                .wrap(line, 0, line.length, RECEIVED_NS);
        assertThat(Filter.compile("source_ip in 0.0.0.0/0 or source_ip != 10.0.0.1 or shard == 0 or input")
                        .matches(record))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "severty <= err | column 1: there is no field severty; did you mean severity?; there are timestamp receive_time",
                "severity <= bad | column 13: bad is not right: a severity belongs here: emerg alert crit err",
                "severity contains \"e\" | column 10: contains is not right: severity accepts == != < <= > >= in",
                "hostname = \"fw1\" | column 10: = means nothing here: equal is ==",
                "hostname == fw1 | column 13: fw1 is not right: text in double quotes belongs here",
                "hostname == 'fw1' | column 13: ' means nothing here: text stands in double quotes",
                "hostname == \"fw1 | column 13: this text has no closing quote",
                "hostname < \"a\" | column 10: < is not right: hostname accepts == != contains startswith endswith in",
                "hostname in \"a\" | column 13: \"a\" is not right: a list belongs here",
                "hostname in [\"a\" | column 17: the end is not right: a , or a ] belongs here",
                "(severity == err | column 17: the end is not right: a ) belongs here",
                "severity == err hostname | column 17: hostname is not right: and, or, or the end belong here",
                "severity == err and | column 20: the end is not right: a field belongs here",
                "source_ip in 10.0.0.0/33 | column 14: 10.0.0.0/33 is not right: expected an address or a network",
                "source_ip in 10.1.2.3/8 | column 14: 10.1.2.3/8 is not right: bits are set behind the first 8: the network is 10.0.0.0/8",
                "source_ip in example.com | column 14: example.com is not right: expected an address or a network",
                "timestamp > yesterday | column 13: yesterday is not right: a time belongs here",
                "sequence > 99999999999999999999 | column 12: 99999999999999999999 is not right: a number belongs here",
                "fields. == \"a\" | column 1: there is no field fields.; did you mean fields.NAME?; there are timestamp",
                "fields.src <= \"a\" | column 15: \"a\" is not right: a number without quotes belongs here",
                "fields.src == a | column 15: a is not right: text in double quotes or a number belongs here",
                "fields.src ( | column 12: ( is not right: fields.src accepts == != contains startswith endswith in matches",
                "fields.src not == 1 | column 16: == is not right: after not, fields.src accepts contains startswith",
                "extention == \"a\" | column 1: there is no field extention; did you mean fields.NAME?; there are",
                "host_name == \"a\" | column 1: there is no field host_name; did you mean hostname?; there are",
                "hostname exists and extension.action == \"deny\" | column 21: there is no field extension.action; did you mean fields.action?",
                "http.status == 200 | column 1: there is no field http.status; did you mean fields.http.status?",
                "program == \"a\" | column 1: there is no field program; did you mean appname?",
                "xyzzy | column 1: there is no field xyzzy; did you mean fields.xyzzy?; there are timestamp",
                "message =~ \"a\" | column 9: =~ means nothing here: a regular expression is matches",
                "message !~ \"a\" | column 9: !~ means nothing here: that no regular expression matches is not matches",
                "message matches \"a(\" | column 17: \"a(\" is not right: a regular expression in RE2 syntax belongs here: missing",
                "message matches 5 | column 17: 5 is not right: a regular expression in double quotes belongs here",
                "severity matches \"a\" | column 10: matches is not right: severity accepts",
                "hostname && severity | column 10: & means nothing here: write and",
            })
    void errorsHaveTheColumnAndTheValidValues(String expression, String message) {
        assertThatThrownBy(() -> Filter.compile(expression))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void emptyExpressionIsAnError() {
        assertThatThrownBy(() -> Filter.compile(" ")).hasMessageStartingWith("column 2: the end is not right: a field");
    }

    @Test
    void limitsDepthButNotLength() throws Exception {
        assertThatThrownBy(() -> Filter.compile("not ".repeat(100_000) + "hostname"))
                .hasMessageContaining("more than 100 levels");
        assertThatThrownBy(() -> Filter.compile("(".repeat(100_000))).hasMessageContaining("more than 100 levels");
        String one = "severity == debug";
        assertThat(Filter.compile(one + (" or " + one).repeat(20_000) + " or hostname")
                        .matches(record()))
                .isTrue();
    }
}
