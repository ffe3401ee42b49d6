package io.millrace.format;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing and reusable buffer of bytes. */
public final class LineBuffer {
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
    int reserve(int count) {
        if (length + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
        }
        int offset = length;
        length += count;
        return offset;
    }

    /** Clears the buffer. */
    public void clear() {
        length = 0;
    }

    /**
     * Appends bytes in one line: control characters, including the C1 ones of two bytes, become {@code #} and three
     * octal digits, and invalid UTF-8 becomes U+FFFD.
     */
    void line(byte[] from, int begin, int end) {
        int i = begin;
        while (i < end) {
            int c = from[i] & 0xff;
            int length = c < 0x80 ? 1 : Utf8.sequence(from, i, end);
            boolean c1 = length == 2 && c == 0xc2 && (from[i + 1] & 0xff) < 0xa0;
            if (length < 0) {
                append(Utf8.REPLACEMENT);
            } else if (c < ' ' || c == 0x7f || c1) {
                int control = c1 ? from[i + 1] & 0xff : c;
                put('#').put('0' + (control >> 6)).put('0' + (control >> 3 & 7)).put('0' + (control & 7));
            } else {
                append(from, i, i + length);
            }
            i += Math.abs(length);
        }
    }

    /** Removes all bytes from a position on; the last reserved room ends there. */
    public void end(int offset) {
        length = offset;
    }

    /** The array of the bytes, from index 0; not a copy. An append may replace it. */
    public byte[] array() {
        return bytes;
    }

    LineBuffer put(int b) {
        int offset = reserve(1);
        bytes[offset] = (byte) b;
        return this;
    }

    /** ASCII text as bytes, for repeated appends. */
    static byte[] bytes(String ascii) {
        return ascii.getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    LineBuffer append(byte[] from) {
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
    LineBuffer ascii(String text) {
        int offset = reserve(text.length());
        text.getBytes(0, text.length(), bytes, offset);
        return this;
    }

    /** Appends a decimal number without allocation. */
    LineBuffer number(long value) {
        if (value < 0) {
            return ascii(Long.toString(value));
        }
        int digits = 1;
        for (long rest = value / 10; rest > 0; rest /= 10) {
            digits++;
        }
        int offset = reserve(digits);
        long rest = value;
        for (int i = offset + digits - 1; i >= offset; i--) {
            bytes[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return this;
    }

    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
