package io.millrace.message;

import io.millrace.internal.charset.AsciiWord;
import io.millrace.internal.charset.Utf8;
import io.millrace.internal.format.Decimal;
import io.millrace.internal.text.IpText;
import io.millrace.journal.DatagramView;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing and reusable buffer of bytes. */
public final class LineBuffer {
    /** The maximum number of bytes that one byte becomes in a {@link #line}. */
    private static final int MAX_LINE_GROWTH = 4;

    /** The longest IPv4 address and a point. */
    private static final int MAX_IPV4 = 16;

    /** The parts of IPv4 addresses, each with a point after it. */
    private static final long[] ADDRESS_PARTS = new long[256];

    static {
        for (int i = 0; i < ADDRESS_PARTS.length; i++) {
            ADDRESS_PARTS[i] = AsciiWord.load(Arrays.copyOf(bytes(i + "."), Long.BYTES), 0);
        }
    }

    private byte[] bytes = new byte[8192];
    private int length;

    /** Creates an empty buffer. */
    public LineBuffer() {}

    /** The number of bytes. */
    public int length() {
        return length;
    }

    /** Writes the bytes to a stream and clears the buffer. */
    public void writeTo(OutputStream out) throws IOException {
        out.write(bytes, 0, length);
        length = 0;
    }

    /** Reserves room and returns its beginning in {@link #array()}. */
    public int reserve(int count) {
        if (length + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
        }
        int offset = length;
        length += count;
        return offset;
    }

    /** Makes room, so that the next bytes, as many as this, do not need another array. */
    public void room(int count) {
        end(reserve(count));
    }

    /** Clears the buffer. */
    public void clear() {
        length = 0;
    }

    /**
     * Appends bytes in one line: control characters, including the C1 ones of two bytes, become {@code #} and three
     * octal digits, and invalid UTF-8 becomes U+FFFD.
     */
    public void line(byte[] from, int begin, int end) {
        int o = reserve(MAX_LINE_GROWTH * (end - begin) + Long.BYTES);
        byte[] to = bytes;
        int i = begin;
        while (true) {
            int plainEnd = AsciiWord.copyPrintable(from, i, end, to, o, false);
            o += plainEnd - i;
            i = plainEnd;
            if (i == end) {
                break;
            }
            int sequence = from[i] >= 0 ? 1 : Utf8.sequence(from, i, end);
            o = character(from, i, sequence, to, o);
            i += Math.abs(sequence);
        }
        end(o);
    }

    /** Writes one character of a {@link #line}; returns where it ends. */
    private static int character(byte[] from, int i, int sequence, byte[] to, int offset) {
        int c = from[i] & 0xff;
        boolean c1 = sequence == 2 && c == 0xc2 && (from[i + 1] & 0xff) < 0xa0;
        if (sequence < 0) {
            System.arraycopy(Utf8.replacement(), 0, to, offset, Utf8.replacement().length);
            return offset + Utf8.replacement().length;
        }
        if (c < ' ' || c == 0x7f || c1) {
            int control = c1 ? from[i + 1] & 0xff : c;
            to[offset] = '#';
            to[offset + 1] = (byte) ('0' + (control >> 6));
            to[offset + 2] = (byte) ('0' + (control >> 3 & 7));
            to[offset + 3] = (byte) ('0' + (control & 7));
            return offset + MAX_LINE_GROWTH;
        }
        System.arraycopy(from, i, to, offset, sequence);
        return offset + sequence;
    }

    /** Removes all bytes from a position on; the last reserved room ends there. */
    public void end(int offset) {
        length = offset;
    }

    /** The array of the bytes, from index 0; not a copy. An append may replace it. */
    public byte[] array() {
        return bytes;
    }

    /** Appends a byte. */
    public LineBuffer put(int b) {
        int offset = reserve(1);
        bytes[offset] = (byte) b;
        return this;
    }

    /** ASCII text as bytes, for repeated appends. */
    public static byte[] bytes(String ascii) {
        return ascii.getBytes(StandardCharsets.US_ASCII);
    }

    /** Text as bytes, for repeated appends. */
    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Appends bytes unchanged. */
    public LineBuffer append(byte[] from) {
        return append(from, 0, from.length);
    }

    /** Appends bytes unchanged. */
    public LineBuffer append(byte[] from, int begin, int end) {
        int offset = reserve(end - begin);
        System.arraycopy(from, begin, bytes, offset, end - begin);
        return this;
    }

    /** Appends ASCII text. */
    @SuppressWarnings("deprecation") // The only copy of Latin-1 text that allocates nothing.
    public LineBuffer ascii(String text) {
        int offset = reserve(text.length());
        text.getBytes(0, text.length(), bytes, offset);
        return this;
    }

    /** Appends a decimal number without allocation. */
    public LineBuffer number(long value) {
        if (value < 0) {
            return ascii(Long.toString(value));
        }
        return value < 10 ? put('0' + (int) value) : number(value, Decimal.digits(value));
    }

    /** Appends the last digits of a number that is not negative, with leading zeros. */
    public LineBuffer number(long value, int digits) {
        int offset = reserve(digits + Long.BYTES);
        Decimal.write(value, digits, bytes, offset);
        end(offset + digits);
        return this;
    }

    /** Appends the source address as text; of a local source {@code local}. */
    public void source(DatagramView datagram) {
        if (datagram.isLocal()) {
            ascii(datagram.sourceText());
            return;
        }
        if (datagram.isIpv6()) {
            ascii(IpText.of(datagram.sourceAddress()));
            return;
        }
        int address = datagram.sourceIpv4();
        int o = reserve(MAX_IPV4 + Long.BYTES);
        for (int shift = 24; shift >= 0; shift -= Byte.SIZE) {
            int part = address >>> shift & 0xff;
            AsciiWord.store(bytes, o, ADDRESS_PARTS[part]);
            o += part >= 100 ? 4 : part >= 10 ? 3 : 2;
        }
        end(o - 1);
    }

    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
