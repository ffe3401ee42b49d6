package io.millrace.message;

import io.millrace.internal.format.FieldSuggestion;
import io.millrace.internal.format.LocalHost;
import io.millrace.internal.parse.FieldName;
import io.millrace.message.SyslogMessage.Field;
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
}
