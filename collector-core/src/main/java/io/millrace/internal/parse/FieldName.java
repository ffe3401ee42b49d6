package io.millrace.internal.parse;

import io.millrace.internal.fields.FieldTable;
import io.millrace.internal.fields.PlaceConsumer;
import io.millrace.internal.fields.ValuePredicate;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The name of a value in a message, as in filters and templates: {@code fields.NAME} in the body, such as {@code
 * fields.http.status}, or {@code sd.ID.NAME} in the structured data. Immutable.
 */
public final class FieldName {
    private static final String BODY = "fields.";
    private static final String STRUCTURED = "sd.";

    /** How such names are written, for texts. */
    public static final String FORMS = BODY + "NAME " + STRUCTURED + "ID.NAME";

    private final String text;
    private final boolean structured;
    private final byte[] path;

    private FieldName(String text, boolean structured, String path) {
        this.text = text;
        this.structured = structured;
        this.path = path.getBytes(StandardCharsets.UTF_8);
    }

    /** The name in a text; null if it begins with neither {@code fields.} nor {@code sd.}, or nothing follows. */
    public static @Nullable FieldName of(String text) {
        boolean structured = text.startsWith(STRUCTURED);
        if (!structured && !text.startsWith(BODY)) {
            return null;
        }
        String path = text.substring(structured ? STRUCTURED.length() : BODY.length());
        return path.isEmpty() ? null : new FieldName(text, structured, path);
    }

    /** True for a value in the structured data. */
    public boolean isStructured() {
        return structured;
    }

    /** The name without {@code fields.} or {@code sd.}, in UTF-8; a copy. */
    public byte[] path() {
        return path.clone();
    }

    private FieldTable table(ParsedMessage message) {
        return structured ? message.structuredData() : message.fields();
    }

    /** True if the message has it: a value other than JSON's null, or an object. */
    public boolean isIn(ParsedMessage message) {
        return table(message).has(path);
    }

    /** True if the test is true for one of its values; there are several if it is repeated or an array. */
    public boolean any(ParsedMessage message, ValuePredicate test) {
        return table(message).any(path, test);
    }

    /**
     * Calls a consumer with the place of each of its values in the bytes of the message, in their order.
     *
     * @throws IllegalArgumentException if the message has more fields than the table holds, so that there may be others
     */
    public void places(ParsedMessage message, PlaceConsumer consumer) {
        FieldTable table = table(message);
        if (table.isFull()) {
            throw new IllegalArgumentException("it has " + FieldTable.MAX_FIELDS + " fields or more");
        }
        table.places(path, consumer);
    }

    /** As it was written. */
    @Override
    public String toString() {
        return text;
    }
}
