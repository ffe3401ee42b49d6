package io.millrace.parse;

import java.nio.charset.StandardCharsets;

/**
 * A syslog message as {@link SyslogParser} understood it: a view of the bytes it was given, valid as long as they do not
 * change. A field is an offset and a length, and is decoded when somebody asks for text. One thread.
 */
public final class SyslogMessage {
    /** A field that is text in the message. Absent: not there, or RFC 5424's NILVALUE. */
    public enum Field {
        /** Who sent it, as the message says. */
        HOSTNAME,
        /** The application; in RFC 3164 the tag without its process id; Cisco's {@code %FACILITY-SEVERITY-MNEMONIC}. */
        APPNAME,
        /** The process id, or what stands in its place. */
        PROCID,
        /** The type of message, RFC 5424 only. */
        MSGID,
        /** The structured data as it came, RFC 5424 section 6.3; {@link StructuredData} walks through it. */
        STRUCTURED_DATA,
        /** What is left: the text for people, without a byte order mark, and without line feeds and NULs at the end. */
        MESSAGE;

        @SuppressWarnings("EnumOrdinal") // Fields lie in arrays in this order.
        private int index() {
            return ordinal();
        }
    }

    /** A time stamp that is none. */
    public static final long NO_TIME = Long.MIN_VALUE;

    private static final int FIELDS = Field.values().length;
    private static final Facility DEFAULT_FACILITY = Facility.USER;
    private static final Severity DEFAULT_SEVERITY = Severity.NOTICE;

    private final int[] begins = new int[FIELDS];
    private final int[] ends = new int[FIELDS];

    byte[] bytes = new byte[0];
    Kind kind = Kind.RAW;
    Body body = Body.TEXT;
    int priority;
    int version;
    long timestampNs;
    long sequenceId;

    /** Makes an empty one, for {@link SyslogParser#parse}. */
    public SyslogMessage() {
        reset(bytes);
    }

    void reset(byte[] memory) {
        bytes = memory;
        kind = Kind.RAW;
        body = Body.TEXT;
        priority = -1;
        version = 0;
        timestampNs = NO_TIME;
        sequenceId = -1;
        for (int i = 0; i < FIELDS; i++) {
            begins[i] = -1;
            ends[i] = -1;
        }
    }

    void set(Field field, int begin, int end) {
        begins[field.index()] = begin;
        ends[field.index()] = end;
    }

    void clear(Field field) {
        set(field, -1, -1);
    }

    /** As what it was understood. */
    public Kind kind() {
        return kind;
    }

    /** What the message part is made of. */
    public Body body() {
        return body;
    }

    /** Which part of the system speaks; {@code user} if the message does not say (RFC 3164 section 4.3.3). */
    public Facility facility() {
        return priority < 0 ? DEFAULT_FACILITY : Facility.of(priority >> 3);
    }

    /** How bad it is; {@code notice} if the message does not say. */
    public Severity severity() {
        return priority < 0 ? DEFAULT_SEVERITY : Severity.of(priority & 7);
    }

    /** True if the message names no facility and severity. */
    public boolean isPriorityMissing() {
        return priority < 0;
    }

    /** RFC 5424's version, which is 1; 0 for all else. */
    public int version() {
        return version;
    }

    /**
     * When the message says it was made, in ns since the epoch; {@link #NO_TIME} if it does not. Where it names no zone,
     * the parser's is meant; where no year, the latest that puts it no more than a week after the receive time.
     */
    public long timestampNs() {
        return timestampNs;
    }

    /** The number a device gives its messages (Cisco's sequence numbers), or -1. */
    public long sequenceId() {
        return sequenceId;
    }

    /** True if the message has this field; it may be empty. */
    public boolean has(Field field) {
        return begins[field.index()] >= 0;
    }

    /** Where a field begins in {@link #bytes()}; -1 if it is absent. */
    public int begin(Field field) {
        return begins[field.index()];
    }

    /** Where a field ends, exclusively; -1 if it is absent. */
    public int end(Field field) {
        return ends[field.index()];
    }

    /** The bytes the offsets are about; not a copy. */
    public byte[] bytes() {
        return bytes;
    }

    /** A field as text, with U+FFFD for what is not UTF-8, as a new object; empty if it is absent. */
    public String text(Field field) {
        return has(field) ? new String(bytes, begin(field), end(field) - begin(field), StandardCharsets.UTF_8) : "";
    }
}
