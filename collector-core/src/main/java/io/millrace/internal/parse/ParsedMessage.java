package io.millrace.internal.parse;

import io.millrace.internal.fields.FieldTable;
import io.millrace.message.Body;
import io.millrace.message.Facility;
import io.millrace.message.Kind;
import io.millrace.message.Severity;
import io.millrace.message.SyslogMessage;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A parsed syslog message: a view of the bytes passed to {@link SyslogParser}, valid as long as they do not change. A
 * field is an offset and a length, and is decoded on request. One thread.
 */
public final class ParsedMessage implements SyslogMessage {
    /** The value of a missing timestamp. */
    private static final int FIELDS = Field.values().length;

    private static final Facility DEFAULT_FACILITY = Facility.USER;
    private static final Severity DEFAULT_SEVERITY = Severity.NOTICE;

    private final int[] begins = new int[FIELDS];
    private final int[] ends = new int[FIELDS];
    private final int[] escapedBegins = new int[FIELDS];
    private final int[] escapedEnds = new int[FIELDS];
    /** True if a field may have escapes; few messages have. */
    private boolean escaped = true;

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

    @SuppressWarnings("EnumOrdinal") // The arrays of offsets have this order.
    private static int index(Field field) {
        return field.ordinal();
    }

    /** Creates an empty message for {@link SyslogParser#parse}. */
    public ParsedMessage() {
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
        Arrays.fill(begins, -1);
        Arrays.fill(ends, -1);
        if (escaped) {
            Arrays.fill(escapedBegins, -1);
            escaped = false;
        }
    }

    void set(Field field, int begin, int end) {
        begins[index(field)] = begin;
        ends[index(field)] = end;
        if (escaped) {
            setEscaped(field, -1, -1);
        }
    }

    /** Sets where a field is in the payload, if it has escapes and {@link #bytes()} has its decoded text. */
    void setEscaped(Field field, int begin, int end) {
        escapedBegins[index(field)] = begin;
        escapedEnds[index(field)] = end;
        escaped |= begin >= 0;
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

    public void replace(Facility facility) {
        severityMissing = severityMissing || priority < 0;
        priority = (facility.code() << 3) | severity().code();
        facilityMissing = false;
    }

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

    @Override
    public Kind kind() {
        return kind;
    }

    @Override
    public Body body() {
        return body;
    }

    @Override
    public Facility facility() {
        return priority < 0 ? DEFAULT_FACILITY : Facility.of(priority >> 3);
    }

    @Override
    public Severity severity() {
        return priority < 0 ? DEFAULT_SEVERITY : Severity.of(priority & 7);
    }

    @Override
    public boolean isPriorityMissing() {
        return priority < 0;
    }

    @Override
    public boolean isSeverityMissing() {
        return priority < 0 || severityMissing;
    }

    @Override
    public boolean isFacilityMissing() {
        return priority < 0 || facilityMissing;
    }

    @Override
    public int version() {
        return version;
    }

    @Override
    public long timestampNs() {
        return timestampNs;
    }

    @Override
    public long sequenceId() {
        return sequenceId;
    }

    @Override
    public boolean has(Field field) {
        return begins[index(field)] >= 0;
    }

    @Override
    public int begin(Field field) {
        return begins[index(field)];
    }

    @Override
    public int end(Field field) {
        return ends[index(field)];
    }

    /** Where a field is in the payload with its escapes; -1 if it is absent, or has none: then it is in {@link #bytes()}. */
    public int escapedBegin(Field field) {
        return escapedBegins[index(field)];
    }

    /** The end of that, exclusive. */
    public int escapedEnd(Field field) {
        return escapedEnds[index(field)];
    }

    /** The values in the body, which are read at the first call; always the same object. */
    public FieldTable fields() {
        return fields.body(this);
    }

    /** The structured data, read at the first call: elements, and their parameters as members; always the same object. */
    public FieldTable structuredData() {
        return fields.structured(this);
    }

    @Override
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public String text(Field field) {
        return has(field) ? new String(bytes, begin(field), end(field) - begin(field), StandardCharsets.UTF_8) : "";
    }
}
