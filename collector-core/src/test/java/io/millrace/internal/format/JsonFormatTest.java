package io.millrace.internal.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.TestSeed;
import io.millrace.internal.record.TestDatagram;
import io.millrace.journal.DatagramView;
import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JsonFormatTest {
    /** The pieces that go wrong: controls, what JSON escapes, each length of UTF-8, and all ways to get that wrong. */
    private static final List<byte[]> PIECES = pieces(
            "00",
            "01",
            "1f",
            "20",
            "22",
            "5c",
            "2f",
            "7f",
            "0a",
            "0d",
            "09",
            "c280",
            "c3a4",
            "dfbf",
            "e0a080",
            "e282ac",
            "efbfbf",
            "efbbbf",
            "e280a8",
            "f0908080",
            "f09f9880",
            "f48fbfbf",
            "80",
            "bf",
            "c0",
            "c080",
            "c3",
            "e0",
            "e28",
            "e282",
            "eda080",
            "edb080",
            "eda0bdedb880",
            "f0",
            "f09f",
            "f09f98",
            "f5808080",
            "f4908080",
            "fe",
            "ff");

    private final JsonFormat format = new JsonFormat();
    private final JournalRecord record = new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false);
    private final LineBuffer out = new LineBuffer();
    private final ObjectMapper mapper = new ObjectMapper();

    private static List<byte[]> pieces(String... hex) {
        List<byte[]> pieces = new ArrayList<>();
        for (String piece : hex) {
            pieces.add(HexFormat.of().parseHex(piece.length() % 2 == 0 ? piece : piece + "0"));
        }
        return pieces;
    }

    private JsonNode written(DatagramView datagram) throws IOException {
        format.write(record.wrap(datagram, "edge", 2, 4_000_000_000L), out);
        return mapper.readTree(line());
    }

    @Test
    void linesMatchTheDocumentation() throws IOException {
        DatagramView datagram = TestDatagram.of(
                        "<165>1 2025-11-20T23:59:59.5Z fw1 app 7 ID1 [a@1 x=\"1\" y=\"\\\"\"][b@1] a \"b\" \\ \n\u0000\u00e4")
                .at(1_763_683_200_123_456_789L)
                .from(new byte[] {(byte) 192, 0, 2, 1}, 0, 514)
                .view();
        format.write(record.wrap(datagram, "ed\"ge", 2, 4_000_000_000L), out);
        assertThat(line())
                .isEqualTo("{\"timestamp\":\"2025-11-20T23:59:59.500Z\","
                        + "\"receive_time\":\"2025-11-21T00:00:00.123456789Z\","
                        + "\"facility\":\"local4\",\"severity\":\"notice\",\"version\":1,\"hostname\":\"fw1\","
                        + "\"appname\":\"app\",\"procid\":\"7\",\"msgid\":\"ID1\","
                        + "\"structured_data\":{\"a@1\":{\"x\":\"1\",\"y\":\"\\\"\"},\"b@1\":{}},"
                        + "\"message\":\"a \\\"b\\\" \\\\ \\u000a\\u0000\u00e4\","
                        + "\"source_ip\":\"192.0.2.1\",\"source_port\":514,\"input\":\"ed\\\"ge\",\"shard\":2,"
                        + "\"sequence\":4000000000,\"parse\":\"rfc5424\"}\n");
    }

    @Test
    void missingFieldsAreDefaultedAndMarked() throws IOException {
        JsonNode raw = written(TestDatagram.of("just text").at(0).view());
        assertThat(raw.get("timestamp").textValue()).isEqualTo("1970-01-01T00:00:00Z");
        assertThat(raw.get("facility").textValue()).isEqualTo("user");
        assertThat(raw.get("severity").textValue()).isEqualTo("notice");
        assertThat(raw.get("defaulted").toString()).isEqualTo("[\"timestamp\",\"facility\",\"severity\"]");
        assertThat(raw.get("parse").textValue()).isEqualTo("raw");
        assertThat(raw.has("hostname")).isFalse();

        assertThat(written(TestDatagram.of("<13>no time").view())
                        .get("defaulted")
                        .toString())
                .isEqualTo("[\"timestamp\"]");
        assertThat(written(TestDatagram.of("Nov 21 10:00:00 h a: no PRI").view())
                        .get("defaulted")
                        .toString())
                .isEqualTo("[\"facility\",\"severity\"]");
        assertThat(written(TestDatagram.of("<13>Nov 21 10:00:00 h a: all").view())
                        .has("defaulted"))
                .isFalse();
    }

    @Test
    void showsTruncationAndIpv6() throws IOException {
        byte[] address = HexFormat.of().parseHex("fe800000000000000000000000000001");
        JsonNode json =
                written(TestDatagram.of("").truncated(true).from(address, 7, 1).view());
        assertThat(json.get("truncated").booleanValue()).isTrue();
        assertThat(json.get("source_ip").textValue()).startsWith("fe80:").endsWith(":1%7");
        assertThat(json.has("message")).isFalse();
    }

    @Test
    void writesTimesBeforeTheEpoch() throws IOException {
        assertThat(written(TestDatagram.of("").at(-1).view())
                        .get("receive_time")
                        .textValue())
                .isEqualTo("1969-12-31T23:59:59.999999999Z");
    }

    @Test
    void writesTimesLikeJava() throws IOException {
        Random random = TestSeed.random(JsonFormatTest.class);
        for (int i = 0; i < 10_000; i++) {
            long ns = random.nextLong();
            ns -= i % 3 == 0 ? ns % 1_000_000 : i % 3 == 1 ? ns % 1_000_000_000 : 0;
            long second = 1_000_000_000;
            for (long each : new long[] {ns, ns + 1, ns - second, ns + 60 * second, ns - 3600 * second, ns}) {
                assertThat(written(TestDatagram.of("").at(each).view())
                                .get("receive_time")
                                .textValue())
                        .isEqualTo(Instant.ofEpochSecond(0, each).toString());
            }
        }
    }

    @Test
    void everyByteAndPairOfPiecesDecodesToThePayload() throws IOException {
        for (int b = 0; b < 256; b++) {
            assertMessage(new byte[] {(byte) b});
            assertMessage(new byte[] {'a', (byte) b, 'z'});
        }
        for (byte[] first : PIECES) {
            for (byte[] second : PIECES) {
                byte[] payload = new byte[first.length + second.length];
                System.arraycopy(first, 0, payload, 0, first.length);
                System.arraycopy(second, 0, payload, first.length, second.length);
                assertMessage(payload);
            }
        }
    }

    @Test
    void randomPayloadsDecodeToThePayload() throws IOException {
        Random random = TestSeed.random(JsonFormatTest.class);
        for (int i = 0; i < 2000; i++) {
            ByteArrayOutputStream payload = new ByteArrayOutputStream();
            int pieces = random.nextInt(i % 100 == 0 ? 5000 : 50);
            for (int piece = 0; piece < pieces; piece++) {
                if (random.nextBoolean()) {
                    payload.write(random.nextInt(256));
                } else {
                    payload.writeBytes(PIECES.get(random.nextInt(PIECES.size())));
                }
            }
            assertMessage(payload.toByteArray());
        }
    }

    @Test
    void writesTheLongestPayloadOfEscapes() throws IOException {
        assertMessage(new byte[TestDatagram.MAX_PAYLOAD]);
    }

    /** One line, valid UTF-8, valid JSON, and the string is what Java makes of the bytes, wherever they are in an array. */
    private void assertMessage(byte[] payload) throws IOException {
        assertString(payload, 0, payload);
        for (byte around : new byte[] {'x', '"', (byte) 0x80}) {
            byte[] within = new byte[payload.length + 20];
            Arrays.fill(within, around);
            System.arraycopy(payload, 0, within, 10, payload.length);
            assertString(within, 10, payload);
        }
    }

    private void assertString(byte[] from, int begin, byte[] payload) throws IOException {
        JsonFormat.string(from, begin, begin + payload.length, out);
        String line = line();
        assertThat(line).doesNotContain("\n", "\r", "\u007f");
        String message = mapper.readTree(line).textValue();
        if (!message.equals(new String(payload, UTF_8))) {
            throw new AssertionError("payload " + HexFormat.of().formatHex(payload) + " came as " + line);
        }
    }

    private String line() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        out.writeTo(bytes);
        assertThat(out.length()).isZero();
        try {
            return UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new AssertionError("not UTF-8: " + HexFormat.of().formatHex(bytes.toByteArray()), e);
        }
    }

    @Test
    void repeatedParametersBecomeAnArray() throws Exception {
        JsonNode data = written(TestDatagram.of(
                                "<13>1 - h a - - [origin ip=\"192.0.2.1\" x=\"1\" ip=\"192.0.2.2\" ip=\"a\\\"b\"][b@1][origin ip=\"c\" y=\"2\"] m")
                        .at(0)
                        .view())
                .get("structured_data");
        assertThat(data.toString())
                .isEqualTo(
                        "{\"origin\":{\"ip\":[\"192.0.2.1\",\"192.0.2.2\",\"a\\\"b\",\"c\"],\"x\":\"1\",\"y\":\"2\"},\"b@1\":{}}");
    }

    private JsonNode fields(String text) throws IOException {
        JournalRecord asked = new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), true);
        format.write(asked.wrap(TestDatagram.of(text).view(), "edge", 2, 1), out);
        return mapper.readTree(line()).path("fields");
    }

    @Test
    void repeatedKeysBecomeAnArray() throws IOException {
        assertThat(fields("CEF:0|v|p|1|1|n|5|a=1 b=2 a=x \\= y a=3").toString())
                .isEqualTo("{\"a\":[\"1\",\"x = y\",\"3\"],\"b\":\"2\"}");
    }

    @Test
    void writesFieldsOnRequest() throws IOException {
        assertThat(fields("CEF:0|v|p|1|1|n|5|no keys").isMissingNode()).isTrue();
        assertThat(fields("<13>Nov 21 10:00:00 h a: m").isMissingNode()).isTrue();
        assertThat(written(TestDatagram.of("CEF:0|v|p|1|1|n|5|a=1").view()).has("fields"))
                .isFalse();
    }

    @Test
    void writesManyFieldsCompletely() throws IOException {
        StringBuilder text = new StringBuilder("LEEF:1.0|v|p|1|1|");
        for (int i = 0; i < 200; i++) {
            text.append("k").append(i).append('=').append(i).append('\t');
        }
        JsonNode fields = fields(text.toString());
        assertThat(fields).hasSize(200);
        assertThat(fields.get("k199").asText()).isEqualTo("199");
    }

    @Test
    void writesManyElementsCompletely() throws Exception {
        StringBuilder text = new StringBuilder("<13>1 - h a - - [a@1");
        for (int i = 0; i < 200; i++) {
            text.append(" p").append(i).append("=\"").append(i).append("\\\\\"");
        }
        JsonNode data = written(TestDatagram.of(text + "] m").at(0).view())
                .get("structured_data")
                .get("a@1");
        assertThat(data).hasSize(200);
        assertThat(data.get("p199").asText()).isEqualTo("199\\");
    }

    @Test
    void flatJsonHasFixedKeys() throws IOException {
        JournalRecord cef = new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), true);
        byte[] message = "<34>1 - h a - - [x@1 k=\"\\\"v\" k=\"w\"][y@2] CEF:0|v|p|1|n|n|5|act=deny dst=192.0.2.1"
                .getBytes(UTF_8);
        JsonFormat.flat().write(cef.wrap(message, 0, message.length, 0), out);
        JsonNode json = mapper.readTree(line());
        assertThat(json.get("structured_data"))
                .isEqualTo(mapper.readTree("[{\"id\":\"x@1\",\"name\":\"k\",\"value\":\"\\\"v\"},"
                        + "{\"id\":\"x@1\",\"name\":\"k\",\"value\":\"w\"},{\"id\":\"y@2\"}]"));
        assertThat(json.get("fields"))
                .isEqualTo(mapper.readTree(
                        "[{\"name\":\"act\",\"value\":\"deny\"},{\"name\":\"dst\",\"value\":\"192.0.2.1\"}]"));
    }

    /** Eight bytes are looked at together: each byte at each place, among plain bytes and among others. */
    @Test
    void escapesEachByteAtEachPlaceOfALongText() throws IOException {
        for (String around :
                List.of("abcdefghijklmnopqrstuvwxyz", "\"\\\u0001\u00e9\u007f ~\"\\\u0001\u00e9\u007f ~")) {
            byte[] text = around.getBytes(UTF_8);
            for (int place = 0; place < text.length; place++) {
                for (int value = 0; value < 0x100; value++) {
                    byte[] changed = text.clone();
                    changed[place] = (byte) value;
                    assertMessage(changed);
                }
            }
        }
    }
}
