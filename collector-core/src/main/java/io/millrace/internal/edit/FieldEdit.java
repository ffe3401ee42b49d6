package io.millrace.internal.edit;

import io.millrace.internal.format.Field;
import io.millrace.internal.parse.FieldName;
import io.millrace.internal.parse.ParsedMessage;
import io.millrace.message.RecordField;
import java.util.List;
import java.util.stream.Collectors;

/** An edit of fields alone. The draft keeps it, and applies it again each time the bytes of the message have changed. Immutable. */
abstract sealed class FieldEdit extends MessageEdit permits SetField, RenameField, RemoveField {
    private static final byte[] NO_NAME = {};

    /**
     * The field with a name.
     *
     * @param headers which fields of the header are allowed
     * @param values which values are, for the exception
     * @throws IllegalArgumentException if there is no such field, or it is not allowed
     */
    static Field field(String text, List<RecordField> headers, String values) {
        Field field = Field.of(text);
        boolean isAllowed = field.header() == null
                ? !field.isStructured() || values.contains("sd.")
                : headers.contains(field.header());
        if (!isAllowed) {
            String all = headers.stream().map(it -> it.key() + ", ").collect(Collectors.joining());
            throw new IllegalArgumentException("field accepts " + all + values + ", not " + text);
        }
        return field;
    }

    /** The name of a value; empty for a field of the header. */
    static byte[] path(Field field) {
        FieldName name = field.value();
        return name == null ? NO_NAME : name.path();
    }

    /** The name that a field gets, and that must be in the memory of the message; empty for none. */
    byte[] newName() {
        return NO_NAME;
    }

    /**
     * Changes the fields.
     *
     * @param message its offsets are into the memory of the draft
     * @param name where {@link #newName} is in it
     * @param change the value, if the edit has one
     */
    abstract void apply(ParsedMessage message, int name, Draft.Change change);

    @Override
    public boolean isOfFields() {
        return true;
    }
}
