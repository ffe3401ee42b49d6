package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.internal.parse.Samples;
import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each message of {@code docs/concepts/recognised-messages.md} has the fields that the page shows. */
class DocumentedMessagesTest {
    private static final long RECEIVED_NS = 1_795_262_400_000_000_000L; // 2026-11-21T12:00:00Z

    private final LogfmtFormat format = new LogfmtFormat();

    private String fields(byte[] message) {
        JournalRecord record = new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false);
        LineBuffer out = new LineBuffer();
        format.write(record.wrap(message, 0, message.length, RECEIVED_NS), out);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            out.writeTo(bytes);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return bytes.toString(StandardCharsets.UTF_8)
                .strip()
                .replace(" receive_time=2026-11-21T12:00:00Z", "")
                .replace(" body=text", "");
    }

    @TestFactory
    Stream<DynamicTest> messageIsUnderstoodAsThePageSays() throws IOException {
        return Samples.documented("syslog").stream()
                .map(sample -> DynamicTest.dynamicTest(
                        new String(sample.message(), StandardCharsets.UTF_8),
                        () -> assertThat(fields(sample.message())).isEqualTo(sample.fields())));
    }

    @TestFactory
    Stream<DynamicTest> fieldsAreUnderstoodAsThePageSays() throws IOException {
        return Samples.documented("fields").stream()
                .map(sample -> DynamicTest.dynamicTest(sample.text(), () -> {
                    byte[] message = sample.message();
                    JournalRecord record = new JournalRecord(InputRules.DEFAULT, Map.of(), true);
                    LineBuffer out = new LineBuffer();
                    new JsonFormat().write(record.wrap(message, 0, message.length, RECEIVED_NS), out);
                    JsonNode fields =
                            new ObjectMapper().readTree(out.toString()).get("fields");
                    assertThat(fields == null ? "{}" : fields.toString()).isEqualTo(sample.fields());
                }));
    }

    @Test
    void pageHasMessages() throws IOException {
        assertThat(Samples.documented("syslog")).hasSizeGreaterThan(40);
        assertThat(Samples.documented("fields")).hasSizeGreaterThan(20);
    }
}
