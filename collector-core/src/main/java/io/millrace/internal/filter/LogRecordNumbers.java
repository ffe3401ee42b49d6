package io.millrace.internal.filter;

import io.millrace.internal.format.LogRecord;
import io.millrace.internal.format.RecordField;
import io.millrace.internal.record.DatagramView;

/** Numeric values of fields; 0 for a field that the record does not have, which conditions check first. */
final class LogRecordNumbers {
    private LogRecordNumbers() {}

    static long severity(LogRecord record) {
        return record.message().severity().code();
    }

    static long facility(LogRecord record) {
        return record.message().facility().code();
    }

    static long version(LogRecord record) {
        return record.message().version();
    }

    static long timestamp(LogRecord record) {
        return RecordField.timestampNs(record);
    }

    static long sourcePort(LogRecord record) {
        DatagramView datagram = record.datagram();
        return datagram == null ? 0 : datagram.sourcePort();
    }

    static long pid(LogRecord record) {
        DatagramView datagram = record.datagram();
        return datagram == null ? -1 : datagram.pid();
    }

    static long uid(LogRecord record) {
        DatagramView datagram = record.datagram();
        return datagram == null ? -1 : datagram.uid();
    }

    static long gid(LogRecord record) {
        DatagramView datagram = record.datagram();
        return datagram == null ? -1 : datagram.gid();
    }
}
