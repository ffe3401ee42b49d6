package io.millrace.filter;

import io.millrace.format.LogRecord;
import io.millrace.format.RecordField;
import io.millrace.parse.Extension;

/** A text field, of which a record may have several values. */
interface TextField {
    /** The name in an expression. */
    String key();

    /** True if the test is true for one of the values. */
    boolean any(LogRecord record, TextTest test);

    /** A field of all outputs. */
    static TextField of(RecordField field) {
        return new TextField() {
            @Override
            public String key() {
                return field.key();
            }

            @Override
            public boolean any(LogRecord record, TextTest test) {
                int begin = field.begin(record);
                return begin >= 0 && test.test(field.bytes(record), begin, field.end(record));
            }
        };
    }

    /** A key of a CEF or LEEF extension. */
    static TextField ofExtension(String key, byte[] keyBytes) {
        return new TextField() {
            @Override
            public String key() {
                return key;
            }

            @Override
            public boolean any(LogRecord record, TextTest test) {
                Extension extension = record.extension();
                while (extension.next(keyBytes)) {
                    extension.unescape();
                    if (test.test(extension.plainBytes(), extension.plainBegin(), extension.plainEnd())) {
                        return true;
                    }
                }
                return false;
            }
        };
    }
}
