package io.millrace.internal.parse.time;

import io.millrace.message.SyslogMessage;
import java.time.ZoneId;

/**
 * Parser of timestamps of RFC 5424, RFC 3164 and devices. Each method takes the position at which a timestamp may begin
 * and returns the position after it, or {@link #NONE}. {@link #timeNs()} then returns the time. One thread.
 */
public final class TimeReader extends TimeText {
    /** The time of a timestamp beyond the range of 64-bit nanoseconds. */
    public static final long NO_TIME = SyslogMessage.NO_TIME;

    private static final long MAX_S = Long.MAX_VALUE / NS - 1;
    private static final long WEEK_S = 7L * DAY_S;
    /** The first seven bytes of a word: {@code Nov 21} and a blank. */
    private static final long BSD_DATE = 0x00ff_ffff_ffff_ffffL;

    private static final int SECONDS_DIGITS = 10;
    private static final int MAX_EPOCH_DIGITS = 19;
    private static final int MAX_EPOCH_FIRST_DIGIT = '4';

    private final Zone zone;
    private final ZoneSuffix suffix = new ZoneSuffix(this);
    private long timeNs;

    /** The last date of RFC 3339 and the T after it, as words that overlap: most messages have the same. */
    private long isoDateBegin;

    private long isoDateEnd;
    private long isoDayS;

    /** The last date of RFC 3164 with the blank after it, and what it says. */
    private long bsdDate;

    private int bsdMonth;
    private int bsdDay;

    private long yearFromS = 1;
    private long yearToS;
    private int year;

    /**
     * Creates a reader.
     *
     * @param zone the time zone of timestamps without one
     */
    public TimeReader(ZoneId zone) {
        this.zone = new Zone(zone);
    }

    /** The parsed time in ns since the epoch, or {@link #NO_TIME}. */
    public long timeNs() {
        return timeNs;
    }

    ZoneSuffix suffix() {
        return suffix;
    }

    // ---- the forms ----

    /**
     * Parses a timestamp of any usual format.
     *
     * @param nowNs the receive time, which determines a missing year
     */
    public int any(int pos, long nowNs) {
        if (!isDigit(at(pos))) {
            return bsd(pos, nowNs);
        }
        int after = iso(pos);
        after = after == NONE ? yearFirst(pos) : after;
        return after == NONE ? colons(pos) : after;
    }

    /** Parses {@code 2026:11:21-10:00:00}, as Sophos UTM writes it. */
    private int colons(int pos) {
        int year = digits(pos, 4);
        int month = digits(pos + 5, 2);
        int day = digits(pos + 8, 2);
        if (at(pos + 4) != ':'
                || at(pos + 7) != ':'
                || at(pos + 10) != '-'
                || year < 0
                || !Calendar.isDate(year, month, day)) {
            return NONE;
        }
        int p = timeOfDay(pos + 11);
        return p == NONE ? NONE : ended(p, zone.epochSecond(Calendar.epochDay(year, month, day) * DAY_S + secondOfDay));
    }

    /**
     * Parses the time since the epoch, with or without a fraction: ten digits of seconds as in {@code 1795255263.301}, from the
     * year 2001 to 2128; with three, six or nine digits more milliseconds, microseconds or nanoseconds.
     */
    public int epoch(int pos) {
        int p = pos;
        long value = 0;
        while (isDigit(at(p)) && p - pos <= MAX_EPOCH_DIGITS) {
            value = value * 10 + at(p) - '0';
            p++;
        }
        int more = p - pos - SECONDS_DIGITS;
        if (more < 0 || more > 9 || more % 3 != 0 || at(pos) == '0' || at(pos) > MAX_EPOCH_FIRST_DIGIT) {
            return NONE;
        }
        long unitNs = 1;
        for (int i = more; i < 9; i++) {
            unitNs *= 10;
        }
        fractionNs = 0;
        if (at(p) == '.' && isDigit(at(p + 1))) {
            p = fraction(p + 1);
        }
        if (p < endOfText() && at(p) != ' ' && at(p) != '\t') {
            return NONE;
        }
        timeNs = value * unitNs + (long) fractionNs * unitNs / NS;
        return p;
    }

    /** Parses RFC 3339, {@code 2026-11-21T10:00:00.123Z}; also with a space instead of the T, and without a zone or with one after a blank. */
    public int iso(int pos) {
        int p = isoTime(pos);
        if (p == NONE) {
            return NONE;
        }
        return at(p) == 'Z' ? ended(p + 1, isoDayS + secondOfDay) : zoned(suffix.read(p), isoDayS);
    }

    /** Parses the same, but a word after a blank is no zone: in RFC 5424 it is the next field. */
    public int isoField(int pos) {
        int p = isoTime(pos);
        if (p == NONE) {
            return NONE;
        }
        return at(p) == 'Z' ? ended(p + 1, isoDayS + secondOfDay) : zoned(suffix.attached(p), isoDayS);
    }

    /** Parses a date and a time of day without a zone. */
    private int isoTime(int pos) {
        // Eleven bytes, of which some are in both words.
        long dateBegin = word(pos);
        long dateEnd = word(pos + 3);
        if (dateEnd == 0 || dateEnd != isoDateEnd || dateBegin != isoDateBegin) {
            if (!isoDate(pos)) {
                return NONE;
            }
            isoDateBegin = dateBegin;
            isoDateEnd = dateEnd;
        }
        return timeOfDay(pos + 11);
    }

    /** Parses a date and the T after it. */
    private boolean isoDate(int pos) {
        int year = digits(pos, 4);
        int month = digits(pos + 5, 2);
        int day = digits(pos + 8, 2);
        byte t = at(pos + 10);
        boolean separated = at(pos + 4) == '-' && at(pos + 7) == '-' && (t == 'T' || t == 't' || t == ' ');
        if (!separated || year < 0 || !Calendar.isDate(year, month, day)) {
            return false;
        }
        isoDayS = Calendar.epochDay(year, month, day) * DAY_S;
        return true;
    }

    /**
     * Parses RFC 3164's {@code Nov 21 10:00:00}; also with a fraction, with a year before or after the time, with a
     * zone after it, and with a day of one digit.
     *
     * @param nowNs the receive time, which determines the year
     */
    int bsd(int pos, long nowNs) {
        long date = word(pos) & BSD_DATE;
        if (date != 0 && date == bsdDate && isDigit(at(pos + 7)) && at(pos + 9) == ':') {
            int p = timeOfDay(pos + 7);
            return p == NONE ? NONE : dated(0, bsdMonth, bsdDay, p, nowNs);
        }
        int month = month(pos);
        int p = month == 0 ? NONE : spaces(pos + 3);
        int dayDigits = p == NONE ? 0 : isDigit(at(p + 1)) ? 2 : 1;
        int day = dayDigits == 0 ? NONE : digits(p, dayDigits);
        p = day < 0 ? NONE : spaces(p + dayDigits);
        if (p == NONE) {
            return NONE;
        }
        int givenYear = yearAt(p);
        if (givenYear > 0) {
            p = spaces(p + 4);
        } else if (p == pos + 7) {
            bsdDate = date;
            bsdMonth = month;
            bsdDay = day;
        }
        p = p == NONE ? NONE : timeOfDay(p);
        return p == NONE ? NONE : dated(givenYear, month, day, p, nowNs);
    }

    /** Parses {@code 2026 Nov 21 10:00:00}, as NX-OS writes it. */
    int yearFirst(int pos) {
        int year = yearAt(pos);
        int p = year <= 0 ? NONE : spaces(pos + 4);
        int month = p == NONE ? 0 : month(p);
        p = month == 0 ? NONE : spaces(p + 3);
        int dayDigits = p == NONE ? 0 : isDigit(at(p + 1)) ? 2 : 1;
        int day = dayDigits == 0 ? NONE : digits(p, dayDigits);
        p = day < 0 ? NONE : spaces(p + dayDigits);
        p = p == NONE ? NONE : timeOfDay(p);
        return p == NONE ? NONE : dated(year, month, day, p, 0);
    }

    // ---- their parts ----

    /**
     * Parses what follows a time of day: a zone, and a year before or after it if none is given, as in {@code CST 1987} of an
     * example of RFC 3164.
     *
     * @param givenYear 0 if none is given
     * @param pos the position after the time of day
     */
    int dated(int givenYear, int month, int day, int pos, long nowNs) {
        int year = givenYear;
        int p = pos;
        if (year <= 0 && at(p) == ' ' && isDigit(at(p + 1))) {
            year = yearAt(p + 1);
            p = year > 0 ? p + 5 : p;
        }
        int after = suffix.read(p);
        if (year <= 0 && after > p && at(after) == ' ') {
            year = yearAt(after + 1);
            after = year > 0 ? after + 5 : after;
        }
        if (!Calendar.isDate(year > 0 ? year : 2000, month, day)) {
            return NONE;
        }
        return zoned(after, year > 0 ? Calendar.epochDay(year, month, day) * DAY_S : latestDayS(month, day, nowNs));
    }

    /** Parses what follows AM or PM. */
    int datedHalf(int givenYear, int month, int day, int meridiem, int pos, long nowNs) {
        suffix.half(meridiem);
        return dated(givenYear, month, day, pos, nowNs);
    }

    private int zoned(int pos, long dayS) {
        long localS = dayS + secondOfDay;
        int offsetS = suffix.offsetS();
        return ended(pos, offsetS == ZoneSuffix.LOCAL ? zone.epochSecond(localS) : localS - offsetS);
    }

    private int ended(int pos, long epochS) {
        if (!isEnd(pos)) {
            return NONE;
        }
        // A year beyond the range of 64-bit nanoseconds is a timestamp without a time.
        timeNs = Math.abs(epochS) > MAX_S ? NO_TIME : epochS * NS + fractionNs;
        return pos;
    }

    /** The second of a date in the latest year that puts it at most a week after now; for 29 February the latest leap year. */
    private long latestDayS(int month, int day, long nowNs) {
        long latestS = Math.floorDiv(nowNs, NS) + WEEK_S;
        if (latestS < yearFromS || latestS >= yearToS) {
            year = Calendar.yearOf(latestS);
            yearFromS = Calendar.epochDay(year, 1, 1) * DAY_S;
            yearToS = Calendar.epochDay(year + 1, 1, 1) * DAY_S;
        }
        int candidate = year;
        while (true) {
            long dayS = Calendar.epochDay(candidate, month, day) * DAY_S;
            if (dayS + secondOfDay <= latestS && Calendar.isDate(candidate, month, day)) {
                return dayS;
            }
            candidate--;
        }
    }
}
