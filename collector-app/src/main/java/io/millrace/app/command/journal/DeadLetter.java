package io.millrace.app.command.journal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/**
 * A line of a file of dead letters.
 *
 * @param line the line itself, a JSON object
 * @param time when the message was rejected
 * @param kind a code such as {@code too-long}
 * @param reason what the output or its destination said
 * @param position where it is in the journal, as {@code SHARD/SEQUENCE}
 * @param payload the message
 */
@SuppressWarnings("ArrayRecordComponent") // Never changed after its creation.
record DeadLetter(String line, String time, String kind, String reason, String position, byte[] payload) {
    private static final JsonFactory FACTORY = new JsonFactory();

    /**
     * Parses a line.
     *
     * @throws IOException if it is not a dead letter, such as half a line after a crash
     */
    static DeadLetter parse(String line) throws IOException {
        Map<String, String> values = new HashMap<>();
        try (JsonParser json = FACTORY.createParser(line)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("no JSON object");
            }
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                json.nextToken();
                values.put(name, json.getText());
            }
        } catch (JsonProcessingException e) {
            // Without the place in this line, which is one of a file.
            throw new IOException(e.getOriginalMessage(), e);
        }
        try {
            return new DeadLetter(
                    line,
                    value(values, "time"),
                    value(values, "kind"),
                    value(values, "reason"),
                    value(values, "shard") + "/" + value(values, "sequence"),
                    Base64.getDecoder().decode(values.getOrDefault("payload", "")));
        } catch (IllegalArgumentException e) {
            throw new IOException("the payload is not base64", e);
        }
    }

    private static String value(Map<String, String> values, String name) throws IOException {
        String value = values.get(name);
        if (value == null) {
            throw new IOException("no " + name);
        }
        return value;
    }
}
