package io.millrace.internal.filter;

import io.millrace.internal.fields.ValuePredicate;
import io.millrace.internal.format.LogRecord;
import io.millrace.internal.format.RecordField;
import io.millrace.internal.parse.FieldName;

/** A text field, of which a record may have several values. */
interface TextField {
    /** The name in an expression. */
    String key();

    /** True if the record has it. */
    boolean isIn(LogRecord record);

    /** True if the test is true for one of the values. */
    boolean any(LogRecord record, ValuePredicate test);

    /** A field of all records. */
    static TextField of(RecordField field) {
        return new TextField() {
            @Override
            public String key() {
                return field.key();
            }

            @Override
            public boolean isIn(LogRecord record) {
                return field.isIn(record);
            }

            @Override
            public boolean any(LogRecord record, ValuePredicate test) {
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
            public boolean isIn(LogRecord record) {
                return name.isIn(record.message());
            }

            @Override
            public boolean any(LogRecord record, ValuePredicate test) {
                return name.any(record.message(), test);
            }
        };
    }
}
