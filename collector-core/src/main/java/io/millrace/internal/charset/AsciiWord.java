package io.millrace.internal.charset;

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
    private static long notPrintable(long word) {
        return word | word - EACH * ' ' | equal(word, 0x7f);
    }

    private static long equal(long word, int value) {
        long other = word ^ EACH * value;
        return other - EACH & ~other;
    }

    /** How many bytes come before the first match. */
    private static int before(long matches) {
        return Long.numberOfTrailingZeros(matches & TOP_BITS) / Byte.SIZE;
    }

    /**
     * Copies printable ASCII up to the first other byte. Up to eight bytes of the target behind the copied ones are overwritten.
     *
     * @param isJson true to stop also at the quotes and backslashes that JSON escapes
     * @return the position of the first byte that was not copied
     */
    public static int copyPrintable(byte[] from, int begin, int end, byte[] to, int offset, boolean isJson) {
        int shift = offset - begin;
        int i = begin;
        while (i + Long.BYTES <= from.length) {
            int plain = copyWord(from, i, to, i + shift, isJson);
            if (plain < Long.BYTES || i + Long.BYTES >= end) {
                return Math.min(i + plain, end);
            }
            i += Long.BYTES;
        }
        while (i < end && isPrintable(from[i], isJson)) {
            to[i + shift] = from[i];
            i++;
        }
        return i;
    }

    /** Copies eight bytes; returns how many of the first ones are printable. */
    private static int copyWord(byte[] from, int begin, byte[] to, int offset, boolean isJson) {
        long word = load(from, begin);
        store(to, offset, word);
        long others = notPrintable(word);
        return before(isJson ? others | equal(word, '"') | equal(word, '\\') : others);
    }

    private static boolean isPrintable(byte c, boolean isJson) {
        return c >= ' ' && c < 0x7f && !(isJson && (c == '"' || c == '\\'));
    }

    /** The position after a word: that of the first space, control character, DEL or byte that is not ASCII; or the end. */
    public static int wordEnd(byte[] b, int begin, int end) {
        int i = begin;
        while (i + Long.BYTES <= b.length) {
            long word = load(b, i);
            int visible = before(word | word - EACH * '!' | equal(word, 0x7f));
            if (visible < Long.BYTES || i + Long.BYTES >= end) {
                return Math.min(i + visible, end);
            }
            i += Long.BYTES;
        }
        while (i < end && b[i] > ' ' && b[i] < 0x7f) {
            i++;
        }
        return i;
    }

    /** The first position of one of two bytes; the end if there is neither. */
    public static int find(byte[] b, int begin, int end, char first, char second) {
        int i = begin;
        for (; i <= end - Long.BYTES; i += Long.BYTES) {
            long word = load(b, i);
            int others = before(equal(word, first) | equal(word, second));
            if (others < Long.BYTES) {
                return i + others;
            }
        }
        while (i < end && b[i] != first && b[i] != second) {
            i++;
        }
        return Math.min(i, end);
    }

    /** True if all bytes are ASCII. */
    public static boolean isAscii(byte[] b, int begin, int end) {
        int i = begin;
        for (; i <= end - Long.BYTES; i += Long.BYTES) {
            if ((load(b, i) & TOP_BITS) != 0) {
                return false;
            }
        }
        while (i < end && b[i] >= 0) {
            i++;
        }
        return i == end;
    }
}
