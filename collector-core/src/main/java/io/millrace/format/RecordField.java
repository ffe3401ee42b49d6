package io.millrace.format;

import io.millrace.parse.Body;
import io.millrace.parse.Kind;
import io.millrace.parse.SyslogMessage;
import io.millrace.parse.SyslogMessage.Field;
import io.millrace.record.DatagramView;
import io.millrace.record.IpText;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The fields of a record by the names they have in every output and in filters. */
public enum RecordField {
    /** When it was made, as the message says; else when it was received. */
    TIMESTAMP,
    RECEIVE_TIME,
    /** By keyword: {@code authpriv}. */
    FACILITY,
    /** By keyword: {@code err}. */
    SEVERITY,
    VERSION,
    HOSTNAME(Field.HOSTNAME),
    APPNAME(Field.APPNAME),
    PROCID(Field.PROCID),
    MSGID(Field.MSGID),
    STRUCTURED_DATA(Field.STRUCTURED_DATA),
    MESSAGE(Field.MESSAGE),
    SOURCE_IP,
    SOURCE_PORT,
    /** How it came in: {@code tcp}. */
    TRANSPORT,
    /** The process that sent it by a Unix socket, as the kernel says. */
    PID,
    /** Its user. */
    UID,
    /** Its group. */
    GID,
    INPUT,
    SHARD,
    SEQUENCE,
    /** Which of several messages of its datagram it is. */
    PART,
    /** As what the message was understood: {@code rfc5424}. */
    PARSE,
    /** What the message is made of: {@code cef}. */
    BODY,
    /** The payload as it came. */
    RAW;

    private static final Map<Kind, byte[]> KINDS = new EnumMap<>(Kind.class);
    private static final Map<Body, byte[]> BODIES = new EnumMap<>(Body.class);

    static {
        for (Kind kind : Kind.values()) {
            KINDS.put(kind, LineBuffer.bytes(kind.code()));
        }
        for (Body body : Body.values()) {
            BODIES.put(body, LineBuffer.bytes(body.code()));
        }
    }

    private final String key = name().toLowerCase(Locale.ROOT);
    private final @Nullable Field field;

    RecordField() {
        this(null);
    }

    RecordField(@Nullable Field field) {
        this.field = field;
    }

    /** The name in outputs and filters. */
    public String key() {
        return key;
    }

    /** By its name; null if there is no such field. */
    public static @Nullable RecordField of(String key) {
        for (RecordField field : values()) {
            if (field.key.equals(key)) {
                return field;
            }
        }
        return null;
    }

    /** True if the record has the field. */
    public boolean isIn(LogRecord record) {
        return switch (this) {
            case TIMESTAMP, RECEIVE_TIME, FACILITY, SEVERITY -> true;
            case VERSION -> record.message().version() > 0;
            case SHARD, SEQUENCE, TRANSPORT -> record.datagram() != null;
            case SOURCE_IP, SOURCE_PORT -> record.datagram() != null && !record.isLocal();
            case PID, UID, GID -> record.datagram() != null && record.datagram().hasCredentials();
            case PART -> record.isPart();
            default -> begin(record) >= 0;
        };
    }

    /** The memory in which a field of text is; not a copy. Meaningless for the others. */
    public byte[] bytes(LogRecord record) {
        return switch (this) {
            case PARSE -> Objects.requireNonNull(KINDS.get(record.message().kind()));
            case BODY -> Objects.requireNonNull(BODIES.get(record.message().body()));
            case INPUT -> record.input();
            case TRANSPORT -> record.transport();
            case HOSTNAME -> record.isHostLocal() ? LocalHost.name() : record.bytes();
            default -> record.bytes();
        };
    }

    /** Where a field of text begins there; -1 if the record does not have it. */
    public int begin(LogRecord record) {
        return switch (this) {
            case PARSE, BODY -> 0;
            case INPUT, TRANSPORT -> record.datagram() == null ? -1 : 0;
            case HOSTNAME -> record.isHostLocal() ? 0 : record.message().begin(Field.HOSTNAME);
            case RAW -> record.begin();
            default -> field == null ? -1 : record.message().begin(field);
        };
    }

    /** Where it ends, exclusively. */
    public int end(LogRecord record) {
        return switch (this) {
            case PARSE, BODY, INPUT, TRANSPORT -> bytes(record).length;
            case HOSTNAME ->
                record.isHostLocal()
                        ? LocalHost.name().length
                        : record.message().end(Field.HOSTNAME);
            case RAW -> record.end();
            default -> field == null ? -1 : record.message().end(field);
        };
    }

    /**
     * Appends the value as it is, nothing escaped.
     *
     * @return false if the record does not have it
     */
    boolean append(LogRecord record, TimeWriter times, LineBuffer out) {
        DatagramView datagram = record.datagram();
        if (!isIn(record)) {
            return false;
        }
        switch (this) {
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
            case SOURCE_IP -> sourceIp(Objects.requireNonNull(datagram), out);
            default -> out.append(bytes(record), begin(record), end(record));
        }
        return true;
    }

    /** When the message was made, or else received, in ns since the epoch. */
    public static long timestampNs(LogRecord record) {
        long timeNs = record.message().timestampNs();
        return timeNs == SyslogMessage.NO_TIME ? record.receiveTimeNs() : timeNs;
    }

    /** Appends the source address as text; of a local source {@code local}. */
    public static void sourceIp(DatagramView datagram, LineBuffer out) {
        if (datagram.isLocal()) {
            out.ascii(datagram.sourceText());
            return;
        }
        if (datagram.isIpv6()) {
            out.ascii(IpText.of(datagram.sourceAddress()));
            return;
        }
        int address = datagram.sourceIpv4();
        for (int shift = 24; shift >= 0; shift -= 8) {
            out.number(address >>> shift & 0xff);
            if (shift > 0) {
                out.put('.');
            }
        }
    }
}
