package io.millrace.internal.format;

import io.millrace.journal.DatagramView;
import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import io.millrace.message.RecordField;
import io.millrace.message.SyslogMessage;
import java.util.Objects;

/** The values of fields as text. */
public final class FieldText {
    private FieldText() {}

    /**
     * Appends the unescaped value of a field.
     *
     * @return false if the field is absent
     */
    public static boolean append(RecordField field, LogRecord record, TimeWriter times, LineBuffer out) {
        DatagramView datagram = record.datagram();
        if (!field.isIn(record)) {
            return false;
        }
        switch (field) {
            case TIMESTAMP -> times.write(timestampNs(record), out);
            case RECEIVE_TIME -> times.write(record.receiveTimeNs(), out);
            case FACILITY -> out.ascii(record.message().facility().keyword());
            case SEVERITY -> out.ascii(record.message().severity().keyword());
            case VERSION -> out.number(record.message().version());
            case SHARD -> out.number(record.shard());
            case SEQUENCE -> out.number(record.sequence());
            case PART -> out.number(record.part());
            case SOURCE_PORT -> out.number(Objects.requireNonNull(datagram).sourcePort());
            case PID -> out.number(Objects.requireNonNull(datagram).pid());
            case UID -> out.number(Objects.requireNonNull(datagram).uid());
            case GID -> out.number(Objects.requireNonNull(datagram).gid());
            case SOURCE_IP -> out.source(Objects.requireNonNull(datagram));
            default -> out.append(field.bytes(record), field.begin(record), field.end(record));
        }
        return true;
    }

    /** The timestamp of the message, or else the receive time, in ns since the epoch. */
    public static long timestampNs(LogRecord record) {
        long timeNs = record.message().timestampNs();
        return timeNs == SyslogMessage.NO_TIME ? record.receiveTimeNs() : timeNs;
    }
}
