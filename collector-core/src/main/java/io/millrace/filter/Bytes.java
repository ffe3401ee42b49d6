package io.millrace.filter;

import io.millrace.format.LogRecord;
import io.millrace.format.RecordField;
import java.util.Arrays;

/** Questions about the text of a field, asked of its bytes; all are false of a field that is absent. */
final class Bytes {
    private Bytes() {}

    static boolean equal(RecordField field, LogRecord record, byte[] wanted) {
        int begin = field.begin(record);
        return begin >= 0 && Arrays.equals(field.bytes(record), begin, field.end(record), wanted, 0, wanted.length);
    }

    static boolean startsWith(RecordField field, LogRecord record, byte[] wanted) {
        int begin = field.begin(record);
        return begin >= 0 && isAt(field.bytes(record), begin, field.end(record), wanted);
    }

    static boolean endsWith(RecordField field, LogRecord record, byte[] wanted) {
        int end = field.end(record);
        int begin = end - wanted.length;
        return field.begin(record) >= 0
                && begin >= field.begin(record)
                && isAt(field.bytes(record), begin, end, wanted);
    }

    static boolean contains(RecordField field, LogRecord record, byte[] wanted) {
        int begin = field.begin(record);
        if (begin < 0) {
            return false;
        }
        byte[] bytes = field.bytes(record);
        int end = field.end(record);
        for (int i = begin; i + wanted.length <= end; i++) {
            if (isAt(bytes, i, end, wanted)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAt(byte[] bytes, int begin, int end, byte[] wanted) {
        if (end - begin < wanted.length) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            if (bytes[begin + i] != wanted[i]) {
                return false;
            }
        }
        return true;
    }
}
