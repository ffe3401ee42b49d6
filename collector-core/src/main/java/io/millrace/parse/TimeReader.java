package io.millrace.parse;

import java.time.ZoneId;

/**
 * Parser of timestamps of RFC 5424, RFC 3164 and devices. Each method takes the position at which a timestamp may begin
 * and returns the position after it, or {@link #NONE}. {@link #timeNs()} then returns the time. One thread.
 */
final class TimeReader {
    static final int NONE = -1;

    private static final long NS = 1_000_000_000;
    private static final long MAX_S = Long.MAX_VALUE / NS - 1;
    private static final int DAY_S = 86_400;
    private static final long WEEK_S = 7L * DAY_S;
    private static final int MAX_FRACTION_DIGITS = 9;
    private static final int[] POWERS = {
        1_000_000_000, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1_000, 100, 10, 1
    };

    private final Zone zone;
    private byte[] b = new byte[0];
    private int end;
    private long timeNs;

    private int secondOfDay;
    private int fractionNs;

    private long yearFromS = 1;
    private long yearToS;
    private int year;

    TimeReader(ZoneId zone) {
        this.zone = new Zone(zone);
    }

    /** Sets the text to parse. */
    void wrap(byte[] bytes, int end) {
        this.b = bytes;
        this.end = end;
    }

    /** The parsed time in ns since the epoch. */
    long timeNs() {
        return timeNs;
    }

    // ---- the forms ----

    /** Parses a timestamp of any format. */
    int any(int pos, long nowNs) {
        if (!Ascii.isDigit(at(pos))) {
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

    /** Parses ten digits of seconds since the epoch and a fraction: {@code 1795255263.301}. */
    int epoch(int pos) {
        int high = digits(pos, 1);
        int low = digits(pos + 1, 9);
        if ((high | low) < 0 || at(pos + 10) != '.' || !Ascii.isDigit(at(pos + 11))) {
            return NONE;
        }
        return ended(fraction(pos + 11), high * NS + low);
    }

    /** Parses RFC 3339, {@code 2026-11-21T10:00:00.123Z}; also with a space instead of the T, and without a zone. */
    int iso(int pos) {
        int year = digits(pos, 4);
        if (year < 0 || at(pos + 4) != '-' || at(pos + 7) != '-') {
            return NONE;
        }
        int month = digits(pos + 5, 2);
        int day = digits(pos + 8, 2);
        byte t = at(pos + 10);
        if (!Calendar.isDate(year, month, day) || (t != 'T' && t != 't' && t != ' ')) {
            return NONE;
        }
        int p = timeOfDay(pos + 11);
        return p == NONE ? NONE : zoned(p, Calendar.epochDay(year, month, day) * DAY_S + secondOfDay, true);
    }

    /**
     * Parses RFC 3164's {@code Nov 21 10:00:00}; also with a fraction, with a year before or after the time, with a
     * zone after it, and with a day of one digit.
     *
     * @param nowNs the receive time, which determines the year
     */
    int bsd(int pos, long nowNs) {
        int month = month(pos);
        int p = month == 0 ? NONE : spaces(pos + 3);
        int dayDigits = p == NONE ? 0 : Ascii.isDigit(at(p + 1)) ? 2 : 1;
        int day = dayDigits == 0 ? NONE : digits(p, dayDigits);
        p = day < 0 ? NONE : spaces(p + dayDigits);
        if (p == NONE) {
            return NONE;
        }
        int givenYear = yearAt(p);
        if (givenYear > 0) {
            p = spaces(p + 4);
        }
        p = p == NONE ? NONE : timeOfDay(p);
        if (p == NONE || !Calendar.isDate(givenYear > 0 ? givenYear : 2000, month, day)) {
            return NONE;
        }
        if (givenYear <= 0 && at(p) == ' ' && yearAt(p + 1) > 0) {
            givenYear = yearAt(p + 1);
            p += 5;
            if (!Calendar.isDate(givenYear, month, day)) {
                return NONE;
            }
        }
        int yearAfterZone = givenYear > 0 ? 0 : yearAfterZone(p);
        int year = givenYear > 0 ? givenYear : yearAfterZone > 0 ? yearAfterZone : latestYear(month, day, nowNs);
        int after = zoned(p, Calendar.epochDay(year, month, day) * DAY_S + secondOfDay, false);
        return after == NONE || yearAfterZone == 0 ? after : after + 5;
    }

    /** The year in {@code CST 1987}, as in an example of RFC 3164; 0 if there is none. */
    private int yearAfterZone(int pos) {
        int letters = pos + 1;
        while (at(letters) >= 'A' && at(letters) <= 'Z') {
            letters++;
        }
        boolean zone = at(pos) == ' ' && letters - pos > 1 && zoneHours(pos + 1, letters - pos - 1) != UNKNOWN;
        return zone && at(letters) == ' ' ? yearAt(letters + 1) : 0;
    }

    /** Parses {@code 2026 Nov 21 10:00:00}, as NX-OS writes it. */
    int yearFirst(int pos) {
        int year = yearAt(pos);
        int p = year <= 0 ? NONE : spaces(pos + 4);
        int month = p == NONE ? 0 : month(p);
        p = month == 0 ? NONE : spaces(p + 3);
        int dayDigits = p == NONE ? 0 : Ascii.isDigit(at(p + 1)) ? 2 : 1;
        int day = dayDigits == 0 ? NONE : digits(p, dayDigits);
        p = day < 0 ? NONE : spaces(p + dayDigits);
        p = p == NONE ? NONE : timeOfDay(p);
        return p == NONE || !Calendar.isDate(year, month, day)
                ? NONE
                : zoned(p, Calendar.epochDay(year, month, day) * DAY_S + secondOfDay, false);
    }

    // ---- their parts ----

    /** Parses {@code hh:mm:ss} and a fraction; the hour may have one digit. */
    private int timeOfDay(int pos) {
        int hourDigits = at(pos + 1) == ':' ? 1 : 2;
        int p = pos + hourDigits;
        int hour = digits(pos, hourDigits);
        int minute = digits(p + 1, 2);
        int second = digits(p + 4, 2);
        if ((hour | minute | second) < 0
                || at(p) != ':'
                || at(p + 3) != ':'
                || hour > 23
                || minute > 59
                || second > 60) {
            return NONE;
        }
        secondOfDay = hour * 3600 + minute * 60 + second;
        fractionNs = 0;
        p += 6;
        byte point = at(p);
        // H3C writes milliseconds after a colon.
        boolean millis = point == ':' && digits(p + 1, 3) >= 0 && at(p + 4) == ' ';
        return (point == '.' || point == ',' || millis) && Ascii.isDigit(at(p + 1)) ? fraction(p + 1) : p;
    }

    private int fraction(int first) {
        int p = first;
        int value = 0;
        for (; Ascii.isDigit(at(p)); p++) {
            if (p - first < MAX_FRACTION_DIGITS) {
                value = value * 10 + at(p) - '0';
            }
        }
        fractionNs = value * POWERS[Math.min(p - first, MAX_FRACTION_DIGITS)];
        return p;
    }

    /** Parses a known time zone after a time; returns the position after it. */
    private int zoned(int pos, long localS, boolean iso) {
        byte c = at(pos);
        int p = c == ' ' && !iso ? pos + 1 : pos;
        byte z = at(p);
        if ((z == '+' || z == '-') && digits(p + 1, 2) >= 0) {
            int minutes = at(p + 3) == ':' ? p + 4 : p + 3;
            int hour = digits(p + 1, 2);
            int minute = digits(minutes, 2);
            if (minute >= 0 && minute < 60 && hour < 24) {
                int offsetS = (hour * 60 + minute) * 60;
                int after = ended(minutes + 2, z == '-' ? localS + offsetS : localS - offsetS);
                if (after != NONE || iso) {
                    return after;
                }
            }
        }
        if (iso && (z == 'Z' || z == 'z')) {
            return ended(p + 1, localS);
        }
        if (!iso && Ascii.isLetter(z)) {
            int word = p;
            while (Ascii.isLetter(at(word)) || Ascii.isDigit(at(word)) || at(word) == '+' || at(word) == '-') {
                word++;
            }
            int hours = zoneHours(p, word - p);
            boolean named = hours != UNKNOWN;
            // Cisco devices may have time zones of any name.
            if (named || isCiscoAfter(word)) {
                boolean offset = named && hours != AMBIGUOUS;
                int after = ended(word, offset ? localS - hours * 3600L : zone.epochSecond(localS));
                if (after != NONE) {
                    return after;
                }
            }
        }
        return ended(pos, zone.epochSecond(localS));
    }

    /** True before {@code : %FAC-…} and {@code : process[1]: %FAC-…}. */
    private boolean isCiscoAfter(int pos) {
        int p = at(pos) == ':' ? spaces(pos + 1) : NONE;
        if (p == NONE || at(p) == '%') {
            return p != NONE;
        }
        while (Ascii.isLetter(at(p)) || Ascii.isDigit(at(p)) || at(p) == '_' || at(p) == '-') {
            p++;
        }
        if (at(p) != '[') {
            return false;
        }
        do {
            p++;
        } while (Ascii.isDigit(at(p)));
        return at(p) == ']' && at(p + 1) == ':' && at(p + 2) == ' ' && at(p + 3) == '%';
    }

    private int ended(int pos, long epochS) {
        byte c = at(pos);
        if (pos < end && c != ' ' && c != ':') {
            return NONE;
        }
        // A year beyond the range of 64-bit nanoseconds is a timestamp without a time.
        timeNs = Math.abs(epochS) > MAX_S ? SyslogMessage.NO_TIME : epochS * NS + fractionNs;
        return pos;
    }

    private static final int UNKNOWN = 99;
    private static final int AMBIGUOUS = 98;

    /** Offsets in hours of unambiguous zone names (RFC 5322 section 4.3, and others). */
    private int zoneHours(int pos, int length) {
        if (length != 3 && length != 4) {
            return UNKNOWN;
        }
        int name = 0;
        for (int i = 0; i < length; i++) {
            name = name << 8 | b[pos + i];
        }
        return switch (name) {
            case 'U' << 16 | 'T' << 8 | 'C', 'G' << 16 | 'M' << 8 | 'T', 'W' << 16 | 'E' << 8 | 'T' -> 0;
            case 'C' << 16 | 'E' << 8 | 'T' -> 1;
            case 'C' << 24 | 'E' << 16 | 'S' << 8 | 'T', 'E' << 16 | 'E' << 8 | 'T' -> 2;
            case 'E' << 24 | 'E' << 16 | 'S' << 8 | 'T', 'M' << 16 | 'S' << 8 | 'K' -> 3;
            case 'B' << 16 | 'S' << 8 | 'T', 'I' << 16 | 'S' << 8 | 'T' -> AMBIGUOUS;
            case 'J' << 16 | 'S' << 8 | 'T' -> 9;
            case 'A' << 24 | 'E' << 16 | 'S' << 8 | 'T' -> 10;
            case 'A' << 24 | 'E' << 16 | 'D' << 8 | 'T' -> 11;
            case 'E' << 16 | 'D' << 8 | 'T' -> -4;
            case 'E' << 16 | 'S' << 8 | 'T', 'C' << 16 | 'D' << 8 | 'T' -> -5;
            case 'C' << 16 | 'S' << 8 | 'T', 'M' << 16 | 'D' << 8 | 'T' -> -6;
            case 'M' << 16 | 'S' << 8 | 'T', 'P' << 16 | 'D' << 8 | 'T' -> -7;
            case 'P' << 16 | 'S' << 8 | 'T' -> -8;
            default -> UNKNOWN;
        };
    }

    private int month(int pos) {
        if (pos + 3 > end || pos < 0) {
            return 0;
        }
        int name = (b[pos] | 0x20) << 16 | (b[pos + 1] | 0x20) << 8 | (b[pos + 2] | 0x20);
        return switch (name) {
            case 'j' << 16 | 'a' << 8 | 'n' -> 1;
            case 'f' << 16 | 'e' << 8 | 'b' -> 2;
            case 'm' << 16 | 'a' << 8 | 'r' -> 3;
            case 'a' << 16 | 'p' << 8 | 'r' -> 4;
            case 'm' << 16 | 'a' << 8 | 'y' -> 5;
            case 'j' << 16 | 'u' << 8 | 'n' -> 6;
            case 'j' << 16 | 'u' << 8 | 'l' -> 7;
            case 'a' << 16 | 'u' << 8 | 'g' -> 8;
            case 's' << 16 | 'e' << 8 | 'p' -> 9;
            case 'o' << 16 | 'c' << 8 | 't' -> 10;
            case 'n' << 16 | 'o' << 8 | 'v' -> 11;
            case 'd' << 16 | 'e' << 8 | 'c' -> 12;
            default -> 0;
        };
    }

    /** Parses four digits of a year that end there; returns 0 for other texts. */
    private int yearAt(int pos) {
        int value = digits(pos, 4);
        byte after = at(pos + 4);
        return value >= 1970 && value < 2200 && (after == ' ' || after == ':' || pos + 4 == end) ? value : 0;
    }

    /** The position after one or more spaces. */
    private int spaces(int pos) {
        int p = pos;
        while (at(p) == ' ') {
            p++;
        }
        return p == pos ? NONE : p;
    }

    private int digits(int pos, int count) {
        if (pos < 0 || pos + count > end) {
            return NONE;
        }
        int value = 0;
        for (int i = pos; i < pos + count; i++) {
            int digit = b[i] - '0';
            if (digit < 0 || digit > 9) {
                return NONE;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    private byte at(int pos) {
        return pos >= 0 && pos < end ? b[pos] : 0;
    }

    /** The latest year that puts a date at most a week after now; for 29 February the latest leap year. */
    private int latestYear(int month, int day, long nowNs) {
        long latestS = Math.floorDiv(nowNs, NS) + WEEK_S;
        if (latestS < yearFromS || latestS >= yearToS) {
            year = Calendar.yearOf(latestS);
            yearFromS = Calendar.epochDay(year, 1, 1) * DAY_S;
            yearToS = Calendar.epochDay(year + 1, 1, 1) * DAY_S;
        }
        int candidate = year;
        while (!Calendar.isDate(candidate, month, day)
                || Calendar.epochDay(candidate, month, day) * DAY_S + secondOfDay > latestS) {
            candidate--;
        }
        return candidate;
    }
}
