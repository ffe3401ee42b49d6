package io.millrace.internal.edit;

import io.millrace.internal.format.JournalRecord;
import io.millrace.internal.parse.FieldName;
import io.millrace.internal.parse.ParsedMessage;
import io.millrace.message.RecordField;
import io.millrace.message.SyslogMessage.Field;
import java.util.List;
import java.util.Objects;
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
            throw new IllegalArgumentException(field + " is no part of the message's text; field takes " + keys(PARTS)
                    + ", " + FieldName.FORMS.replace(" ", " or "));
        }
        return new EditTarget(part, null);
    }

    /**
     * One of some parts.
     *
     * @throws IllegalArgumentException if the name is that of none
     */
    static EditTarget of(String field, List<RecordField> parts) {
        RecordField part = RecordField.of(field);
        if (part == null && FieldName.of(field) == null) {
            throw new IllegalArgumentException(RecordField.unknown(field));
        }
        if (part == null || !parts.contains(part)) {
            throw new IllegalArgumentException("field takes " + keys(parts) + ", not " + field);
        }
        return new EditTarget(part, null);
    }

    private static String keys(List<RecordField> parts) {
        return parts.stream().map(RecordField::key).collect(Collectors.joining(", "));
    }

    /**
     * Finds the places in a message. There are none for the name of this host, which is in no message.
     *
     * @throws IllegalArgumentException if there may be others: then nothing may leave
     */
    void find(JournalRecord record, Places places) {
        if (isWholeMessage()) {
            places.add(record.begin(), record.end());
        } else if (name != null) {
            name.places(record.message(), places::add);
        } else if (isEscaped(record)) {
            ParsedMessage message = record.message();
            places.add(message.escapedBegin(field()), message.escapedEnd(field()));
        } else if (part.bytes(record) == record.bytes()) {
            places.add(part.begin(record), part.end(record));
        }
    }

    /** True if the part is in the message with escapes, as texts of JSON are. */
    boolean isEscaped(JournalRecord record) {
        return part.messageField() != null && record.message().escapedBegin(field()) >= 0;
    }

    private Field field() {
        return Objects.requireNonNull(part.messageField());
    }

    boolean isWholeMessage() {
        return part == RecordField.RAW && name == null;
    }
}
