package io.millrace.internal.parse.time;

/** The Gregorian calendar, without objects. */
final class Calendar {
    private static final int[] DAYS = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    private static final long DAY_S = 86_400;

    private Calendar() {}

    private static boolean isLeap(int year) {
        return (year & 3) == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    static boolean isDate(int year, int month, int day) {
        return month >= 1 && month <= 12 && day >= 1 && day <= DAYS[month - 1] + (month == 2 && isLeap(year) ? 1 : 0);
    }

    /** Days since 1970-01-01. Years begin on 1 March, so that the leap day is the last. */
    static long epochDay(int year, int month, int day) {
        int y = month <= 2 ? year - 1 : year;
        int monthFromMarch = month > 2 ? month - 3 : month + 9;
        return 365L * y + y / 4 - y / 100 + y / 400 + (153 * monthFromMarch + 2) / 5 + day - 719_469;
    }

    /** The year of a time in seconds since the epoch. */
    static int yearOf(long epochS) {
        int guess = (int) (1970 + Math.floorDiv(epochS, 31_556_952L));
        while (epochDay(guess + 1, 1, 1) * DAY_S <= epochS) {
            guess++;
        }
        while (epochDay(guess, 1, 1) * DAY_S > epochS) {
            guess--;
        }
        return guess;
    }
}
