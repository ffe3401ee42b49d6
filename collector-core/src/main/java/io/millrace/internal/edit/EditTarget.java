package io.millrace.internal.edit;

import io.millrace.internal.format.Field;
import io.millrace.internal.format.JournalRecord;
import io.millrace.internal.parse.FieldName;
import io.millrace.internal.parse.ParsedMessage;
import io.millrace.message.RecordField;
import io.millrace.message.SyslogMessage;
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

    private final Field field;

    private EditTarget(Field field) {
        this.field = field;
    }

    /**
     * The part with a name.
     *
     * @param field null for the whole message
     * @throws IllegalArgumentException if there is no such field, or it is no part of the message
     */
    static EditTarget of(@Nullable String field) {
        Field target = field == null ? new Field.Header(RecordField.RAW) : Field.of(field);
        if (target.header() != null && !PARTS.contains(target.header())) {
            throw new IllegalArgumentException(field + " is no part of the message's text; field accepts " + keys(PARTS)
                    + ", " + FieldName.FORMS.replace(" ", " or "));
        }
        return new EditTarget(target);
    }

    /**
     * One of some parts.
     *
     * @throws IllegalArgumentException if the name is that of none
     */
    static EditTarget of(String field, List<RecordField> parts) {
        Field target = Field.of(field);
        if (target.header() == null || !parts.contains(target.header())) {
            throw new IllegalArgumentException("field accepts " + keys(parts) + ", not " + field);
        }
        return new EditTarget(target);
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
        } else if (field.value() != null) {
            field.value().places(record.message(), places::add);
        } else if (isEscaped(record)) {
            ParsedMessage message = record.message();
            places.add(message.escapedBegin(text()), message.escapedEnd(text()));
        } else if (part().bytes(record) == record.bytes()) {
            places.add(part().begin(record), part().end(record));
        }
    }

    /** True if the part is in the message with escapes, as texts of JSON are. */
    boolean isEscaped(JournalRecord record) {
        return part().messageField() != null && record.message().escapedBegin(text()) >= 0;
    }

    private RecordField part() {
        return field.header() == null ? RecordField.RAW : field.header();
    }

    private SyslogMessage.Field text() {
        return Objects.requireNonNull(part().messageField());
    }

    boolean isWholeMessage() {
        return field.header() == RecordField.RAW;
    }
}
