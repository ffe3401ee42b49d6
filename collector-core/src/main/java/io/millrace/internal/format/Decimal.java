package io.millrace.internal.format;

import io.millrace.internal.charset.AsciiWord;

/** Decimal digits of numbers, written eight at a time. */
public final class Decimal {
    private static final long ZEROS = 0x3030_3030_3030_3030L;
    private static final int WORD_DIGITS = 8;
    private static final int WORD_LIMIT = 100_000_000;

    /** 1, 10, 100 and so on. */
    private static final long[] POWERS = new long[19];

    static {
        POWERS[0] = 1;
        for (int i = 1; i < POWERS.length; i++) {
            POWERS[i] = 10 * POWERS[i - 1];
        }
    }

    private Decimal() {}

    /** The number of digits of a number that is not negative. */
    public static int digits(long value) {
        long positive = Math.max(value, 1);
        // A digit has log2(10) bits, about 4096 / 1233: the result is the estimate, or one more.
        int estimate = ((Long.SIZE - Long.numberOfLeadingZeros(positive)) * 1233) >> 12;
        return positive < POWERS[estimate] ? estimate : estimate + 1;
    }

    /**
     * Writes the last digits of a number that is not negative, with leading zeros. Up to eight bytes behind them are overwritten.
     *
     * @param digits at least 1
     */
    public static void write(long value, int digits, byte[] to, int offset) {
        long word = word((int) (value % WORD_LIMIT));
        int more = digits - WORD_DIGITS;
        if (more <= 0) {
            AsciiWord.store(to, offset, word >>> (-more * Byte.SIZE));
        } else {
            write(value / WORD_LIMIT, more, to, offset);
            AsciiWord.store(to, offset + more, word);
        }
    }

    /** The last two digits of a number that is not negative; no other byte is overwritten. */
    static void writeTwo(int value, byte[] to, int offset) {
        to[offset] = (byte) ('0' + value / 10 % 10);
        to[offset + 1] = (byte) ('0' + value % 10);
    }

    /**
     * Eight digits, the first in the lowest byte: the number is split into fours, these into pairs, and these into digits.
     * To divide by 100 and by 10, it multiplies and shifts.
     */
    private static long word(int value) {
        int high = value / 10_000;
        long fours = high | ((long) (value - high * 10_000) << 32);
        long hundreds = ((fours * 10_486) >>> 20) & 0x0000_007f_0000_007fL;
        long pairs = ((fours - hundreds * 100) << 16) + hundreds;
        long tens = ((pairs * 103) >>> 10) & 0x000f_000f_000f_000fL;
        return ((pairs - tens * 10) << 8) + tens + ZEROS;
    }
}
