package io.millrace.internal.parse;

import io.millrace.internal.fields.FieldTable;
import io.millrace.internal.parse.time.TimeReader;
import java.nio.charset.StandardCharsets;

/**
 * A parsed syslog message: a view of the bytes passed to {@link SyslogParser}, valid as long as they do not change. A
 * field is an offset and a length, and is decoded on request. One thread.
 */
public final class SyslogMessage {
    /** A text field of the message. It is absent if it is missing or RFC 5424's NILVALUE. */
    public enum Field {
        /** The sender's host name according to the message. */
        HOSTNAME,
        /** The application; in RFC 3164 the tag without its process id; Cisco's {@code %FACILITY-SEVERITY-MNEMONIC}. */
        APPNAME,
        /** The process id, or the text in its place. */
        PROCID,
        /** The type of message, RFC 5424 only. */
        MSGID,
        /** The unparsed structured data, RFC 5424 section 6.3; {@link StructuredData} iterates over it. */
        STRUCTURED_DATA,
        /** The text, without a byte order mark and without line feeds and NULs at its end. */
        MESSAGE;

        @SuppressWarnings("EnumOrdinal") // The arrays of offsets have this order.
        private int index() {
            return ordinal();
        }
    }

    /** The value of a missing timestamp. */
    public static final long NO_TIME = TimeReader.NO_TIME;

    private static final int FIELDS = Field.values().length;
    private static final Facility DEFAULT_FACILITY = Facility.USER;
    private static final Severity DEFAULT_SEVERITY = Severity.NOTICE;

    private final int[] begins = new int[FIELDS];
    private final int[] ends = new int[FIELDS];
    private final int[] escapedBegins = new int[FIELDS];
    private final int[] escapedEnds = new int[FIELDS];
    private final FieldReader fields = new FieldReader();

    byte[] bytes = new byte[0];
    Kind kind = Kind.RAW;
    Body body = Body.TEXT;
    int priority;
    int version;
    long timestampNs;
    long sequenceId;
    private boolean facilityMissing;
    private boolean severityMissing;
    private boolean hostnameRemoved;

    /** Creates an empty message for {@link SyslogParser#parse}. */
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
        facilityMissing = false;
        severityMissing = false;
        hostnameRemoved = false;
        fields.reset();
        for (int i = 0; i < FIELDS; i++) {
            begins[i] = -1;
            ends[i] = -1;
            escapedBegins[i] = -1;
        }
    }

    void set(Field field, int begin, int end) {
        begins[field.index()] = begin;
        ends[field.index()] = end;
        setEscaped(field, -1, -1);
    }

    /** Sets where a field is in the payload, if it has escapes and {@link #bytes()} has its decoded text. */
    void setEscaped(Field field, int begin, int end) {
        escapedBegins[field.index()] = begin;
        escapedEnds[field.index()] = end;
    }

    /** Sets a severity without a facility. */
    void setSeverity(int code) {
        priority = (DEFAULT_FACILITY.code() << 3) | code;
        facilityMissing = true;
    }

    /**
     * Replaces a field by another range of {@link #bytes()}. The values in the body stay those of the message as it was.
     *
     * @param begin -1 for no such field
     */
    public void replace(Field field, int begin, int end) {
        if (field == Field.MESSAGE) {
            fields();
        }
        hostnameRemoved = field == Field.HOSTNAME ? begin < 0 : hostnameRemoved;
        set(field, begin, end);
    }

    /** Replaces the facility. */
    public void replace(Facility facility) {
        severityMissing = severityMissing || priority < 0;
        priority = (facility.code() << 3) | severity().code();
        facilityMissing = false;
    }

    /** Replaces the severity. */
    public void replace(Severity severity) {
        facilityMissing = facilityMissing || priority < 0;
        priority = (facility().code() << 3) | severity.code();
        severityMissing = false;
    }

    /**
     * Copies the text fields to other memory, to which their offsets refer from now on.
     *
     * @param memory has room for them after {@code offset}
     * @return where they end
     */
    public int moveTo(byte[] memory, int offset) {
        int end = offset;
        for (int i = 0; i < FIELDS; i++) {
            int length = ends[i] - begins[i];
            if (begins[i] >= 0) {
                System.arraycopy(bytes, begins[i], memory, end, length);
                begins[i] = end;
                end += length;
                ends[i] = end;
            }
        }
        bytes = memory;
        return end;
    }

    /** True if the host name was removed, so that no other one stands for it. */
    public boolean isHostnameRemoved() {
        return hostnameRemoved;
    }

    /** The members of a JSON object, which are the fields from now on; none if it is not valid. */
    FieldTable readJson(int begin, int end) {
        return fields.json(bytes, begin, end);
    }

    /** Reads fields again when something asks for them. */
    void forgetFields() {
        fields.reset();
    }

    void clear(Field field) {
        set(field, -1, -1);
    }

    /** The detected format. */
    public Kind kind() {
        return kind;
    }

    /** The format of the body. */
    public Body body() {
        return body;
    }

    /** The facility; {@code user} if the message has none (RFC 3164 section 4.3.3). */
    public Facility facility() {
        return priority < 0 ? DEFAULT_FACILITY : Facility.of(priority >> 3);
    }

    /** The severity; {@code notice} if the message has none. */
    public Severity severity() {
        return priority < 0 ? DEFAULT_SEVERITY : Severity.of(priority & 7);
    }

    /** True if the message has no facility and severity. */
    public boolean isPriorityMissing() {
        return priority < 0;
    }

    /** True if the message has no severity. */
    public boolean isSeverityMissing() {
        return priority < 0 || severityMissing;
    }

    /** True if the message has no facility. GELF has a severity only. */
    public boolean isFacilityMissing() {
        return priority < 0 || facilityMissing;
    }

    /** RFC 5424's version, which is 1; 0 for other messages. */
    public int version() {
        return version;
    }

    /**
     * The timestamp in ns since the epoch; {@link #NO_TIME} if the message has none. Without a time zone, it is in the
     * parser's. Without a year, it is in the latest year that puts it at most a week after the receive time.
     */
    public long timestampNs() {
        return timestampNs;
    }

    /** The sequence number that the device wrote (Cisco), or -1. */
    public long sequenceId() {
        return sequenceId;
    }

    /** True if the message has this field; it may be empty. */
    public boolean has(Field field) {
        return begins[field.index()] >= 0;
    }

    /** The beginning of a field in {@link #bytes()}; -1 if it is absent. */
    public int begin(Field field) {
        return begins[field.index()];
    }

    /** The end of a field, exclusive; -1 if it is absent. */
    public int end(Field field) {
        return ends[field.index()];
    }

    /** Where a field is in the payload with its escapes; -1 if it is absent, or has none: then it is in {@link #bytes()}. */
    public int escapedBegin(Field field) {
        return escapedBegins[field.index()];
    }

    /** The end of that, exclusive. */
    public int escapedEnd(Field field) {
        return escapedEnds[field.index()];
    }

    /** The values in the body, which are read at the first call; always the same object. */
    public FieldTable fields() {
        return fields.body(this);
    }

    /** The structured data, read at the first call: elements, and their parameters as members; always the same object. */
    public FieldTable structuredData() {
        return fields.structured(this);
    }

    /** The array that the offsets refer to; not a copy. */
    public byte[] bytes() {
        return bytes;
    }

    /** A field as a new string, with U+FFFD for invalid UTF-8; empty if it is absent. */
    public String text(Field field) {
        return has(field) ? new String(bytes, begin(field), end(field) - begin(field), StandardCharsets.UTF_8) : "";
    }
}
