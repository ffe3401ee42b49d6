package io.millrace.internal.format;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.internal.format.template.TemplateFormat;
import io.millrace.internal.record.TestDatagram;
import io.millrace.message.Filter;
import io.millrace.message.InputRules;
import io.millrace.message.Kind;
import io.millrace.message.LineBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** GELF, from the payload to the outputs. */
class GelfTest {
    private static final long RECEIVED_NS = 1_795_262_400_000_000_000L; // 2026-11-21T12:00:00Z
    private static final String MESSAGE = "{\"version\":\"1.1\",\"host\":\"web1\",\"short_message\":\"it failed\","
            + "\"full_message\":\"it failed\\n at line 5\",\"timestamp\":1795255263.301,\"level\":3,\"_user\":\"ann\","
            + "\"_count\":7,\"facility\":\"app\"}";

    private final JournalRecord record = new JournalRecord(new InputRules(ZoneOffset.UTC, true), Map.of(), true);
    private final JsonFormat format = new JsonFormat();
    private final LineBuffer out = new LineBuffer();

    private JsonNode json(byte[] payload) throws IOException {
        out.clear();
        byte[] memory = new byte[payload.length + 8];
        Arrays.fill(memory, (byte) '}');
        System.arraycopy(payload, 0, memory, 4, payload.length);
        format.write(record.wrap(memory, 4, 4 + payload.length, RECEIVED_NS), out);
        return new ObjectMapper().readTree(out.toString());
    }

    private JsonNode json(String payload) throws IOException {
        return json(payload.getBytes(UTF_8));
    }

    private static byte[] zlib(byte[] plain) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream stream = new DeflaterOutputStream(bytes)) {
            stream.write(plain);
        }
        return bytes.toByteArray();
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream stream = new GZIPOutputStream(bytes)) {
            stream.write(plain);
        }
        return bytes.toByteArray();
    }

    @Test
    void membersAreTheMessagesAndAllOthersAreFields() throws IOException {
        JsonNode json = json(MESSAGE);
        assertThat(json.toString())
                .isEqualTo("{\"timestamp\":\"2026-11-21T10:01:03.301Z\",\"receive_time\":\"2026-11-21T12:00:00Z\","
                        + "\"facility\":\"user\",\"severity\":\"err\",\"hostname\":\"web1\",\"message\":\"it failed\","
                        + "\"body\":\"gelf\",\"fields\":{\"full_message\":\"it failed\\n at line 5\",\"user\":\"ann\","
                        + "\"count\":7,\"facility\":\"app\"},\"defaulted\":[\"facility\"],\"parse\":\"gelf\"}");
        assertThat(Filter.compile(
                                "fields.user == \"ann\" and fields.count > 6 and severity == err and hostname == \"web1\""
                                        + " and fields.full_message contains \"line\" and not fields._user and not fields.level")
                        .matches(record))
                .isTrue();
        out.clear();
        new Rfc5424Format().write(record, out);
        assertThat(out).hasToString("<11>1 2026-11-21T10:01:03.301Z web1 - - - - it failed\n");
    }

    @Test
    void compressedPayloadsAreExpandedAndStayAsTheyCame() throws IOException {
        byte[] plain = MESSAGE.getBytes(UTF_8);
        JsonNode wanted = json(plain);
        for (byte[] payload : new byte[][] {gzip(plain), zlib(plain)}) {
            assertThat(json(payload)).isEqualTo(wanted);
            assertThat(Arrays.copyOfRange(record.bytes(), record.begin(), record.end()))
                    .isEqualTo(payload);
            out.clear();
            TemplateFormat.of("{hostname} {message} {fields.user}").write(record, out);
            assertThat(out).hasToString("web1 it failed ann\n");
        }
        assertThat(json(plain)).as("after a compressed one").isEqualTo(wanted);
    }

    @Test
    void whatCannotBeExpandedSaysSo() throws IOException {
        byte[] bomb = gzip(new byte[5 << 20]);
        assertThat(json(bomb).get("unexpanded").asText()).isEqualTo("too-large");
        byte[] cut = Arrays.copyOf(gzip(MESSAGE.getBytes(UTF_8)), 100);
        assertThat(json(cut).get("unexpanded").asText()).isEqualTo("damaged");
        assertThat(json(cut).get("parse").asText()).isEqualTo("raw");
        assertThat(json("x^2").has("unexpanded")).isFalse();
        assertThat(json(MESSAGE).has("unexpanded")).isFalse();
    }

    /** Otherwise many small payloads would be worth more to a sender than a few large ones. */
    @Test
    void smallPayloadsHoldProportionallyLess() throws IOException {
        byte[] zeros = gzip(new byte[20_000]);
        assertThat(zeros).hasSizeLessThan(64);
        assertThat(json(zeros).get("unexpanded").asText()).isEqualTo("too-large");
        assertThat(json(gzip(new byte[1000])).has("unexpanded")).isFalse();
    }

    @Test
    void linesOfADatagramAreNotExpanded() throws IOException {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        lines.write("first\n".getBytes(UTF_8));
        lines.write(zlib(MESSAGE.getBytes(UTF_8)));
        assertThat(lines.toString(ISO_8859_1).lines())
                .as("no line feed in what is compressed")
                .hasSize(2);
        JournalRecord split = new JournalRecord(new InputRules(ZoneOffset.UTC, true), Map.of(), true);
        split.wrap(TestDatagram.of(lines.toByteArray()).view(), "in", 0, 0);
        assertThat(split.nextPart()).isTrue();
        assertThat(split.message().kind()).isNotEqualTo(Kind.GELF);
    }

    @Test
    void escapesAreDecoded() throws IOException {
        JsonNode json =
                json("{\"version\":\"1.1\",\"host\":\"w\\u0065b\",\"short_message\":\"a \\\"b\\\"\\n\\ud83d\\ude00\"}");
        assertThat(json.get("hostname").asText()).isEqualTo("web");
        assertThat(json.get("message").asText()).isEqualTo("a \"b\"\n\ud83d\ude00");
        assertThat(Filter.compile("hostname == \"web\" and message startswith \"a \\\"b\"")
                        .matches(record))
                .isTrue();
        assertThat(json.get("defaulted").toString()).isEqualTo("[\"timestamp\",\"facility\",\"severity\"]");
    }

    @Test
    void numbersAsTextAndOddValuesAreNoErrors() throws IOException {
        JsonNode json =
                json("{\"version\":\"1.1\",\"short_message\":\"a\",\"timestamp\":\"1795255263.5\",\"level\":\"x\"}");
        assertThat(json.get("timestamp").asText()).isEqualTo("2026-11-21T10:01:03.500Z");
        assertThat(json.get("fields").toString()).isEqualTo("{\"level\":\"x\"}");
        json = json(
                "{\"version\":\"1.1\",\"short_message\":\"\",\"host\":\"\",\"timestamp\":-5,\"level\":9,\"_\":1,\"_a\":null}");
        assertThat(json.get("timestamp").asText()).isEqualTo("2026-11-21T12:00:00Z");
        assertThat(json.has("hostname")).isFalse();
        assertThat(json.get("fields").toString()).isEqualTo("{\"timestamp\":-5,\"level\":9,\"_\":1,\"a\":null}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"version\":\"1.1\",\"host\":\"a\"}",
                "{\"short_message\":\"a\",\"host\":\"a\"}",
                "{\"version\":\"1.1\",\"short_message\":5}",
                "{\"version\":\"1.1\",\"short_message\":\"a\"",
                "{\"version\":\"1.1\",\"short_message\":\"a\",}",
                "{\"a\":{\"version\":\"1.1\",\"short_message\":\"a\"}}",
                "<13>{\"version\":\"1.1\",\"short_message\":\"a\"}",
            })
    void othersAreNoGelf(String payload) throws IOException {
        JsonNode json = json(payload);
        assertThat(json.get("parse").asText()).isNotEqualTo("gelf");
        if (json.path("body").asText().equals("json") && payload.startsWith("{\"a\"")) {
            assertThat(Filter.compile("fields.a.version exists").matches(record))
                    .isTrue();
        }
    }
}
