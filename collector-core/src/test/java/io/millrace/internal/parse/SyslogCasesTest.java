package io.millrace.internal.parse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.internal.fields.FieldTable;
import io.millrace.message.SyslogMessage;
import io.millrace.message.SyslogMessage.Field;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Messages that other collectors got wrong, and the values that are right; null for a field that must be absent. */
class SyslogCasesTest {
    @TestFactory
    Stream<DynamicTest> hasTheExpectedValues() throws IOException {
        return Samples.cases().stream()
                .map(sample -> DynamicTest.dynamicTest(sample.get("in").asText(), () -> check(sample)));
    }

    private static void check(JsonNode sample) {
        byte[] bytes = sample.get("in").asText().getBytes(UTF_8);
        Instant received = Instant.parse(sample.get("received").asText());
        ParsedMessage message = new ParsedMessage();
        new SyslogParser(ZoneId.of(sample.get("timeZone").asText()))
                .parse(bytes, 0, bytes.length, received.getEpochSecond() * 1_000_000_000L, message);
        Map<String, @Nullable String> found = new LinkedHashMap<>();
        Map<String, @Nullable String> expected = new LinkedHashMap<>();
        sample.get("expect").properties().forEach(entry -> {
            String name = entry.getKey();
            String value = entry.getValue().isNull() ? null : entry.getValue().asText();
            expected.put(
                    name,
                    name.equals("timestamp") && value != null
                            ? Instant.parse(value).toString()
                            : value);
            found.put(name, value(message, name));
        });
        assertThat(found).isEqualTo(expected);
    }

    private static @Nullable String value(ParsedMessage message, String name) {
        return switch (name) {
            case "timestamp" ->
                message.timestampNs() == SyslogMessage.NO_TIME
                        ? null
                        : Instant.ofEpochSecond(0, message.timestampNs()).toString();
            case "severity" -> message.severity().keyword();
            case "facility" -> message.facility().keyword();
            case "hostname" -> text(message, Field.HOSTNAME);
            case "appname" -> text(message, Field.APPNAME);
            case "procid" -> text(message, Field.PROCID);
            case "message" -> text(message, Field.MESSAGE);
            default -> field(message, name.substring("fields.".length()));
        };
    }

    private static @Nullable String text(ParsedMessage message, Field field) {
        return message.has(field) ? message.text(field) : null;
    }

    private static @Nullable String field(ParsedMessage message, String name) {
        FieldTable table = message.fields();
        for (FieldTable.Type type : new FieldTable.Type[] {FieldTable.Type.TEXT, FieldTable.Type.NUMBER}) {
            int index = table.find(name.getBytes(UTF_8), type);
            if (index >= 0) {
                table.value(index);
                return new String(table.plainBytes(), table.plainBegin(), table.plainEnd() - table.plainBegin(), UTF_8);
            }
        }
        return null;
    }
}
