package io.millrace.filter;

import io.millrace.format.LogRecord;
import io.millrace.format.RecordField;
import io.millrace.parse.Extension;

/** A field of text, of which a record may have several values. */
interface TextField {
    /** Its name in an expression. */
    String key();

    /** True if the test is true of one of the values. */
    boolean any(LogRecord record, TextTest test);

    /** A field that all outputs know. */
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

    /** A key of the extension of CEF or LEEF. */
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
