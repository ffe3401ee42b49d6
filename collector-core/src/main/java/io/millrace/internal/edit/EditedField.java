package io.millrace.internal.edit;

import io.millrace.internal.parse.FieldName;
import io.millrace.message.RecordField;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The field of an edit of fields: of the header, or a value in the body or in the structured data. Immutable.
 *
 * @param header null for a value
 * @param name null for a field of the header
 */
record EditedField(@Nullable RecordField header, @Nullable FieldName name) {
    private static final byte[] NO_PATH = {};

    /**
     * The field with a name.
     *
     * @param headers which fields of the header are allowed
     * @param values which values are, for the exception
     * @throws IllegalArgumentException if there is no such field, or it is not allowed
     */
    static EditedField of(String field, List<RecordField> headers, String values) {
        FieldName name = FieldName.of(field);
        if (name != null && (!name.isStructured() || values.contains("sd."))) {
            return new EditedField(null, name);
        }
        RecordField header = RecordField.of(field);
        if (name == null && header == null) {
            throw new IllegalArgumentException(RecordField.unknown(field));
        }
        if (header == null || !headers.contains(header)) {
            String all = headers.stream().map(it -> it.key() + ", ").collect(Collectors.joining());
            throw new IllegalArgumentException("field takes " + all + values + ", not " + field);
        }
        return new EditedField(header, null);
    }

    boolean isStructured() {
        return name != null && name.isStructured();
    }

    /** The name of a value; empty for a field of the header. */
    byte[] path() {
        return name == null ? NO_PATH : name.path();
    }
}
