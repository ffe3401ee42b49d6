package io.millrace.internal.edit;

import io.millrace.internal.format.Field;
import io.millrace.internal.format.JournalRecord;
import io.millrace.internal.parse.ParsedMessage;
import io.millrace.message.RecordField;
import java.util.List;
import java.util.Objects;

/**
 * Removes a field of the header, or a value in the body or in the structured data. A value in the body stays in the text of the message.
 * Immutable: threads can share it.
 */
public final class RemoveField extends FieldEdit {
    private static final List<RecordField> PARTS = List.of(
            RecordField.HOSTNAME,
            RecordField.APPNAME,
            RecordField.PROCID,
            RecordField.MSGID,
            RecordField.STRUCTURED_DATA,
            RecordField.MESSAGE);

    private final Field field;

    private RemoveField(Field field) {
        this.field = field;
    }

    /**
     * Creates the edit.
     *
     * @param field its name: of the header, {@code fields.NAME} or {@code sd.ID.NAME}
     * @throws IllegalArgumentException if there is no such field, or it cannot be absent
     */
    public static RemoveField of(String field) {
        return new RemoveField(field(field, PARTS, "fields.NAME or sd.ID.NAME"));
    }

    @Override
    void apply(Draft draft) {
        JournalRecord record = draft.record();
        RecordField header = field.header();
        if (field.isStructured()) {
            new Parameters(path(field)).remove(draft);
        } else if (header != null
                ? header.isIn(record)
                : record.message().fields().find(path(field)) >= 0) {
            draft.change(this);
        }
    }

    @Override
    void apply(ParsedMessage message, int name, Draft.Change change) {
        if (field.header() != null) {
            message.replace(Objects.requireNonNull(field.header().messageField()), -1, -1);
        } else {
            message.fields().remove(path(field));
        }
    }
}
