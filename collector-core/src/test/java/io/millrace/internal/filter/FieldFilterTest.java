package io.millrace.internal.filter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.millrace.internal.format.JournalRecord;
import io.millrace.internal.format.template.TemplateFormat;
import io.millrace.message.Filter;
import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters and templates on values in the message body and in structured data. */
class FieldFilterTest {
    private static final String PAIRS = "<189>date=2026-11-21 time=10:00:00 devname=\"fw-hq\" logid=\"0000000013\""
            + " action=\"deny\" dstport=443 empty= msg=\"say \\\"no\\\"\" port=22 port=80";
    private static final String JSON =
            "<14>Nov 21 10:00:00 web1 api: {\"status\":404,\"took\":0.25,\"ok\":true,\"none\":null,"
                    + "\"http\":{\"path\":\"\\/\\u00e4\",\"tags\":[\"a\",[\"b\"],{\"x\":1}]},\"a.b\":\"dot\",\"n\\u0061me\":\"v\",\"e\":{}}";
    private static final String STRUCTURED =
            "<14>1 2026-11-21T10:00:00Z h a - - [NXLOG@14506 EventID=\"4624\" q=\"a\\\"b\"][x.y@1 k=\"v\"] text";

    private final JournalRecord record = new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false);

    private JournalRecord record(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return record.wrap(bytes, 0, bytes.length, 0);
    }

    private void isTrue(String message, String expression) {
        assertThat(Filter.compile(expression).matches(record(message)))
                .as(expression)
                .isTrue();
        assertThat(Filter.compile("not (" + expression + ")").matches(record(message)))
                .as(expression)
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fields.action == \"deny\" and fields.action exists and fields.devname startswith \"fw\"",
                "fields.dstport == 443 and fields.dstport >= 443 and fields.dstport < 1e3 and fields.dstport != 442.5",
                "fields.dstport == \"443\" and fields.dstport in [\"a\", 443]",
                "fields.logid == 13 and fields.logid == \"0000000013\" and fields.logid != \"13\"",
                "fields.empty exists and fields.empty == \"\"",
                "fields.msg == \"say \\\"no\\\"\"",
                "fields.port == 22 and fields.port == 80 and fields.port > 79 and not fields.port > 80",
                "not (fields.action > 1 or fields.action == 1 or fields.Action or fields.absent != \"a\")",
                "not (fields.absent not in [\"a\"] or fields.absent not matches \"a\")",
                "fields.action not in [\"accept\"] and fields.action not contains \"x\" and message not startswith \"x\"",
                "fields.action matches \"^de(ny|ad)$\" and fields.action not matches \"^n\"",
                "message matches \"(?i)DEVNAME=\\\"fw-[a-z]+\\\"\"",
                "fields.\"dstport\" == 443",
            })
    void pairs(String expression) {
        isTrue(PAIRS, expression);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fields.status == 404 and fields.status >= 4e2 and fields.took < 0.5 and fields.took == 0.250",
                "fields.http.path == \"/ä\" and fields.http.path matches \"^/\\\\pL$\"",
                "fields.http.tags == \"a\" and fields.http.tags == \"b\" and fields.http.tags.x == 1",
                "fields.http.tags in [\"c\", \"b\"] and fields.http.tags != \"c\"",
                "fields.http exists and fields.e exists and not fields.http == \"x\"",
                "fields.ok == \"true\" and not fields.none",
                "fields.a.b == \"dot\" and fields.name == \"v\"",
                "not (fields.path or fields.tags or fields.http.tag or fields.http. or fields.tp.path)",
                "not (sd.http exists)",
            })
    void json(String expression) {
        isTrue(JSON, expression);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sd.NXLOG@14506.EventID == 4624 and sd.NXLOG@14506.EventID == \"4624\"",
                "sd.NXLOG@14506.q == \"a\\\"b\" and sd.x.y@1.k == \"v\" and sd.x.y@1",
                "not (sd.NXLOG@14506.k or sd.NXLOG or fields.EventID)",
            })
    void structuredData(String expression) {
        isTrue(STRUCTURED, expression);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1",
                "{\"a\":01}",
                "{\"a\":\"\n\"}",
                "{\"a\":1}{}",
                "{\"a\":1,}",
                "{\"a\":tru}",
                "{\"a\":\"\\x\"}",
                "{\"a\":\"\\u12g4\"}",
                "{\"a\":-}",
                "{\"a\":1.}",
                "{\"a\":1e}",
            })
    void whatIsNoJsonHasNoFields(String json) {
        assertThat(Filter.compile("fields.a").matches(record("<13>Nov 21 10:00:00 h a: " + json)))
                .isFalse();
        assertThat(Filter.compile("fields.a").matches(record("<13>Nov 21 10:00:00 h a: {\"a\":1}")))
                .isTrue();
    }

    @Test
    void depthAndNumberAreLimited() {
        String deep = "{\"a\":".repeat(32) + "1" + "}".repeat(32);
        Filter filter = Filter.compile("fields." + "a.".repeat(31) + "a == 1");
        assertThat(filter.matches(record(deep))).isTrue();
        assertThat(Filter.compile("fields.a").matches(record("{\"a\":" + deep + "}")))
                .isFalse();
        assertThat(Filter.compile("fields.a").matches(record("{\"a\":".repeat(20_000) + "1" + "}".repeat(20_000))))
                .isFalse();
        StringBuilder many = new StringBuilder("{\"first\":0");
        for (int i = 1; i < 2000; i++) {
            many.append(",\"k").append(i).append("\":").append(i);
        }
        assertThat(Filter.compile("fields.k1023 == 1023 and not fields.k1024").matches(record(many + "}")))
                .isTrue();
    }

    /** Would take longer than the universe is old with backtracking. */
    @Test
    void regularExpressionsTakeLinearTime() {
        Filter filter = Filter.compile("message matches \"(a+)+$\"");
        String text = "<13>Nov 21 10:00:00 h t: " + "a".repeat(64 << 10) + "!";
        long startNs = System.nanoTime();
        assertThat(filter.matches(record(text))).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void sizeOfRegularExpressionsIsLimited() {
        assertThatThrownBy(() -> Filter.compile("message matches \"" + "a".repeat(1001) + "\""))
                .hasMessageContaining("at most 1000 characters, not 1001");
        assertThatThrownBy(() -> Filter.compile("message matches \"((a{100}){100}){100}\""))
                .hasMessageContaining("too many repetitions");
        assertThatThrownBy(() -> Filter.compile("message matches \"(((a{1000}){1000}){1000}){1000}\""))
                .hasMessageContaining("too many repetitions");
        Filter.compile(
                "message matches \"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$|(\\\\d{1,3}[.{1000}]){4}|([({]{2}){9}\"");
    }

    @Test
    void templatesHaveFields() {
        LineBuffer out = new LineBuffer();
        TemplateFormat.of("{fields.port} {fields.action} {fields.none} {sd.a.b} {fields.msg}")
                .write(record(PAIRS), out);
        TemplateFormat.of("{sd.NXLOG@14506.EventID}").write(record(STRUCTURED), out);
        TemplateFormat.of("{fields.http.path} {fields.http}").write(record(JSON), out);
        assertThat(out).hasToString("22,80 deny - - say \"no\"\n4624\n/ä -\n");
        assertThatThrownBy(() -> TemplateFormat.of("a {extension.action}"))
                .hasMessageStartingWith(
                        "column 3 of the template: there is no field extension.action; did you mean fields.action?");
    }

    @ParameterizedTest
    @ValueSource(strings = {PAIRS, JSON, STRUCTURED})
    void allocatesNothing(String message) {
        Filter filter = Filter.compile("fields.action == \"drop\" or fields.dstport > 500 or fields.http.path == \"/\""
                + " or sd.NXLOG@14506.q == \"a\" or fields.status < 400.5");
        byte[] bytes = message.getBytes(UTF_8);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int rounds = 50_000;
        int matches = 0;
        long before = 0;
        for (int round = -rounds; round < rounds; round++) {
            if (round == 0) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            matches += filter.matches(record.wrap(bytes, 0, bytes.length, 0)) ? 1 : 0;
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(matches).isZero();
        assertThat((double) allocated / rounds).as("bytes per message").isLessThan(0.1);
    }
}
