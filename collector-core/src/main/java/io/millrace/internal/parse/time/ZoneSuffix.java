package io.millrace.internal.parse.time;

/** Reader of what follows a time of day: an offset, the name of a time zone, AM or PM. */
final class ZoneSuffix {
    /** The offset if none is given. */
    static final int LOCAL = Integer.MIN_VALUE;

    private static final int NAME_GMT = 'G' << 16 | 'M' << 8 | 'T';
    private static final int NAME_UTC = 'U' << 16 | 'T' << 8 | 'C';
    private static final int MAX_OFFSET_HOURS = 14;
    private static final int NOON_S = 12 * 3600;

    private final TimeText text;
    private int offsetS = LOCAL;

    ZoneSuffix(TimeText text) {
        this.text = text;
    }

    /** The offset from UTC in seconds that was read last, or {@link #LOCAL}. */
    int offsetS() {
        return offsetS;
    }

    /** Parses a zone after a time; returns the position after it; its beginning if there is none. */
    int read(int pos) {
        offsetS = LOCAL;
        byte c = text.at(pos);
        if (c == ' ') {
            // In most messages a host follows.
            byte z = text.at(pos + 1);
            boolean none = z > 'Z' || TimeText.isDigit(z);
            return none && z != 'a' && z != 'p' ? pos : afterBlank(pos + 1, pos);
        }
        if (c == ':' || c == 0) {
            return pos;
        }
        if ((c == 'Z' || c == 'z') && text.isEnd(pos + 1)) {
            offsetS = 0;
            return pos + 1;
        }
        return c == '+' || c == '-' ? offset(pos, pos) : name(pos, pos, true);
    }

    /** Parses a zone that no blank separates from the time; returns the position after it; its beginning if there is none. */
    int attached(int pos) {
        offsetS = LOCAL;
        return text.at(pos) == ' ' ? pos : read(pos);
    }

    private int afterBlank(int word, int none) {
        byte c = text.at(word);
        if (c == 'a' || c == 'p') {
            int after = meridiem(word);
            return after == TimeText.NONE || !isHostNext(after) ? none : afterMeridiem(word, after);
        }
        if (c != '+' && c != '-') {
            return name(word, none, false);
        }
        int after = offset(word, none);
        if (after == none || text.at(after) != ' ') {
            return after;
        }
        // Go writes the offset and the name: +0200 CEST.
        int offset = offsetS;
        int named = name(after + 1, after, false);
        offsetS = offset;
        return named;
    }

    /** Parses {@code +hh:mm}, {@code +hhmm} or {@code +hh}. */
    private int offset(int pos, int none) {
        int hours = text.digits(pos + 1, 2);
        int p = pos + 3;
        int first = text.at(p) == ':' ? p + 1 : p;
        int minutes = text.digits(first, 2);
        if (minutes >= 0) {
            p = first + 2;
        } else if (hours <= MAX_OFFSET_HOURS && isEndOfHours(p)) {
            minutes = 0;
        }
        if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || !text.isEnd(p)) {
            return none;
        }
        set(text.at(pos), hours, minutes);
        return p;
    }

    private void set(byte sign, int hours, int minutes) {
        int seconds = (hours * 60 + minutes) * 60;
        offsetS = sign == '-' ? -seconds : seconds;
    }

    private int name(int word, int none, boolean attached) {
        int p = word;
        long packed = 0;
        while (TimeText.isCapital(text.at(p)) && p - word <= ZoneNames.MAX_LENGTH) {
            packed = packed << 8 | text.at(p);
            p++;
        }
        int length = p - word;
        byte c = text.at(p);
        if ((c == '+' || c == '-') && (packed == NAME_GMT || packed == NAME_UTC)) {
            return offsetOfName(p, none);
        }
        if (length == 0 || length > ZoneNames.MAX_LENGTH || !text.isEnd(p)) {
            return none;
        }
        if (packed == NAME_UTC || packed == NAME_GMT || (packed == 'Z' && isHostNext(p))) {
            offsetS = 0;
            return p;
        }
        if (length == 1) {
            return none;
        }
        if (length == 2) {
            int after = meridiem(word);
            if (after == TimeText.NONE || (!attached && !isHostNext(after))) {
                return none;
            }
            return afterMeridiem(word, after);
        }
        int index = ZoneNames.find(packed);
        if (index >= 0 && (attached || ZoneNames.isCertain(index) || isZone(p))) {
            int seconds = ZoneNames.offsetS(index);
            offsetS = seconds == ZoneNames.AMBIGUOUS ? LOCAL : seconds;
            return p;
        }
        // Unknown, but not separated from the time.
        return attached ? p : none;
    }

    /** Parses the offset in {@code GMT+2}, {@code GMT+5:30} and {@code UTC+05:30}. */
    private int offsetOfName(int sign, int none) {
        if (text.digits(sign + 1, 2) >= 0) {
            return offset(sign, none);
        }
        int hours = text.digits(sign + 1, 1);
        int p = sign + 2;
        int minutes = text.at(p) == ':' ? text.digits(p + 1, 2) : TimeText.NONE;
        if (minutes >= 0) {
            p += 3;
        } else if (isEndOfHours(p)) {
            minutes = 0;
        }
        if (hours < 0 || minutes < 0 || minutes > 59 || !text.isEnd(p)) {
            return none;
        }
        set(text.at(sign), hours, minutes);
        return p;
    }

    /** True if an offset may end after its hours: a colon is then the end of Cisco's time, not one before minutes. */
    private boolean isEndOfHours(int pos) {
        return text.isEnd(pos) && (text.at(pos) != ':' || text.at(pos + 1) == '%' || text.isEnd(pos + 1));
    }

    /** The position after AM or PM, in any case, of a time from 0:00 to 12:59; {@link TimeText#NONE} if it is none. */
    int meridiem(int word) {
        int first = text.at(word) | 0x20;
        boolean right = (first == 'a' || first == 'p')
                && (text.at(word + 1) | 0x20) == 'm'
                && text.isEnd(word + 2)
                && text.secondOfDay < NOON_S + 3600;
        return right ? word + 2 : TimeText.NONE;
    }

    private int afterMeridiem(int word, int after) {
        half(word);
        return read(after);
    }

    /** Makes the time before AM or PM one of 24 hours. */
    void half(int word) {
        text.secondOfDay = text.secondOfDay % NOON_S + ((text.at(word) | 0x20) == 'p' ? NOON_S : 0);
    }

    /** True if a year, Cisco's mnemonic, or a host and a tag follow a word that may be a zone. */
    private boolean isZone(int pos) {
        if (text.at(pos) == ':') {
            int p = text.spaces(pos + 1);
            return p != TimeText.NONE && text.at(p) == '%';
        }
        return text.yearAt(pos + 1) > 0 || isHostNext(pos);
    }

    /**
     * True if a host follows: a word that cannot be text, because it is a letter with a digit, a point or a hyphen, or an address; or
     * a word without a colon at its end, and then one with a colon or a bracket, as a tag has it.
     */
    private boolean isHostNext(int pos) {
        int host = text.spaces(pos);
        int p = host;
        boolean letters = false;
        int colons = 0;
        int others = 0;
        for (; isWord(p); p++) {
            byte c = text.at(p);
            if (c == '[' || c == '=') {
                return false;
            }
            letters |= TimeText.isLetter(c);
            colons += c == ':' ? 1 : 0;
            others += TimeText.isDigit(c) || c == '.' || c == '-' ? 1 : 0;
        }
        int tag = text.spaces(p);
        if (host == TimeText.NONE || p == host || tag == TimeText.NONE) {
            return false;
        }
        if (text.at(p - 1) == ':' && text.at(p - 2) != ':') {
            return text.at(tag) == '%';
        }
        return (letters && others > 0) || colons > 1 || isAddress(host, p) || isTag(tag);
    }

    private boolean isWord(int pos) {
        return text.at(pos) > ' ' || text.at(pos) < 0;
    }

    /** True for digits and three points. */
    private boolean isAddress(int begin, int end) {
        int points = 0;
        for (int i = begin; i < end; i++) {
            points += text.at(i) == '.' ? 1 : 0;
        }
        return points == 3 && TimeText.isDigit(text.at(begin));
    }

    private boolean isTag(int begin) {
        for (int i = begin; isWord(i); i++) {
            if (text.at(i) == ':' || text.at(i) == '[') {
                return true;
            }
        }
        return false;
    }
}
