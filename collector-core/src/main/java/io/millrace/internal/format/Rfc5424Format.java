package io.millrace.internal.format;

import io.millrace.internal.parse.ParsedMessage;
import io.millrace.journal.DatagramView;
import io.millrace.message.Kind;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;
import io.millrace.message.SyslogMessage.Field;

/**
 * Formatter of any message as RFC 5424. Missing fields are filled in: the receive time, the source address as the host,
 * facility user and severity notice. Header fields are truncated to the RFC's lengths, and invalid characters become
 * {@code ?}. Control characters in the message become {@code #} and three octal digits, so it stays one line.
 *
 * <p>Cisco's {@code %FACILITY-SEVERITY-MNEMONIC} is the application's name and, unless it is switched off, stands before the text
 * too, where the device has it and programs look for it.
 */
public final class Rfc5424Format implements LineFormat {
    private static final int MAX_HOSTNAME = 255;
    private static final int MAX_APPNAME = 48;
    private static final int MAX_PROCID = 128;
    private static final int MAX_MSGID = 32;

    private final TimeWriter times = new TimeWriter(6);

    private final boolean keepMnemonic;

    /** Creates the format. */
    public Rfc5424Format() {
        this(true);
    }

    /**
     * Creates the format.
     *
     * @param keepMnemonic true if the text of Cisco's messages begins with the mnemonic
     */
    public Rfc5424Format(boolean keepMnemonic) {
        this.keepMnemonic = keepMnemonic;
    }

    @Override
    public void write(LogRecord any, LineBuffer out) {
        JournalRecord record = (JournalRecord) any;
        ParsedMessage message = record.message();
        out.put('<')
                .number(message.facility().code() * 8L + message.severity().code())
                .ascii(">1 ");
        times.write(FieldText.timestampNs(record), out);
        out.put(' ');
        DatagramView datagram = record.datagram();
        if (record.isHostLocal()) {
            out.append(LocalHost.name(), 0, LocalHost.name().length);
        } else if (message.has(Field.HOSTNAME) || datagram == null) {
            token(message, Field.HOSTNAME, MAX_HOSTNAME, out);
        } else {
            out.source(datagram);
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
        if (keepMnemonic && isMnemonic(message)) {
            out.put(' ');
            out.line(message.bytes(), message.begin(Field.APPNAME), message.end(Field.APPNAME));
            out.put(':');
        }
        if (message.has(Field.MESSAGE)) {
            out.put(' ');
            out.line(message.bytes(), message.begin(Field.MESSAGE), message.end(Field.MESSAGE));
        }
        out.put('\n');
    }

    /** True if the application's name is Cisco's mnemonic, which the parser has taken from before the text. */
    private static boolean isMnemonic(ParsedMessage message) {
        int begin = message.begin(Field.APPNAME);
        return message.kind() == Kind.CISCO && begin < message.end(Field.APPNAME) && message.bytes()[begin] == '%';
    }

    private static void token(ParsedMessage message, Field field, int most, LineBuffer out) {
        int begin = message.begin(field);
        int end = Math.min(message.end(field), begin + most);
        if (begin < 0 || begin == end) {
            out.put('-');
            return;
        }
        int o = out.reserve(end - begin);
        byte[] to = out.array();
        for (int i = begin; i < end; i++) {
            byte c = message.bytes()[i];
            to[o++] = c > ' ' && c < 0x7f ? c : (byte) '?';
        }
    }
}
