package io.millrace.output.internal.forward;

import io.millrace.internal.format.Rfc5424Format;
import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import io.millrace.sink.Refusal;
import io.millrace.sink.RefusedException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/** Encoder of a record as a syslog message. One thread. */
public final class SyslogEncoder {
    /** The maximum payload over IPv4. */
    private static final int MAX_DATAGRAM_BYTES = 65_507;

    /**
     * The number of spaces before the structured data: after priority and version, time, host, application, process and
     * message id.
     */
    private static final int SPACES_BEFORE_DATA = 6;

    private static final byte[] SPACE = {' '};
    private static final byte[] LINE_FEED = {'\n'};
    private static final byte[] NO_LINE_FEED = ascii("#012");
    private static final byte[] NO_NUL = ascii("#000");
    /** The priority that a relay gives a message without one (RFC 3164 section 4.3.3): user, notice. */
    private static final byte[] PRIORITY = ascii("<13>");

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final Encoding encoding;
    private final Rfc5424Format rfc5424;
    private final SourceElement source = new SourceElement();
    private final LineBuffer formatted = new LineBuffer();
    private final LineBuffer message = new LineBuffer();
    private final int maxMessage;
    private final LongAdder truncated = new LongAdder();

    /** The frame of a message. */
    public enum Frame {
        /** A datagram, which may be empty. */
        DATAGRAM,
        /** The connection adds it. */
        NONE,
        /** The length precedes the message. */
        OCTET_COUNTING,
        /** A line feed follows the message. */
        LINE_FEED
    }

    /**
     * How messages are written.
     *
     * @param raw true for the bytes unchanged, false for RFC 5424
     * @param maxMessage the maximum message in bytes without the frame; longer ones are truncated
     * @param keepSource true to add the source address and the position in the journal as structured data; in RFC 5424 only
     * @param keepMnemonic true if the text of Cisco's messages begins with their mnemonic; in RFC 5424 only
     */
    public record Encoding(boolean raw, Frame frame, int maxMessage, boolean keepSource, boolean keepMnemonic) {}

    public SyslogEncoder(Encoding encoding) {
        this.encoding = encoding;
        this.rfc5424 = new Rfc5424Format(encoding.keepMnemonic());
        this.maxMessage = encoding.frame() == Frame.DATAGRAM
                ? Math.min(encoding.maxMessage(), MAX_DATAGRAM_BYTES)
                : encoding.maxMessage();
    }

    /** The number of truncated messages. Any thread. */
    public long truncated() {
        return truncated.sum();
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Appends the message, with its frame if there is one.
     *
     * @throws IllegalArgumentException if it cannot be sent
     */
    public void write(LogRecord record, LineBuffer out) {
        message.clear();
        if (encoding.raw()) {
            message.append(record.bytes(), record.begin(), record.end());
        } else {
            format(record);
        }
        byte[] b = message.array();
        boolean stream = encoding.frame() != Frame.DATAGRAM;
        boolean lines = encoding.frame() == Frame.LINE_FEED;
        boolean counted = encoding.frame() == Frame.OCTET_COUNTING;
        int begin = out.length();
        if (stream && isEmpty(b, message.length(), lines)) {
            throw new RefusedException(Refusal.ENCODING, "the payload is empty, and a stream has no empty messages");
        } else if (lines) {
            line(b, message.length(), out);
        } else {
            if (counted && b[0] != '<') {
                // A receiver of both framings interprets digits as a length only before a priority.
                out.append(PRIORITY, 0, PRIORITY.length);
            }
            out.append(b, 0, message.length());
        }
        int length = truncate(out.array(), begin, out.length());
        out.end(begin + length);
        if (lines) {
            out.append(LINE_FEED, 0, 1);
        } else if (counted) {
            count(out, begin, length);
        }
    }

    /** Inserts the length before a message: octet counting. */
    private static void count(LineBuffer out, int begin, int length) {
        byte[] count = ascii(length + " ");
        out.append(count, 0, count.length);
        byte[] b = out.array();
        System.arraycopy(b, begin, b, begin + count.length, length);
        System.arraycopy(count, 0, b, begin, count.length);
    }

    /**
     * The length of a message after truncation at a character boundary.
     *
     * @throws RefusedException if the rest would not be a message
     */
    private int truncate(byte[] b, int begin, int end) {
        if (end - begin <= maxMessage) {
            return end - begin;
        }
        int to = begin + maxMessage;
        // Back to the first byte of a character, of at most four.
        for (int i = 0; i < 3 && (b[to] & 0xc0) == 0x80; i++) {
            to--;
        }
        to = (b[to] & 0xc0) == 0x80 ? begin + maxMessage : to;
        if (!encoding.raw() && to < SourceElement.dataEnd(b, dataBegin(b, begin), end)) {
            throw new RefusedException(
                    Refusal.TOO_LONG,
                    "its header and structured data are longer than maxMessage, " + maxMessage + " bytes");
        }
        truncated.increment();
        return to - begin;
    }

    /** Appends RFC 5424 without the format's line feed, and with the source if enabled. */
    private void format(LogRecord record) {
        formatted.clear();
        rfc5424.write(record, formatted);
        byte[] b = formatted.array();
        int end = formatted.length() - 1;
        if (!encoding.keepSource()) {
            message.append(b, 0, end);
            return;
        }
        int data = dataBegin(b, 0);
        message.append(b, 0, data);
        source.write(record, message);
        if (message.length() > data) {
            // The order of elements has no meaning.
            int dataEnd = SourceElement.dataEnd(b, data, end);
            SourceElement.appendOthers(b, data, dataEnd, message);
            data = dataEnd;
        }
        message.append(b, data, end);
    }

    private static int dataBegin(byte[] b, int begin) {
        int i = begin;
        for (int spaces = 0; spaces < SPACES_BEFORE_DATA; i++) {
            spaces += b[i] == ' ' ? 1 : 0;
        }
        return i;
    }

    /** True if a receiver finds no message: line ends alone are none. */
    private static boolean isEmpty(byte[] b, int length, boolean lines) {
        int end = length;
        if (lines && end > 0 && b[end - 1] == '\n') {
            end--;
        }
        if (lines && end > 0 && b[end - 1] == '\r') {
            end--;
        }
        return end == 0;
    }

    /** Appends the message as a line; a line feed or a byte 0 within it is escaped, because another message would begin after it. */
    private static void line(byte[] b, int length, LineBuffer out) {
        int end = b[length - 1] == '\n' ? length - 1 : length;
        int begin = 0;
        if (beginsWithDigit(b, end)) {
            // A receiver of both framings would interpret a leading digit as an octet count.
            out.append(SPACE, 0, 1);
        }
        for (int i = 0; i < end; i++) {
            if (b[i] == '\n' || b[i] == 0) {
                byte[] escaped = b[i] == 0 ? NO_NUL : NO_LINE_FEED;
                out.append(b, begin, i).append(escaped, 0, escaped.length);
                begin = i + 1;
            }
        }
        out.append(b, begin, end);
    }

    /** True if the first character is a digit: a byte order mark is none. */
    private static boolean beginsWithDigit(byte[] b, int end) {
        int mark = BYTE_ORDER_MARK.length;
        int first = end > mark && Arrays.equals(b, 0, mark, BYTE_ORDER_MARK, 0, mark) ? mark : 0;
        return b[first] >= '0' && b[first] <= '9';
    }
}
