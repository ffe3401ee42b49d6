package io.millrace.internal.format;

import io.millrace.internal.parse.Body;
import io.millrace.internal.parse.FieldName;
import io.millrace.internal.parse.Kind;
import io.millrace.internal.parse.SyslogMessage;
import io.millrace.internal.parse.SyslogMessage.Field;
import io.millrace.internal.record.DatagramView;
import io.millrace.internal.record.IpText;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The fields of a record, with their names in outputs and filters. */
public enum RecordField {
    /** The timestamp of the message, or else the receive time. */
    TIMESTAMP,
    RECEIVE_TIME,
    /** The keyword, such as {@code authpriv}. */
    FACILITY,
    /** The keyword, such as {@code err}. */
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
    /** The name of the peer in its TLS certificate. */
    TLS_PEER,
    INPUT,
    SHARD,
    SEQUENCE,
    /** The index of the message in its datagram. */
    PART,
    /** The detected format, such as {@code rfc5424}. */
    PARSE,
    /** The format of the body, such as {@code cef}. */
    BODY,
    /** The unchanged payload. */
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

    /** The text field of the message that it is; null if it is another. */
    public @Nullable Field messageField() {
        return field;
    }

    /** The field with a name; null if there is none. */
    public static @Nullable RecordField of(String key) {
        for (RecordField field : values()) {
            if (field.key.equals(key)) {
                return field;
            }
        }
        return null;
    }

    /** All names, for texts. */
    public static String keys() {
        return Arrays.stream(values()).map(RecordField::key).collect(Collectors.joining(" ")) + " " + FieldName.FORMS;
    }

    /** What to say about a name that is none: which one may be meant, and which there are. */
    public static String unknown(String name) {
        return "there is no field " + name + FieldSuggestion.of(name) + "; there are " + keys();
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

    /** The array that contains a text field; not a copy. Undefined for other fields. */
    public byte[] bytes(LogRecord record) {
        return switch (this) {
            case PARSE -> Objects.requireNonNull(KINDS.get(record.message().kind()));
            case BODY -> Objects.requireNonNull(BODIES.get(record.message().body()));
            case INPUT -> record.input();
            case TRANSPORT -> record.transport();
            case TLS_PEER -> record.tlsPeer();
            case HOSTNAME ->
                record.isHostLocal() ? LocalHost.name() : record.message().bytes();
            default -> field == null ? record.bytes() : record.message().bytes();
        };
    }

    /** The beginning of a text field; -1 if it is absent. */
    public int begin(LogRecord record) {
        return switch (this) {
            case PARSE, BODY -> 0;
            case INPUT, TRANSPORT -> record.datagram() == null ? -1 : 0;
            case TLS_PEER -> record.datagram() == null || record.datagram().tlsPeerLength() < 0 ? -1 : 0;
            case HOSTNAME -> record.isHostLocal() ? 0 : record.message().begin(Field.HOSTNAME);
            case RAW -> record.begin();
            default -> field == null ? -1 : record.message().begin(field);
        };
    }

    /** The end of a text field, exclusive. */
    public int end(LogRecord record) {
        return switch (this) {
            case PARSE, BODY, INPUT, TRANSPORT, TLS_PEER -> bytes(record).length;
            case HOSTNAME ->
                record.isHostLocal()
                        ? LocalHost.name().length
                        : record.message().end(Field.HOSTNAME);
            case RAW -> record.end();
            default -> field == null ? -1 : record.message().end(field);
        };
    }

    /**
     * Appends the unescaped value.
     *
     * @return false if the field is absent
     */
    public boolean append(LogRecord record, TimeWriter times, LineBuffer out) {
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

    /** The timestamp of the message, or else the receive time, in ns since the epoch. */
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
