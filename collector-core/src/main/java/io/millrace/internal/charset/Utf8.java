package io.millrace.internal.charset;

import java.util.Arrays;

/** Validation of UTF-8 (RFC 3629). Invalid sequences are replaced as by Java's decoder. */
public final class Utf8 {
    /** Stands for a byte that is no part of a valid character: {@code SUB}. */
    private static final byte INVALID = 0x1a;

    private static final byte[] REPLACEMENT = {(byte) 0xef, (byte) 0xbf, (byte) 0xbd};

    private Utf8() {}

    /** U+FFFD in UTF-8; not a copy. */
    public static byte[] replacement() {
        return REPLACEMENT;
    }

    /**
     * Checks the sequence that begins with a byte above 0x7f.
     *
     * @return its length, 2 to 4; or the negative number of bytes that one U+FFFD replaces
     */
    public static int sequence(byte[] b, int index, int end) {
        int first = b[index] & 0xff;
        if (first < 0xc2 || first > 0xf4) {
            return -1;
        }
        int second = index + 1 < end ? b[index + 1] & 0xff : 0;
        if (second < least(first) || second > most(first)) {
            return -1;
        }
        int length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        for (int i = 2; i < length; i++) {
            if (index + i >= end || (b[index + i] & 0xc0) != 0x80) {
                return -i;
            }
        }
        // A UTF-16 surrogate in three bytes is one invalid sequence, not three.
        return first == 0xed && second > 0x9f ? -length : length;
    }

    /**
     * Copies a text of the same length in which each byte that is no part of a valid character is a control character: for decoders
     * that take an invalid byte and the valid ones after it as one character.
     */
    public static byte[] validCopy(byte[] b, int begin, int end) {
        byte[] copy = Arrays.copyOfRange(b, begin, end);
        int i = 0;
        while (i < copy.length) {
            int length = copy[i] >= 0 ? 1 : sequence(copy, i, copy.length);
            if (length < 0) {
                Arrays.fill(copy, i, i - length, INVALID);
            }
            i += Math.abs(length);
        }
        return copy;
    }

    private static int least(int first) {
        return first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    }

    private static int most(int first) {
        return first == 0xf4 ? 0x8f : 0xbf;
    }

    /** True if all of it is valid. */
    public static boolean isValid(byte[] b, int begin, int end) {
        int i = begin;
        while (i < end) {
            int length = b[i] >= 0 ? 1 : sequence(b, i, end);
            if (length < 0) {
                return false;
            }
            i += length;
        }
        return true;
    }
}
