package io.millrace.internal.parse.time;

import io.millrace.internal.charset.AsciiWord;

/** A text that contains a timestamp, and the parts that timestamps consist of. */
abstract class TimeText {
    /** No position: what should be there is not. */
    public static final int NONE = -1;

    static final long NS = 1_000_000_000;
    static final int DAY_S = 86_400;

    private static final int MAX_FRACTION_DIGITS = 9;
    private static final int[] POWERS = {
        1_000_000_000, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1_000, 100, 10, 1
    };

    private byte[] b = new byte[0];
    private int end;

    /** The time of day that was read last. */
    int secondOfDay;

    int fractionNs;

    /** Sets the text to parse. */
    public void wrap(byte[] bytes, int end) {
        this.b = bytes;
        this.end = end;
    }

    /** Parses {@code hh:mm:ss} and a fraction; the hour may have one digit. */
    final int timeOfDay(int pos) {
        int seconds = DigitWord.secondOfDay(word(pos));
        int p = pos + 8;
        if (seconds == NONE) {
            // Perhaps at the end of the text, or the hour has one digit.
            int hourDigits = at(pos + 1) == ':' ? 1 : 2;
            p = pos + hourDigits + 6;
            seconds = secondOfDay(digits(pos, hourDigits), pos + hourDigits);
            if (seconds == NONE) {
                return NONE;
            }
        }
        secondOfDay = seconds;
        fractionNs = 0;
        byte point = at(p);
        // H3C writes milliseconds after a colon.
        boolean millis = point == ':' && digits(p + 1, 3) >= 0 && at(p + 4) == ' ';
        return (point == '.' || point == ',' || millis) && isDigit(at(p + 1)) ? fraction(p + 1) : p;
    }

    /** Parses {@code :mm:ss}. */
    private int secondOfDay(int hour, int pos) {
        int minute = digits(pos + 1, 2);
        int second = digits(pos + 4, 2);
        boolean right = (hour | minute | second) >= 0
                && at(pos) == ':'
                && at(pos + 3) == ':'
                && hour <= 23
                && minute <= 59
                && second <= 60;
        return right ? hour * 3600 + minute * 60 + second : NONE;
    }

    /** Parses {@code hh:mm}; the hour may have one digit. */
    final int minuteOfDay(int pos) {
        int hourDigits = at(pos + 1) == ':' ? 1 : 2;
        int p = pos + hourDigits;
        int hour = digits(pos, hourDigits);
        int minute = digits(p + 1, 2);
        if ((hour | minute) < 0 || at(p) != ':' || hour > 23 || minute > 59 || at(p + 3) == ':') {
            return NONE;
        }
        secondOfDay = hour * 3600 + minute * 60;
        fractionNs = 0;
        return p + 3;
    }

    final int fraction(int first) {
        long word = word(first);
        int count = DigitWord.count(word);
        if (count > 0 && count < Long.BYTES) {
            fractionNs = DigitWord.value(word, count) * POWERS[count];
            return first + count;
        }
        int p = first;
        int value = 0;
        for (; isDigit(at(p)); p++) {
            if (p - first < MAX_FRACTION_DIGITS) {
                value = value * 10 + at(p) - '0';
            }
        }
        fractionNs = value * POWERS[Math.min(p - first, MAX_FRACTION_DIGITS)];
        return p;
    }

    /** The month whose name begins with these three letters; 0 if there is none. */
    final int month(int pos) {
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

    /**
     * Parses the four digits of a year; returns 0 for other texts. A blank follows, or Cisco's colon and a blank: {@code
     * 2001:db8::1} is a host.
     */
    final int yearAt(int pos) {
        int value = digits(pos, 4);
        if (value < 1970 || value >= 2200) {
            return 0;
        }
        byte after = at(pos + 4);
        boolean ended = after == ' ' || pos + 4 >= end || (after == ':' && (at(pos + 5) == ' ' || pos + 5 >= end));
        return ended ? value : 0;
    }

    /** The position after one or more spaces. */
    final int spaces(int pos) {
        int p = pos;
        while (at(p) == ' ') {
            p++;
        }
        return p == pos ? NONE : p;
    }

    final int digits(int pos, int count) {
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

    /** The byte at a position; 0 outside of the text. */
    final byte at(int pos) {
        return pos >= 0 && pos < end ? b[pos] : 0;
    }

    /** Eight bytes from a position on, the first lowest; 0 if the text has fewer. */
    final long word(int pos) {
        return pos >= 0 && pos + Long.BYTES <= end ? AsciiWord.load(b, pos) : 0;
    }

    final int endOfText() {
        return end;
    }

    /** True if nothing, a blank or a colon is there. */
    final boolean isEnd(int pos) {
        byte c = at(pos);
        return pos >= end || c == ' ' || c == ':' || c == '\t';
    }

    static boolean isDigit(byte c) {
        return c >= '0' && c <= '9';
    }

    static boolean isCapital(byte c) {
        return c >= 'A' && c <= 'Z';
    }

    static boolean isLetter(byte c) {
        return (c >= 'a' && c <= 'z') || isCapital(c);
    }
}
