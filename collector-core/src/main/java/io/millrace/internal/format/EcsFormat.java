package io.millrace.internal.format;

import io.millrace.internal.parse.ParsedMessage;
import io.millrace.internal.text.IpText;
import io.millrace.journal.DatagramView;
import io.millrace.journal.FrameTransport;
import io.millrace.message.Body;
import io.millrace.message.Facility;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;
import io.millrace.message.Severity;
import io.millrace.message.SyslogMessage;
import io.millrace.message.SyslogMessage.Field;

/**
 * Formatter of documents in the Elastic Common Schema, one JSON object per line, with the names of the
 * <a href="https://www.elastic.co/docs/reference/ecs/ecs-field-reference">field reference</a>. What it has no name for is in the object
 * {@code millrace}. Absent fields are omitted, except for the time, facility and severity: these have defaults, which {@code millrace.defaulted} lists.
 */
public final class EcsFormat implements LineFormat {
    /** The version of the schema. */
    private static final String VERSION = "8.17.0";

    /** The most digits of a process id: longer ones are other numbers. */
    private static final int MAX_PID_DIGITS = 10;

    private static final int SEVERITIES = Severity.values().length;

    /** From the level to the severity, by priority. */
    private static final byte[][] PRIORITIES = new byte[Facility.values().length * SEVERITIES][];

    static {
        for (Facility facility : Facility.values()) {
            for (Severity severity : Severity.values()) {
                int priority = facility.code() * SEVERITIES + severity.code();
                PRIORITIES[priority] =
                        LineBuffer.bytes("\"syslog\":{\"priority\":" + priority + ",\"facility\":{\"code\":"
                                + facility.code() + ",\"name\":\"" + facility.keyword() + "\"},\"severity\":{\"code\":"
                                + severity.code() + ",\"name\":\"" + severity.keyword() + "\"}");
            }
        }
    }

    private static final Literal TIMESTAMP = new Literal("{\"@timestamp\":\"");
    private static final Literal CREATED = new Literal("\",\"event\":{\"created\":\"");
    private static final Literal MESSAGE = new Literal(",\"message\":");
    private static final Literal HOST = new Literal(",\"host\":{\"hostname\":");
    private static final Literal END = new Literal("},\"ecs\":{\"version\":\"" + VERSION + "\"}");

    private final TimeWriter timestamps = new TimeWriter();
    private final TimeWriter receiveTimes = new TimeWriter();
    private final StructuredDataJson structuredData = new StructuredDataJson();
    private final FieldsJson fields = new FieldsJson();
    private final boolean originalKept;
    private final byte[] fieldsKey;

    /** Creates the format without the bytes as they came, and with the fields of bodies, if they are written, in the object {@code fields}. */
    public EcsFormat() {
        this(false, "fields");
    }

    private EcsFormat(boolean originalKept, String fieldsName) {
        this.originalKept = originalKept;
        LineBuffer key = new LineBuffer();
        byte[] name = LineBuffer.utf8(fieldsName);
        key.put(',');
        JsonFormat.string(name, 0, name.length, key);
        key.put(':');
        this.fieldsKey = LineBuffer.utf8(key.toString());
    }

    /**
     * The format with options.
     *
     * @param original true if {@code event.original} has the message as it came
     * @param fieldsName the name of the object with the fields of the body
     */
    public EcsFormat with(boolean original, String fieldsName) {
        return new EcsFormat(original, fieldsName);
    }

    @Override
    public boolean isJson() {
        return true;
    }

    @Override
    public boolean writesBytes() {
        return originalKept;
    }

    @Override
    public void write(LogRecord any, LineBuffer out) {
        JournalRecord record = (JournalRecord) any;
        ParsedMessage message = record.message();
        TIMESTAMP.write(out);
        timestamps.write(FieldText.timestampNs(record), out);
        CREATED.write(out);
        receiveTimes.write(record.receiveTimeNs(), out);
        out.put('"');
        if (record.datagram() != null) {
            out.ascii(",\"sequence\":").number(record.sequence());
        }
        if (originalKept) {
            out.ascii(",\"original\":");
            JsonFormat.string(record.bytes(), record.begin(), record.end(), out);
        }
        out.put('}');
        JsonFormat.field(MESSAGE, Field.MESSAGE, message, out);
        host(record, message, out);
        process(message, out);
        log(record, message, out);
        own(record, message, out);
        END.write(out);
        if (record.areFieldsWritten()) {
            fields.write(fieldsKey, message.fields(), false, out);
        }
        out.ascii("}\n");
    }

    private static void host(JournalRecord record, ParsedMessage message, LineBuffer out) {
        if (record.isHostLocal()) {
            HOST.write(out);
            JsonFormat.string(LocalHost.name(), 0, LocalHost.name().length, out);
            out.put('}');
        } else if (message.has(Field.HOSTNAME)) {
            JsonFormat.field(HOST, Field.HOSTNAME, message, out);
            out.put('}');
        }
    }

    private static void process(ParsedMessage message, LineBuffer out) {
        boolean named = message.has(Field.APPNAME);
        boolean numbered = isNumber(message.bytes(), message.begin(Field.PROCID), message.end(Field.PROCID));
        if (named || numbered) {
            out.ascii(",\"process\":{");
            if (named) {
                out.ascii("\"name\":");
                JsonFormat.string(message.bytes(), message.begin(Field.APPNAME), message.end(Field.APPNAME), out);
            }
            if (numbered) {
                out.ascii(named ? ",\"pid\":" : "\"pid\":");
                out.append(message.bytes(), message.begin(Field.PROCID), message.end(Field.PROCID));
            }
            out.put('}');
        }
    }

    /** True if it is a number as JSON has it: without leading zeros. */
    private static boolean isNumber(byte[] b, int begin, int end) {
        if (begin < 0 || end - begin < 1 || end - begin > MAX_PID_DIGITS || (b[begin] == '0' && end - begin > 1)) {
            return false;
        }
        for (int i = begin; i < end; i++) {
            if (b[i] < '0' || b[i] > '9') {
                return false;
            }
        }
        return true;
    }

    private void log(JournalRecord record, ParsedMessage message, LineBuffer out) {
        out.ascii(",\"log\":{\"level\":\"").ascii(message.severity().keyword()).ascii("\",");
        DatagramView datagram = record.datagram();
        if (datagram != null && !datagram.isLocal()) {
            out.ascii("\"source\":{\"address\":\"");
            if (datagram.isIpv6()) {
                out.put('[').ascii(IpText.of(datagram.sourceAddress())).put(']');
            } else {
                out.source(datagram);
            }
            out.put(':').number(datagram.sourcePort()).ascii("\"},");
        }
        out.append(PRIORITIES[
                message.facility().code() * SEVERITIES + message.severity().code()]);
        if (message.version() > 0) {
            out.ascii(",\"version\":\"").number(message.version()).put('"');
        }
        text("hostname", Field.HOSTNAME, message, out);
        text("appname", Field.APPNAME, message, out);
        text("procid", Field.PROCID, message, out);
        text("msgid", Field.MSGID, message, out);
        if (message.has(Field.STRUCTURED_DATA)) {
            out.ascii(",\"structured_data\":");
            structuredData.write(message, false, out);
        }
        out.ascii("}}");
    }

    private static void text(String name, Field field, ParsedMessage message, LineBuffer out) {
        if (message.has(field)) {
            out.ascii(",\"").ascii(name).ascii("\":");
            JsonFormat.string(message.bytes(), message.begin(field), message.end(field), out);
        }
    }

    /** What the schema has no name for. */
    private static void own(JournalRecord record, ParsedMessage message, LineBuffer out) {
        out.ascii(",\"millrace\":{\"parse\":\"").ascii(message.kind().code()).put('"');
        if (message.body() != Body.TEXT) {
            out.ascii(",\"body\":\"").ascii(message.body().code()).put('"');
        }
        boolean timed = message.timestampNs() != SyslogMessage.NO_TIME;
        if (!timed || message.isFacilityMissing() || message.isSeverityMissing()) {
            out.ascii(",\"defaulted\":");
            JsonFormat.defaulted(timed, message, out);
        }
        if (message.sequenceId() >= 0) {
            out.ascii(",\"sequence_id\":").number(message.sequenceId());
        }
        DatagramView datagram = record.datagram();
        if (datagram != null) {
            out.ascii(",\"input\":");
            JsonFormat.string(record.input(), 0, record.input().length, out);
            out.ascii(",\"shard\":").number(record.shard());
            if (record.isPart()) {
                out.ascii(",\"part\":").number(record.part());
            }
            if (datagram.transport() != FrameTransport.UDP) {
                out.ascii(",\"transport\":\"").append(record.transport()).put('"');
            }
            if (datagram.hasCredentials()) {
                out.ascii(",\"pid\":").number(datagram.pid());
                out.ascii(",\"uid\":").number(datagram.uid());
                out.ascii(",\"gid\":").number(datagram.gid());
            }
            if (datagram.tlsPeerLength() >= 0) {
                out.ascii(",\"tls_peer\":");
                JsonFormat.string(record.tlsPeer(), 0, record.tlsPeer().length, out);
            }
        }
        if (record.unexpanded() != null) {
            out.ascii(",\"unexpanded\":\"").ascii(record.unexpanded()).put('"');
        }
        out.ascii(record.isTruncated() ? ",\"truncated\":true" : "");
        out.ascii(record.isIncomplete() ? ",\"incomplete\":true" : "");
    }
}
