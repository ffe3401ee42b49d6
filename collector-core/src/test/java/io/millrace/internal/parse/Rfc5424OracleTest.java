package io.millrace.internal.parse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.palindromicity.syslog.SyslogParserBuilder;
import com.github.palindromicity.syslog.dsl.SyslogFieldKeys;
import io.millrace.TestSeed;
import io.millrace.message.SyslogMessage;
import io.millrace.message.SyslogMessage.Field;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Valid messages of RFC 5424, made by its grammar, are understood as another parser understands them, one that was
 * generated from the same grammar. {@code -Dmillrace.oracle.messages=1000000} for more of them.
 */
class Rfc5424OracleTest {
    private static final int MESSAGES = Integer.getInteger("millrace.oracle.messages", 5_000);

    private final Random random = TestSeed.random(Rfc5424OracleTest.class);
    private final SyslogParser parser = new SyslogParser(ZoneOffset.UTC);
    private final ParsedMessage message = new ParsedMessage();
    private final com.github.palindromicity.syslog.SyslogParser oracle = new SyslogParserBuilder().build();

    @Test
    void agreesWithAnotherParserOnValidMessages() {
        for (int i = 0; i < MESSAGES; i++) {
            String text = message();
            assertThat(ours(text)).as(text).isEqualTo(theirs(text));
        }
    }

    private Map<String, String> ours(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        parser.parse(bytes, 0, bytes.length, 0, message);
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("version", Integer.toString(message.version()));
        fields.put("facility", Integer.toString(message.facility().code()));
        fields.put("severity", Integer.toString(message.severity().code()));
        if (message.timestampNs() != SyslogMessage.NO_TIME) {
            fields.put("time", Instant.ofEpochSecond(0, message.timestampNs()).toString());
        }
        put(fields, "hostname", Field.HOSTNAME);
        put(fields, "appname", Field.APPNAME);
        put(fields, "procid", Field.PROCID);
        put(fields, "msgid", Field.MSGID);
        put(fields, "message", Field.MESSAGE);
        StructuredData data = new StructuredData();
        data.wrap(message);
        while (data.nextElement()) {
            String id = new String(bytes, data.nameBegin(), data.nameEnd() - data.nameBegin(), UTF_8);
            while (data.nextParameter()) {
                String name = new String(bytes, data.nameBegin(), data.nameEnd() - data.nameBegin(), UTF_8);
                String value = new String(bytes, data.valueBegin(), data.valueEnd() - data.valueBegin(), UTF_8);
                fields.put(String.format(SyslogFieldKeys.STRUCTURED_ELEMENT_ID_PNAME_FMT.getField(), id, name), value);
            }
        }
        return fields;
    }

    private void put(Map<String, String> fields, String name, Field field) {
        if (message.has(field)) {
            // The other parser takes off the spaces at the end of the message; the RFC does not.
            fields.put(name, message.text(field).strip());
        }
    }

    private Map<String, String> theirs(String text) {
        Map<String, Object> parsed = oracle.parseLine(text);
        Map<String, String> fields = new LinkedHashMap<>();
        put(fields, "version", parsed, SyslogFieldKeys.HEADER_VERSION);
        put(fields, "facility", parsed, SyslogFieldKeys.HEADER_PRI_FACILITY);
        put(fields, "severity", parsed, SyslogFieldKeys.HEADER_PRI_SEVERITY);
        Object time = parsed.get(SyslogFieldKeys.HEADER_TIMESTAMP.getField());
        if (time != null) {
            fields.put("time", OffsetDateTime.parse(time.toString()).toInstant().toString());
        }
        put(fields, "hostname", parsed, SyslogFieldKeys.HEADER_HOSTNAME);
        put(fields, "appname", parsed, SyslogFieldKeys.HEADER_APPNAME);
        put(fields, "procid", parsed, SyslogFieldKeys.HEADER_PROCID);
        put(fields, "msgid", parsed, SyslogFieldKeys.HEADER_MSGID);
        put(fields, "message", parsed, SyslogFieldKeys.MESSAGE);
        String structured = SyslogFieldKeys.STRUCTURED_BASE.getField();
        parsed.forEach((key, value) -> {
            if (key.startsWith(structured)) {
                fields.put(key, value.toString());
            }
        });
        return fields;
    }

    private static void put(Map<String, String> fields, String name, Map<String, Object> parsed, SyslogFieldKeys key) {
        @Nullable Object value = parsed.get(key.getField());
        if (value != null && !value.toString().isEmpty()) {
            fields.put(name, value.toString());
        }
    }

    // ---- messages by the grammar of RFC 5424 section 6 ----

    private String message() {
        StringBuilder text = new StringBuilder();
        text.append('<').append(random.nextInt(192)).append(">1 ");
        text.append(time()).append(' ');
        text.append(token(255)).append(' ');
        text.append(token(48)).append(' ');
        text.append(token(128)).append(' ');
        text.append(token(32)).append(' ');
        text.append(structuredData());
        if (random.nextInt(4) > 0) {
            text.append(' ').append(text());
        }
        return text.toString();
    }

    private String time() {
        if (random.nextInt(10) == 0) {
            return "-";
        }
        ZoneOffset offset = ZoneOffset.ofTotalSeconds(60 * random.nextInt(-12 * 60, 14 * 60));
        Instant instant = Instant.ofEpochSecond(random.nextLong(0, 4_000_000_000L));
        String seconds = instant.atOffset(offset).toLocalDateTime().toString();
        String fraction = random.nextBoolean()
                ? ""
                : "." + String.format("%06d", random.nextInt(1_000_000)).substring(0, 1 + random.nextInt(6));
        String zone = offset.equals(ZoneOffset.UTC) && random.nextBoolean()
                ? "Z"
                : offset.getId().replace("Z", "+00:00");
        return (seconds.length() == 16 ? seconds + ":00" : seconds) + fraction + zone;
    }

    private String token(int most) {
        int length = random.nextInt(8) == 0 ? 1 + random.nextInt(most) : 1 + random.nextInt(12);
        return random.nextInt(6) == 0 ? "-" : characters(length, "");
    }

    private String characters(int length, String without) {
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            char c = (char) random.nextInt(0x21, 0x7f);
            if (without.indexOf(c) < 0) {
                text.append(c);
            }
        }
        return text.toString();
    }

    private String structuredData() {
        if (random.nextInt(3) == 0) {
            return "-";
        }
        StringBuilder text = new StringBuilder();
        int elements = 1 + random.nextInt(3);
        for (int element = 0; element < elements; element++) {
            text.append('[').append(characters(1 + random.nextInt(10), "= ]\"")).append(element);
            int parameters = random.nextInt(4);
            for (int parameter = 0; parameter < parameters; parameter++) {
                text.append(' ')
                        .append(characters(1 + random.nextInt(10), "= ]\""))
                        .append(parameter);
                text.append("=\"")
                        .append(text().replace("\\", "\\\\")
                                .replace("\"", "\\\"")
                                .replace("]", "\\]"));
                text.append('"');
            }
            text.append(']');
        }
        return text.toString();
    }

    private String text() {
        StringBuilder text = new StringBuilder("x");
        int length = random.nextInt(80);
        for (int i = 0; i < length; i++) {
            // The other parser takes no characters above U+00FF.
            boolean ascii = random.nextInt(20) > 0;
            text.append((char) (ascii ? random.nextInt(0x20, 0x7f) : random.nextInt(0xa0, 0x100)));
        }
        return text.toString();
    }
}
