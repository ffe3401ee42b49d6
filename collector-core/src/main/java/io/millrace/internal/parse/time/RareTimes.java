package io.millrace.internal.parse.time;

/**
 * Parser of timestamps that few senders write: names of weekdays and months in full, the day first, slashes and points, no
 * seconds, a clock of twelve hours, seconds since the epoch. It is asked after {@link TimeReader#any} found nothing, and sets the
 * time of that reader. One thread.
 */
public final class RareTimes {
    private static final int NONE = TimeReader.NONE;
    private static final String[] MONTHS = {
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december"
    };
    private static final String[] WEEKDAYS = {
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"
    };
    private static final int MIN_NAME = 3;
    private static final int YEAR_DIGITS = 4;
    private static final long NOON_S = 12 * 3600;
    private static final long WEEK_S = 7L * TimeText.DAY_S;
    private static final long YEAR_S = 366L * TimeText.DAY_S;

    private final TimeReader times;
    private long nowNs;

    private int year;
    private int month;
    private int day;

    /** Creates a reader that sets the time of another, and reads its text. */
    public RareTimes(TimeReader times) {
        this.times = times;
    }

    /**
     * Parses a timestamp; returns the position after it, or {@link TimeReader#NONE}.
     *
     * @param nowNs the receive time, which determines a missing year, and which of two numbers is the day
     * @param epoch true if a number of seconds since the epoch is one
     */
    public int read(int pos, long nowNs, boolean epoch) {
        this.nowNs = nowNs;
        if (TimeText.isDigit(times.at(pos))) {
            return numeric(pos, epoch);
        }
        int p = afterWeekday(pos);
        if (p > pos) {
            int after = times.any(p, nowNs);
            if (after != NONE || TimeText.isDigit(times.at(p))) {
                return after != NONE ? after : numeric(p, false);
            }
        }
        year = 0;
        return monthFirst(p);
    }

    /** The position after {@code Sat }, {@code Sat, } or {@code Saturday, }; the beginning if there is none. */
    private int afterWeekday(int pos) {
        if (!TimeText.isLetter(times.at(pos))) {
            return pos;
        }
        for (String name : WEEKDAYS) {
            int after = nameEnd(pos, name);
            if (after != NONE) {
                after = times.spaces(times.at(after) == ',' ? after + 1 : after);
                return after == NONE ? pos : after;
            }
        }
        return pos;
    }

    /** The position after a name or at least three of its first letters, and a point; NONE if it is another one. */
    private int nameEnd(int pos, String name) {
        int p = pos;
        while (p - pos < name.length() && (times.at(p) | 0x20) == name.charAt(p - pos)) {
            p++;
        }
        if (p - pos < MIN_NAME || TimeText.isLetter(times.at(p))) {
            return NONE;
        }
        return times.at(p) == '.' ? p + 1 : p;
    }

    /** Parses the name of a month, sets it, and returns the position after it. */
    private int monthName(int pos) {
        month = times.month(pos);
        return month == 0 ? NONE : nameEnd(pos, MONTHS[month - 1]);
    }

    /** Parses {@code November 21 10:00:00} and {@code Nov 21, 2026 10:00}. */
    private int monthFirst(int pos) {
        int p = monthName(pos);
        p = p == NONE ? NONE : times.spaces(p);
        p = p == NONE ? NONE : day(p);
        if (p == NONE) {
            return NONE;
        }
        int next = times.spaces(times.at(p) == ',' ? p + 1 : p);
        int given = next == NONE ? NONE : times.digits(next, YEAR_DIGITS);
        byte after = next == NONE ? 0 : times.at(next + YEAR_DIGITS);
        if (given > 0 && (after == ' ' || after == ',')) {
            year = given;
            p = next + YEAR_DIGITS;
        }
        return clock(p);
    }

    /** Parses a day of one or two digits, sets it, and returns the position after it. */
    private int day(int pos) {
        int digits = TimeText.isDigit(times.at(pos + 1)) ? 2 : 1;
        day = times.digits(pos, digits);
        return day < 0 || TimeText.isDigit(times.at(pos + digits)) ? NONE : pos + digits;
    }

    private int numeric(int pos, boolean epoch) {
        int p = pos;
        while (TimeText.isDigit(times.at(p))) {
            p++;
        }
        year = 0;
        return switch (p - pos) {
            case 1, 2 -> dayOrMonthFirst(pos, p);
            case YEAR_DIGITS -> yearFirst(pos, p);
            default -> epoch ? epoch(pos, p) : NONE;
        };
    }

    /** Parses the time since the epoch; without a fraction, a number of a time far from the receive time is another number. */
    private int epoch(int pos, int digitsEnd) {
        int after = times.epoch(pos);
        if (after == NONE || times.at(digitsEnd) == '.') {
            return after;
        }
        long aheadS = Math.floorDiv(times.timeNs(), TimeText.NS) - Math.floorDiv(nowNs, TimeText.NS);
        return Math.abs(aheadS) <= YEAR_S ? after : NONE;
    }

    /** Parses {@code 2026/11/21 10:00:00}, {@code 2026-11-21 10:00}, {@code 2026.1.5 10:00:00} and {@code 2026-Nov-21 10:00:00}. */
    private int yearFirst(int pos, int separator) {
        byte c = times.at(separator);
        int p = separator + 1;
        year = times.digits(pos, YEAR_DIGITS);
        if (TimeText.isLetter(times.at(p)) && (c == '-' || c == '/' || c == ' ')) {
            p = monthName(p);
        } else if (c == '/' || c == '-' || c == '.') {
            int digits = TimeText.isDigit(times.at(p + 1)) ? 2 : 1;
            month = times.digits(p, digits);
            p = month < 0 ? NONE : p + digits;
        } else {
            return NONE;
        }
        if (p == NONE || times.at(p) != c) {
            return NONE;
        }
        p = day(p + 1);
        return p == NONE ? NONE : clock(p);
    }

    private int dayOrMonthFirst(int pos, int separator) {
        byte c = times.at(separator);
        int first = times.digits(pos, separator - pos);
        int p = separator + 1;
        // 21. November
        p = c == '.' && times.at(p) == ' ' ? p + 1 : p;
        if (TimeText.isLetter(times.at(p)) && (c == ' ' || c == '-' || c == '/' || c == '.')) {
            day = first;
            return namedMonth(monthName(p), c);
        }
        int digits = TimeText.isDigit(times.at(p + 1)) ? 2 : 1;
        int second = times.digits(p, digits);
        int beforeYear = p + digits;
        year = times.digits(beforeYear + 1, YEAR_DIGITS);
        int after = beforeYear + 1 + YEAR_DIGITS;
        if ((c != '/' && c != '-' && c != '.')
                || second < 0
                || times.at(beforeYear) != c
                || year < 0
                || TimeText.isDigit(times.at(after))) {
            return NONE;
        }
        boolean dayFirst = isDayFirst(first, second, c);
        day = dayFirst ? first : second;
        month = dayFirst ? second : first;
        return clock(after);
    }

    /** Parses what follows {@code 21 Nov}: a year, as in {@code 21-Nov-2026}, or none. */
    private int namedMonth(int after, byte separator) {
        if (after == NONE) {
            return NONE;
        }
        int p = times.at(after) == separator || times.at(after) == ' ' ? after + 1 : NONE;
        int given = times.digits(p, YEAR_DIGITS);
        if (given > 0) {
            year = given;
            int time = p + YEAR_DIGITS;
            // As web servers write it: 21/Nov/2026:10:00:00
            return separator == '/' && times.at(time) == ':' ? time(time + 1) : clock(time);
        }
        return clock(after);
    }

    /**
     * True if the first of two numbers is the day. With points it always is. Otherwise a number above 12 decides, and else the
     * date that is nearer to the receive time; not one that is more than a week after it, unless both are.
     */
    private boolean isDayFirst(int first, int second, byte separator) {
        if (separator == '.' || first > 12 || second > 12) {
            return separator == '.' || first > 12;
        }
        long dayFirstS = aheadS(second, first);
        long monthFirstS = aheadS(first, second);
        if (dayFirstS > WEEK_S != monthFirstS > WEEK_S) {
            return monthFirstS > WEEK_S;
        }
        return Math.abs(dayFirstS) <= Math.abs(monthFirstS);
    }

    /** How long noon of a date is after the receive time. */
    private long aheadS(int month, int day) {
        long noonS = Calendar.epochDay(year, month, day) * (long) TimeText.DAY_S + NOON_S;
        return noonS - Math.floorDiv(nowNs, TimeText.NS);
    }

    /** Parses what separates the date from the time of day, and then that. */
    private int clock(int pos) {
        byte c = times.at(pos);
        if (c == 'T' || c == '\t') {
            return time(pos + 1);
        }
        int p = times.spaces(c == ',' ? pos + 1 : pos);
        return p == NONE ? NONE : time(p);
    }

    /** Parses the time of day with or without seconds, AM or PM, and a zone. */
    private int time(int pos) {
        int p = times.timeOfDay(pos);
        if (p == NONE) {
            p = times.minuteOfDay(pos);
        }
        if (p == NONE || (year != 0 && (year < 1970 || year >= 2200))) {
            return NONE;
        }
        int word = times.at(p) == ' ' ? p + 1 : p;
        int meridiem = times.suffix().meridiem(word);
        return meridiem == NONE
                ? times.dated(year, month, day, p, nowNs)
                : times.datedHalf(year, month, day, word, meridiem, nowNs);
    }
}
