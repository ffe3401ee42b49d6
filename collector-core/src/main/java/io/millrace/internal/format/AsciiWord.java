package io.millrace.internal.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Eight bytes of text in a {@code long}, the first in the lowest bits, to test them together. A test returns a word whose top bit is
 * set in the byte of the first match; bits above the first match may be set without a match, because a subtraction borrows
 * (Hacker's Delight, section 6-1).
 */
public final class AsciiWord {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** Times a byte: that byte in each byte of a word. */
    private static final long EACH = 0x0101_0101_0101_0101L;

    private static final long TOP_BITS = 0x8080_8080_8080_8080L;

    private AsciiWord() {}

    public static long load(byte[] from, int offset) {
        return (long) LONGS.get(from, offset);
    }

    public static void store(byte[] to, int offset, long word) {
        LONGS.set(to, offset, word);
    }

    /** Bytes that are not printable ASCII: control characters, DEL and bytes of longer characters. */
    public static long notPrintable(long word) {
        return word | word - EACH * ' ' | equal(word, 0x7f);
    }

    static long equal(long word, int value) {
        long other = word ^ EACH * value;
        return other - EACH & ~other;
    }

    /** How many bytes come before the first match. */
    public static int before(long matches) {
        return Long.numberOfTrailingZeros(matches & TOP_BITS) / Byte.SIZE;
    }
}
