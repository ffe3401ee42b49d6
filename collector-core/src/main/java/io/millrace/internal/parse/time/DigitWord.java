package io.millrace.internal.parse.time;

/**
 * Decimal digits in a {@code long} of eight bytes, the first lowest. An exclusive or with the characters that should be there leaves the value
 * of each digit, 0 to 9; adding 0x76 sets the top bit of a byte that has more.
 */
final class DigitWord {
    private static final long ZEROS = 0x3030_3030_3030_3030L;
    private static final long MORE_THAN_9 = 0x7676_7676_7676_7676L;
    private static final long TOP_BITS = 0x8080_8080_8080_8080L;

    /** {@code 00:00:00}. */
    private static final long MIDNIGHT = 0x3030_3a30_303a_3030L;

    /** Nothing but 0 is left of a colon. */
    private static final long MORE_THAN_TIME = 0x7676_7f76_767f_7676L;

    private DigitWord() {}

    /** How many digits are at the beginning. */
    static int count(long word) {
        long digits = word ^ ZEROS;
        return Long.numberOfTrailingZeros(((digits + MORE_THAN_9) | digits) & TOP_BITS) / Byte.SIZE;
    }

    /** The number of the first digits, at least one: digits are added up to pairs, pairs to fours, and fours to eight. */
    static int value(long word, int count) {
        long eight = (word ^ ZEROS) << (Long.SIZE - count * Byte.SIZE);
        long pairs = (eight * 10 + (eight >>> 8)) & 0x00ff_00ff_00ff_00ffL;
        long fours = (pairs * 100 + (pairs >>> 16)) & 0x0000_ffff_0000_ffffL;
        return (int) (fours * 10_000 + (fours >>> 32));
    }

    /** The second of the day of {@code hh:mm:ss}; {@link TimeText#NONE} for another text. */
    static int secondOfDay(long word) {
        long digits = word ^ MIDNIGHT;
        if ((((digits + MORE_THAN_TIME) | digits) & TOP_BITS) != 0) {
            return TimeText.NONE;
        }
        long pairs = digits * 10 + (digits >>> 8);
        int hour = (int) pairs & 0xff;
        int minute = (int) (pairs >>> 24) & 0xff;
        int second = (int) (pairs >>> 48) & 0xff;
        return hour > 23 || minute > 59 || second > 60 ? TimeText.NONE : hour * 3600 + minute * 60 + second;
    }
}
