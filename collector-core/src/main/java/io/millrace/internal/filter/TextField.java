package io.millrace.internal.filter;

import io.millrace.internal.fields.ValuePredicate;
import io.millrace.internal.format.JournalRecord;
import io.millrace.internal.parse.FieldName;
import io.millrace.message.RecordField;

/** A text field, of which a record may have several values. */
interface TextField {
    /** The name in an expression. */
    String key();

    boolean isIn(JournalRecord record);

    boolean any(JournalRecord record, ValuePredicate test);

    /** A field of all records. */
    static TextField of(RecordField field) {
        return new TextField() {
            @Override
            public String key() {
                return field.key();
            }

            @Override
            public boolean isIn(JournalRecord record) {
                return field.isIn(record);
            }

            @Override
            public boolean any(JournalRecord record, ValuePredicate test) {
                int begin = field.begin(record);
                return begin >= 0 && test.test(field.bytes(record), begin, field.end(record));
            }
        };
    }

    /** A value in the body or in the structured data. */
    static TextField of(FieldName name) {
        return new TextField() {
            @Override
            public String key() {
                return name.toString();
            }

            @Override
            public boolean isIn(JournalRecord record) {
                return name.isIn(record.message());
            }

            @Override
            public boolean any(JournalRecord record, ValuePredicate test) {
                return name.any(record.message(), test);
            }
        };
    }
}
