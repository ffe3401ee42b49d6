package io.millrace.format;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that are gathered to be written together; grows as needed and is used again. */
public final class LineBuffer {
    private byte[] bytes = new byte[8192];
    private int length;

    /** Makes an empty buffer. */
    public LineBuffer() {}

    /** Bytes gathered. */
    public int length() {
        return length;
    }

    /** Writes what was gathered, and is empty. */
    public void writeTo(OutputStream out) throws IOException {
        out.write(bytes, 0, length);
        length = 0;
    }

    /** Makes room and tells where it begins; {@link #array()} is the memory. */
    int reserve(int count) {
        if (length + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
        }
        int offset = length;
        length += count;
        return offset;
    }

    byte[] array() {
        return bytes;
    }

    LineBuffer put(int b) {
        int offset = reserve(1);
        bytes[offset] = (byte) b;
        return this;
    }

    /** Appends text of ASCII characters. */
    LineBuffer ascii(String text) {
        int offset = reserve(text.length());
        for (int i = 0; i < text.length(); i++) {
            bytes[offset + i] = (byte) text.charAt(i);
        }
        return this;
    }

    LineBuffer number(long value) {
        return ascii(Long.toString(value));
    }

    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
