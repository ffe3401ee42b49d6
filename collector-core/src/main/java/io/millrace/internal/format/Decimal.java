package io.millrace.internal.format;

/** Decimal digits of numbers, written two at a time. */
public final class Decimal {
    /** The digits of 00 to 99, one after the other. */
    private static final byte[] PAIRS = new byte[200];

    private static final int PAIR = 100;

    static {
        for (int i = 0; i < PAIR; i++) {
            PAIRS[2 * i] = (byte) ('0' + i / 10);
            PAIRS[2 * i + 1] = (byte) ('0' + i % 10);
        }
    }

    private Decimal() {}

    /** The number of digits of a number that is not negative. */
    public static int digits(long value) {
        long limit = 10;
        for (int digits = 1; digits < 19; digits++) {
            if (value < limit) {
                return digits;
            }
            limit *= 10;
        }
        return 19;
    }

    /** Writes the last digits of a number that is not negative, with leading zeros. */
    public static void write(long value, int digits, byte[] to, int offset) {
        long rest = value;
        int end = offset + digits;
        while (rest > Integer.MAX_VALUE && end - offset >= 2) {
            long next = rest / PAIR;
            end = pair((int) (rest - next * PAIR), to, end);
            rest = next;
        }
        // Only one digit is left of a larger number.
        int small = (int) (rest > Integer.MAX_VALUE ? rest % 10 : rest);
        while (end - offset >= 2) {
            int next = small / PAIR;
            end = pair(small - next * PAIR, to, end);
            small = next;
        }
        if (end > offset) {
            to[offset] = (byte) ('0' + small % 10);
        }
    }

    private static int pair(int value, byte[] to, int end) {
        to[end - 2] = PAIRS[2 * value];
        to[end - 1] = PAIRS[2 * value + 1];
        return end - 2;
    }
}
