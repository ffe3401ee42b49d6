package io.millrace.app.sink;

import io.millrace.app.sink.SyslogSinkSettings.Format;
import io.millrace.app.sink.SyslogSinkSettings.Framing;
import io.millrace.app.sink.SyslogSinkSettings.Transport;
import io.millrace.format.LineBuffer;
import io.millrace.format.LogRecord;
import io.millrace.format.Rfc5424Format;
import java.nio.charset.StandardCharsets;

/** Writes a record as it goes over the wire, framed. One thread. */
final class SyslogEncoder {
    /** The longest payload over IPv4. */
    private static final int MOST_DATAGRAM_BYTES = 65_507;

    /** Spaces before the structured data: after priority and version, time, host, application, process and message id. */
    private static final int SPACES_BEFORE_DATA = 6;

    private static final byte[] LINE_FEED = {'\n'};
    private static final byte[] NO_LINE_FEED = ascii("#012");

    private final SyslogSinkSettings settings;
    private final Rfc5424Format rfc5424 = new Rfc5424Format();
    private final SourceElement source = new SourceElement();
    private final LineBuffer formatted = new LineBuffer();
    private final LineBuffer message = new LineBuffer();

    SyslogEncoder(SyslogSinkSettings settings) {
        this.settings = settings;
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Appends the message with its frame.
     *
     * @throws IllegalArgumentException if it cannot be sent like this
     */
    void write(LogRecord record, LineBuffer out) {
        message.clear();
        if (settings.format() == Format.RAW) {
            message.append(record.bytes(), record.begin(), record.end());
        } else {
            format(record);
        }
        byte[] b = message.array();
        int length = message.length();
        if (settings.transport() == Transport.UDP) {
            if (length > MOST_DATAGRAM_BYTES) {
                throw new IllegalArgumentException("a message of " + length
                        + " bytes is longer than a datagram can be, " + MOST_DATAGRAM_BYTES + " bytes");
            }
            out.append(b, 0, length);
        } else if (length == 0) {
            throw new IllegalArgumentException("the payload is empty, and a stream has no empty messages");
        } else if (settings.framing() == Framing.OCTET_COUNTING) {
            byte[] count = ascii(length + " ");
            out.append(count, 0, count.length);
            out.append(b, 0, length);
        } else {
            line(b, length, out);
        }
    }

    /** RFC 5424 without the line feed of the format, and with the source if it is wanted. */
    private void format(LogRecord record) {
        formatted.clear();
        rfc5424.write(record, formatted);
        byte[] b = formatted.array();
        int end = formatted.length() - 1;
        if (!settings.keepSource()) {
            message.append(b, 0, end);
            return;
        }
        int data = dataBegin(b);
        message.append(b, 0, data);
        source.write(record, message);
        // The order of elements means nothing. Where ours is the only one, it stands in the place of the dash.
        boolean added = message.length() > data;
        message.append(b, added && b[data] == '-' ? data + 1 : data, end);
    }

    private static int dataBegin(byte[] b) {
        int i = 0;
        for (int spaces = 0; spaces < SPACES_BEFORE_DATA; i++) {
            spaces += b[i] == ' ' ? 1 : 0;
        }
        return i;
    }

    /** As a line: a line feed within it would begin another message. */
    private static void line(byte[] b, int length, LineBuffer out) {
        int end = b[length - 1] == '\n' ? length - 1 : length;
        int begin = 0;
        for (int i = 0; i < end; i++) {
            if (b[i] == '\n') {
                out.append(b, begin, i).append(NO_LINE_FEED, 0, NO_LINE_FEED.length);
                begin = i + 1;
            }
        }
        out.append(b, begin, end).append(LINE_FEED, 0, 1);
    }
}
