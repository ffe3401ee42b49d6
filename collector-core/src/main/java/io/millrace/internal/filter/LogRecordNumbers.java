package io.millrace.internal.filter;

import io.millrace.internal.format.FieldText;
import io.millrace.internal.format.JournalRecord;
import io.millrace.journal.DatagramView;

/** Numeric values of fields; 0 for a field that the record does not have, which conditions check first. */
final class LogRecordNumbers {
    private LogRecordNumbers() {}

    static long severity(JournalRecord record) {
        return record.message().severity().code();
    }

    static long facility(JournalRecord record) {
        return record.message().facility().code();
    }

    static long version(JournalRecord record) {
        return record.message().version();
    }

    static long timestamp(JournalRecord record) {
        return FieldText.timestampNs(record);
    }

    static long sourcePort(JournalRecord record) {
        DatagramView datagram = record.datagram();
        return datagram == null ? 0 : datagram.sourcePort();
    }

    static long pid(JournalRecord record) {
        DatagramView datagram = record.datagram();
        return datagram == null ? -1 : datagram.pid();
    }

    static long uid(JournalRecord record) {
        DatagramView datagram = record.datagram();
        return datagram == null ? -1 : datagram.uid();
    }

    static long gid(JournalRecord record) {
        DatagramView datagram = record.datagram();
        return datagram == null ? -1 : datagram.gid();
    }
}
