package io.millrace.app.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.output.internal.secret.Secrets;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An object of JSON: named values in order. One thread. */
public final class Node {
    private static final JsonFactory FACTORY = new JsonFactory();

    private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();

    /**
     * Adds a field.
     *
     * @param value a node, a list, a number or a boolean; null, and a number that is NaN, mean unavailable; anything else is
     *     written as text
     */
    public Node put(String name, @Nullable Object value) {
        fields.put(name, value);
        return this;
    }

    /** Adds the fields of another node. */
    public Node with(Node other) {
        fields.putAll(other.fields);
        return this;
    }

    /** A list of nodes, one per value. */
    public static <T> List<Node> list(List<T> values, Function<T, Node> node) {
        return values.stream().map(node).toList();
    }

    /** The JSON, with the secrets of the configuration redacted. */
    public String json() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            write(json, this);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
        if (value instanceof Node node) {
            json.writeStartObject();
            for (Map.Entry<String, @Nullable Object> field : node.fields.entrySet()) {
                json.writeFieldName(field.getKey());
                write(json, field.getValue());
            }
            json.writeEndObject();
        } else if (value instanceof List<?> list) {
            json.writeStartArray();
            for (Object each : list) {
                write(json, each);
            }
            json.writeEndArray();
        } else if (value instanceof Double number && !number.isNaN()) {
            json.writeNumber(number);
        } else if (value instanceof Long || value instanceof Integer) {
            json.writeNumber(((Number) value).longValue());
        } else if (value instanceof Boolean flag) {
            json.writeBoolean(flag);
        } else {
            json.writeString(
                    value == null || value instanceof Double
                            ? null
                            : Secrets.known().redact(value.toString()));
        }
    }
}
