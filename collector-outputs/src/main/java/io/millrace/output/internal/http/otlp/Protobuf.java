package io.millrace.output.internal.http.otlp;

import io.millrace.internal.charset.Utf8;
import io.millrace.message.LineBuffer;

/**
 * Writer of <a href="https://protobuf.dev/programming-guides/encoding/">Protocol Buffers</a>. A nested message is written to a buffer of its own first,
 * because its length comes before it.
 */
final class Protobuf {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int LENGTH = 2;

    private Protobuf() {}

    static void varint(long value, LineBuffer out) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.put((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        out.put((int) rest);
    }

    /** The length of a number. */
    static int sizeOf(long value) {
        return 1 + (63 - Long.numberOfLeadingZeros(value | 1)) / 7;
    }

    static void number(int field, long value, LineBuffer out) {
        varint(field << 3 | VARINT, out);
        varint(value, out);
    }

    static void fixed64(int field, long value, LineBuffer out) {
        varint(field << 3 | FIXED64, out);
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            out.put((int) (value >>> shift));
        }
    }

    /** Begins bytes, a text, or a nested message. */
    static void begin(int field, int length, LineBuffer out) {
        varint(field << 3 | LENGTH, out);
        varint(length, out);
    }

    static void bytes(int field, byte[] b, int begin, int end, LineBuffer out) {
        begin(field, end - begin, out);
        out.append(b, begin, end);
    }

    static void bytes(int field, LineBuffer content, LineBuffer out) {
        bytes(field, content.array(), 0, content.length(), out);
    }

    /** Copies a text, which has to be valid UTF-8: what is not becomes U+FFFD. */
    static void copyValid(byte[] b, int begin, int end, LineBuffer out) {
        if (Utf8.isValid(b, begin, end)) {
            out.append(b, begin, end);
            return;
        }
        int i = begin;
        while (i < end) {
            int length = b[i] >= 0 ? 1 : Utf8.sequence(b, i, end);
            if (length > 0) {
                out.append(b, i, i + length);
            } else {
                out.append(Utf8.replacement());
            }
            i += Math.abs(length);
        }
    }
}
