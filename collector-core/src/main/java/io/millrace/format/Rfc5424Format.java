package io.millrace.format;

import io.millrace.parse.SyslogMessage;
import io.millrace.parse.SyslogMessage.Field;
import io.millrace.record.DatagramView;

/**
 * The message as RFC 5424 has it, whatever it came as. What it does not say is filled in: the receive time, the source
 * address as the host, facility user and severity notice. Header fields are cut to the RFC's lengths, and characters they
 * may not have become {@code ?}; control characters in the message become {@code #} and three octal digits, so that it
 * stays one line.
 */
public final class Rfc5424Format implements LineFormat {
    private static final int MAX_HOSTNAME = 255;
    private static final int MAX_APPNAME = 48;
    private static final int MAX_PROCID = 128;
    private static final int MAX_MSGID = 32;

    private final TimeWriter times = new TimeWriter(6);

    /** Makes the format. */
    public Rfc5424Format() {}

    @Override
    public void write(LogRecord record, LineBuffer out) {
        SyslogMessage message = record.message();
        out.put('<')
                .number(message.facility().code() * 8L + message.severity().code())
                .ascii(">1 ");
        times.write(RecordField.timestampNs(record), out);
        out.put(' ');
        DatagramView datagram = record.datagram();
        if (record.isHostLocal()) {
            out.append(LocalHost.name(), 0, LocalHost.name().length);
        } else if (message.has(Field.HOSTNAME) || datagram == null) {
            token(message, Field.HOSTNAME, MAX_HOSTNAME, out);
        } else {
            RecordField.sourceIp(datagram, out);
        }
        out.put(' ');
        token(message, Field.APPNAME, MAX_APPNAME, out);
        out.put(' ');
        token(message, Field.PROCID, MAX_PROCID, out);
        out.put(' ');
        token(message, Field.MSGID, MAX_MSGID, out);
        out.put(' ');
        if (message.has(Field.STRUCTURED_DATA)) {
            out.line(message.bytes(), message.begin(Field.STRUCTURED_DATA), message.end(Field.STRUCTURED_DATA));
        } else {
            out.put('-');
        }
        if (message.has(Field.MESSAGE)) {
            out.put(' ');
            out.line(message.bytes(), message.begin(Field.MESSAGE), message.end(Field.MESSAGE));
        }
        out.put('\n');
    }

    private static void token(SyslogMessage message, Field field, int most, LineBuffer out) {
        int begin = message.begin(field);
        int end = Math.min(message.end(field), begin + most);
        if (begin < 0 || begin == end) {
            out.put('-');
        }
        for (int i = begin; i < end; i++) {
            byte c = message.bytes()[i];
            out.put(c > ' ' && c < 0x7f ? c : '?');
        }
    }
}
