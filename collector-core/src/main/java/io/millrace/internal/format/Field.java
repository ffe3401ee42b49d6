package io.millrace.internal.format;

import io.millrace.internal.fields.ValuePredicate;
import io.millrace.internal.parse.FieldName;
import io.millrace.message.RecordField;
import org.jspecify.annotations.Nullable;

/** A field that filters, templates and edits name: one of all records, or a value of a message. Immutable. */
public sealed interface Field {
    /**
     * The field with a name.
     *
     * @throws IllegalArgumentException if there is none; the message has the names that there are
     */
    static Field of(String text) {
        FieldName name = FieldName.of(text);
        if (name != null) {
            return new Value(name);
        }
        RecordField header = RecordField.of(text);
        if (header == null) {
            throw new IllegalArgumentException(RecordField.unknown(text));
        }
        return new Header(header);
    }

    /** The name in an expression. */
    String key();

    /** The field, if it is one of all records; null for a value. */
    default @Nullable RecordField header() {
        return null;
    }

    /** The name, if it is a value; null for a field of all records. */
    default @Nullable FieldName value() {
        return null;
    }

    /** True for a value in the structured data. */
    default boolean isStructured() {
        return false;
    }

    /** True if the record has it. */
    boolean isIn(JournalRecord record);

    /** True if the test is true for one of its values as text. */
    boolean any(JournalRecord record, ValuePredicate test);

    /** A field of all records. */
    record Header(RecordField header) implements Field {
        @Override
        public String key() {
            return header.key();
        }

        @Override
        public boolean isIn(JournalRecord record) {
            return header.isIn(record);
        }

        @Override
        public boolean any(JournalRecord record, ValuePredicate test) {
            int begin = header.begin(record);
            return begin >= 0 && test.test(header.bytes(record), begin, header.end(record));
        }
    }

    /** A value in the body or in the structured data, which may be there several times. */
    record Value(FieldName value) implements Field {
        @Override
        public String key() {
            return value.toString();
        }

        @Override
        public boolean isStructured() {
            return value.isStructured();
        }

        @Override
        public boolean isIn(JournalRecord record) {
            return value.isIn(record.message());
        }

        @Override
        public boolean any(JournalRecord record, ValuePredicate test) {
            return value.any(record.message(), test);
        }
    }
}
