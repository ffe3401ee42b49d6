package io.millrace.edit;

import io.millrace.format.LogRecord;
import io.millrace.format.RecordField;
import io.millrace.parse.FieldName;
import io.millrace.parse.SyslogMessage.Field;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The part of a message that an edit applies to: all of it, or a field that is a part of its bytes. Immutable. */
final class EditTarget {
    private static final List<RecordField> PARTS = List.of(
            RecordField.RAW,
            RecordField.HOSTNAME,
            RecordField.APPNAME,
            RecordField.PROCID,
            RecordField.MSGID,
            RecordField.STRUCTURED_DATA,
            RecordField.MESSAGE);

    private final RecordField part;
    private final @Nullable FieldName name;

    private EditTarget(RecordField part, @Nullable FieldName name) {
        this.part = part;
        this.name = name;
    }

    /**
     * The part with a name.
     *
     * @param field null for the whole message
     * @throws IllegalArgumentException if there is no such field, or it is no part of the message
     */
    static EditTarget of(@Nullable String field) {
        if (field == null) {
            return new EditTarget(RecordField.RAW, null);
        }
        FieldName name = FieldName.of(field);
        if (name != null) {
            return new EditTarget(RecordField.RAW, name);
        }
        RecordField part = RecordField.of(field);
        if (part == null) {
            throw new IllegalArgumentException(RecordField.unknown(field));
        }
        if (!PARTS.contains(part)) {
            throw new IllegalArgumentException(field + " is no part of the message's text; an edit takes "
                    + PARTS.stream().map(RecordField::key).collect(Collectors.joining(", ")) + ", "
                    + FieldName.FORMS.replace(" ", " or "));
        }
        return new EditTarget(part, null);
    }

    /**
     * Finds the places in a message.
     *
     * @throws IllegalArgumentException if it is unknown where they are: then nothing may leave
     */
    void find(LogRecord record, Places places) {
        if (name != null) {
            name.places(record.message(), places::add);
        } else if (part.bytes(record) == record.bytes()) {
            places.add(part.begin(record), part.end(record));
        } else if (!isOfThisHost(record)) {
            throw new IllegalArgumentException(
                    part.key() + " has JSON escapes and cannot be edited on its own: leave out the field of the edit");
        }
    }

    /** True for the name of this host, which stands in no message. */
    private boolean isOfThisHost(LogRecord record) {
        return part == RecordField.HOSTNAME
                && record.isLocal()
                && !record.message().has(Field.HOSTNAME);
    }
}
