package io.millrace.internal.format;

import io.millrace.internal.charset.AsciiWord;
import io.millrace.internal.charset.Utf8;
import io.millrace.internal.parse.ParsedMessage;
import io.millrace.journal.DatagramView;
import io.millrace.journal.FrameTransport;
import io.millrace.message.Body;
import io.millrace.message.Facility;
import io.millrace.message.Kind;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;
import io.millrace.message.Severity;
import io.millrace.message.SyslogMessage;
import io.millrace.message.SyslogMessage.Field;
import org.jspecify.annotations.Nullable;

/**
 * Formatter of one JSON object per line (RFC 8259), with the usual names of syslog: {@code timestamp receive_time
 * facility severity version hostname appname procid msgid structured_data message body fields sequence_id defaulted
 * source_ip source_port transport pid uid gid tls_peer input shard sequence part parse unexpanded truncated incomplete}. Absent fields are
 * omitted, except for timestamp,
 * facility and severity: these have defaults, which {@code defaulted} lists. Invalid UTF-8 becomes U+FFFD, so the line
 * is always valid JSON.
 */
public final class JsonFormat implements LineFormat {
    private static final byte[] HEX = LineBuffer.bytes("0123456789abcdef");
    private static final int SEVERITIES = Severity.values().length;

    /** From the end of the receive time to the severity, by priority. */
    private static final Literal[] PRIORITIES = new Literal[Facility.values().length * SEVERITIES];

    private static final Literal[] PARSES = new Literal[Kind.values().length];

    /** The maximum number of bytes that one byte becomes in JSON. */
    private static final int GROWTH = 6;

    static {
        for (Facility facility : Facility.values()) {
            for (Severity severity : Severity.values()) {
                PRIORITIES[priority(facility, severity)] = new Literal(
                        "\",\"facility\":\"" + facility.keyword() + "\",\"severity\":\"" + severity.keyword() + "\"");
            }
        }
        for (Kind kind : Kind.values()) {
            PARSES[index(kind)] = new Literal(",\"parse\":\"" + kind.code() + "\"");
        }
    }

    private static final Literal TIMESTAMP = new Literal("{\"timestamp\":\"");
    private static final Literal RECEIVE_TIME = new Literal("\",\"receive_time\":\"");
    private static final Literal VERSION = new Literal(",\"version\":");
    private static final Literal HOSTNAME = new Literal(",\"hostname\":");
    private static final Literal APPNAME = new Literal(",\"appname\":");
    private static final Literal PROCID = new Literal(",\"procid\":");
    private static final Literal MSGID = new Literal(",\"msgid\":");
    private static final Literal MESSAGE = new Literal(",\"message\":");
    private static final byte[] FIELDS = LineBuffer.bytes(",\"fields\":");
    private static final Literal SOURCE_IP = new Literal(",\"source_ip\":\"");
    private static final Literal SOURCE_PORT = new Literal("\",\"source_port\":");
    private static final Literal INPUT = new Literal(",\"input\":");
    private static final Literal SHARD = new Literal(",\"shard\":");
    private static final Literal SEQUENCE = new Literal(",\"sequence\":");
    private static final Literal INCOMPLETE = new Literal(",\"incomplete\":true}\n");
    private static final Literal END = new Literal("}\n");

    private final TimeWriter timestamps = new TimeWriter();
    private final TimeWriter receiveTimes = new TimeWriter();
    private final StructuredDataJson structuredData = new StructuredDataJson();
    private final FieldsJson fields = new FieldsJson();

    /** The last source without attributes and without an IPv6 address, as JSON, and what it was made of. */
    private final LineBuffer lastSource = new LineBuffer();

    private int lastAddress;
    private int lastPort;
    private int lastShard;
    private FrameTransport lastTransport = FrameTransport.OTHER;
    private byte @Nullable [] lastInput;

    private final boolean flat;

    /** Creates the format in which structured data and fields are objects with the keys of the sender. */
    public JsonFormat() {
        this(false);
    }

    private JsonFormat(boolean flat) {
        this.flat = flat;
    }

    /**
     * Creates the format in which structured data and fields are lists of <code>{"id":…,"name":…,"value":…}</code>.
     * So senders cannot create keys, for which a destination may need a mapping.
     */
    public static JsonFormat flat() {
        return new JsonFormat(true);
    }

    @Override
    public boolean isJson() {
        return true;
    }

    @Override
    public void write(LogRecord any, LineBuffer out) {
        JournalRecord record = (JournalRecord) any;
        ParsedMessage message = record.message();
        boolean timed = message.timestampNs() != SyslogMessage.NO_TIME;
        TIMESTAMP.write(out);
        timestamps.write(FieldText.timestampNs(record), out);
        RECEIVE_TIME.write(out);
        receiveTimes.write(record.receiveTimeNs(), out);
        PRIORITIES[priority(message.facility(), message.severity())].write(out);
        if (message.version() > 0) {
            VERSION.write(out);
            out.number(message.version());
        }
        if (record.isHostLocal()) {
            HOSTNAME.write(out);
            string(LocalHost.name(), 0, LocalHost.name().length, out);
        } else {
            field(HOSTNAME, Field.HOSTNAME, message, out);
        }
        field(APPNAME, Field.APPNAME, message, out);
        field(PROCID, Field.PROCID, message, out);
        field(MSGID, Field.MSGID, message, out);
        if (message.has(Field.STRUCTURED_DATA)) {
            out.ascii(",\"structured_data\":");
            structuredData.write(message, flat, out);
        }
        field(MESSAGE, Field.MESSAGE, message, out);
        if (message.body() != Body.TEXT) {
            out.ascii(",\"body\":\"").ascii(message.body().code()).put('"');
        }
        if (record.areFieldsWritten()) {
            fields.write(FIELDS, message.fields(), flat, out);
        }
        if (message.sequenceId() >= 0) {
            out.ascii(",\"sequence_id\":").number(message.sequenceId());
        }
        if (!timed || message.isFacilityMissing() || message.isSeverityMissing()) {
            out.ascii(",\"defaulted\":");
            defaulted(timed, message, out);
        }
        source(record, out);
        PARSES[index(message.kind())].write(out);
        if (record.unexpanded() != null) {
            out.ascii(",\"unexpanded\":\"").ascii(record.unexpanded()).put('"');
        }
        if (record.isTruncated()) {
            out.ascii(",\"truncated\":true");
        }
        (record.isIncomplete() ? INCOMPLETE : END).write(out);
    }

    /** An EnumMap checks the class of the key each time, which takes longer than the copy of the text. */
    @SuppressWarnings("EnumOrdinal")
    private static int index(Kind kind) {
        return kind.ordinal();
    }

    private static int priority(Facility facility, Severity severity) {
        return facility.code() * SEVERITIES + severity.code();
    }

    static void defaulted(boolean timed, ParsedMessage message, LineBuffer out) {
        int begin = out.length();
        out.ascii(timed ? "" : ",\"timestamp\"");
        out.ascii(message.isFacilityMissing() ? ",\"facility\"" : "");
        out.ascii(message.isSeverityMissing() ? ",\"severity\"" : "");
        out.put(']');
        out.array()[begin] = '[';
    }

    static void field(Literal key, Field field, ParsedMessage message, LineBuffer out) {
        if (message.has(field)) {
            key.write(out);
            string(message.bytes(), message.begin(field), message.end(field), out);
        }
    }

    private void source(JournalRecord record, LineBuffer out) {
        DatagramView datagram = record.datagram();
        if (datagram == null) {
            return;
        }
        if (!datagram.isIpv6() && !datagram.hasCredentials() && datagram.tlsPeerLength() < 0) {
            sourceWithoutAttributes(record, datagram, out);
        } else {
            anySource(record, datagram, out);
        }
        out.number(record.sequence());
        if (record.isPart()) {
            out.ascii(",\"part\":").number(record.part());
        }
    }

    /** Datagrams of one source often come one after the other. */
    @SuppressWarnings("ReferenceEquality") // The array is the same as long as the input is.
    private void sourceWithoutAttributes(JournalRecord record, DatagramView datagram, LineBuffer out) {
        int address = datagram.sourceIpv4();
        int port = datagram.sourcePort();
        FrameTransport transport = datagram.transport();
        if (address != lastAddress
                || port != lastPort
                || transport != lastTransport
                || record.shard() != lastShard
                || record.input() != lastInput) {
            lastAddress = address;
            lastPort = port;
            lastShard = record.shard();
            lastTransport = transport;
            lastInput = record.input();
            lastSource.clear();
            anySource(record, datagram, lastSource);
        }
        out.append(lastSource.array(), 0, lastSource.length());
    }

    /** From the address to the key of the sequence. */
    private static void anySource(LogRecord record, DatagramView datagram, LineBuffer out) {
        if (!datagram.isLocal()) {
            SOURCE_IP.write(out);
            out.source(datagram);
            SOURCE_PORT.write(out);
            out.number(datagram.sourcePort());
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
            byte[] peer = record.tlsPeer();
            out.ascii(",\"tls_peer\":");
            string(peer, 0, peer.length, out);
        }
        INPUT.write(out);
        string(record.input(), 0, record.input().length, out);
        SHARD.write(out);
        out.number(record.shard());
        SEQUENCE.write(out);
    }

    /** Writes bytes as a JSON string; invalid UTF-8 becomes U+FFFD. */
    public static void string(byte[] b, int begin, int end, LineBuffer out) {
        int o = out.reserve(GROWTH * (end - begin) + 2 + Long.BYTES);
        byte[] to = out.array();
        to[o++] = '"';
        int i = begin;
        while (true) {
            int plainEnd = AsciiWord.copyPrintable(b, i, end, to, o, true);
            o += plainEnd - i;
            i = plainEnd;
            if (i == end) {
                break;
            }
            if (b[i] >= 0) {
                o = escape(b[i++], to, o);
            } else {
                int length = Utf8.sequence(b, i, end);
                o = character(b, i, length, to, o);
                i += Math.abs(length);
            }
        }
        to[o++] = '"';
        out.end(o);
    }

    /**
     * Writes a character of several bytes; returns where it ends.
     *
     * @param length the result of {@link Utf8#sequence}
     */
    private static int character(byte[] b, int i, int length, byte[] to, int o) {
        if (length == 2 && b[i] == (byte) 0xc2 && b[i + 1] < (byte) 0xa0) {
            // C1 control characters, which terminals interpret as commands.
            return unicode(b[i + 1] & 0xff, to, o);
        }
        if (length < 0) {
            System.arraycopy(Utf8.replacement(), 0, to, o, Utf8.replacement().length);
            return o + Utf8.replacement().length;
        }
        for (int k = 0; k < length; k++) {
            to[o + k] = b[i + k];
        }
        return o + length;
    }

    private static int escape(byte c, byte[] to, int offset) {
        int o = offset;
        if (c < ' ' || c == 0x7f) {
            return unicode(c, to, o);
        }
        to[o++] = '\\';
        to[o++] = c;
        return o;
    }

    private static int unicode(int c, byte[] to, int o) {
        to[o] = '\\';
        to[o + 1] = 'u';
        to[o + 2] = '0';
        to[o + 3] = '0';
        to[o + 4] = HEX[c >> 4];
        to[o + 5] = HEX[c & 15];
        return o + 6;
    }
}
