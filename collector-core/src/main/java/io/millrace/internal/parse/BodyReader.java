package io.millrace.internal.parse;

import io.millrace.internal.parse.time.TimeReader;
import io.millrace.message.Body;
import io.millrace.message.Kind;
import io.millrace.message.SyslogMessage;
import io.millrace.message.SyslogMessage.Field;
import java.nio.charset.StandardCharsets;

/** Parser of message bodies: it detects the format, and reads the fields of vendors that have no other header. */
final class BodyReader {
    private static final byte[] CEE = ascii("@cee:");
    private static final byte[] CEF = ascii("CEF:");
    private static final byte[] LEEF = ascii("LEEF:");
    private static final byte[] DATE = ascii("date=");
    private static final byte[] TIME = ascii("time=");
    private static final byte[] ZONE = ascii("tz=");
    private static final byte[] DEVICE = ascii("devname=");
    private static final byte[] LOG_ID = ascii("logid=");
    private static final byte[] PAN_DATE = ascii("0000/00/00 00:00:00,");

    private static final int ZONE_LENGTH = 5;

    private final TimeReader times;
    private final byte[] dateAndTime = ascii("0000-00-00 00:00:00+0000");

    /** Where the values of FortiGate's keys begin. */
    private int time;

    private int zone;
    private int device;

    BodyReader(TimeReader times) {
        this.times = times;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Detects the format of a body that begins at a position. */
    Body bodyAt(byte[] b, int begin, int end) {
        if (begin >= end) {
            return Body.TEXT;
        }
        return switch (b[begin]) {
            case '{' -> isObject(b, begin, end) ? Body.JSON : Body.TEXT;
            case '@' ->
                Ascii.startsWith(b, begin, end, CEE) && isObject(b, Ascii.skipSpaces(b, begin + CEE.length, end), end)
                        ? Body.JSON
                        : Body.TEXT;
            case 'C' -> isVersioned(b, begin, end, CEF) ? Body.CEF : keyValue(b, begin, end);
            case 'L' -> isVersioned(b, begin, end, LEEF) ? Body.LEEF : keyValue(b, begin, end);
            case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> isPan(b, begin, end) ? Body.CSV : Body.TEXT;
            default -> keyValue(b, begin, end);
        };
    }

    /** True for a brace that is followed by a quote or a brace and closed by a brace at the end. */
    private static boolean isObject(byte[] b, int begin, int end) {
        int last = end;
        while (last > begin && b[last - 1] == ' ') {
            last--;
        }
        int first = Ascii.skipSpaces(b, begin + 1, last);
        return last - begin > 1 && b[begin] == '{' && b[last - 1] == '}' && (b[first] == '"' || first == last - 1);
    }

    /** {@code CEF:0}; some put a space after the colon. */
    private static boolean isVersioned(byte[] b, int begin, int end, byte[] name) {
        if (!Ascii.startsWith(b, begin, end, name)) {
            return false;
        }
        int version = Ascii.skipSpaces(b, begin + name.length, end);
        return version < end && Ascii.isDigit(b[version]);
    }

    /**
     * The position of {@code CEF:0|} or {@code LEEF:1.0|} after a blank.
     *
     * @param limit where it begins at the latest
     * @return -1 if there is none
     */
    static int find(byte[] b, int begin, int limit, int end) {
        for (int colon = begin + 1; colon < Math.min(limit, end); colon++) {
            if (b[colon] != ':' || b[colon - 1] != 'F') {
                continue;
            }
            int cef = colon - CEF.length + 1;
            int leef = colon - LEEF.length + 1;
            if (cef > begin && b[cef - 1] == ' ' && isHeader(b, cef, end, CEF)) {
                return cef;
            }
            if (leef > begin && b[leef - 1] == ' ' && isHeader(b, leef, end, LEEF)) {
                return leef;
            }
        }
        return -1;
    }

    private static boolean isHeader(byte[] b, int begin, int end, byte[] name) {
        if (!isVersioned(b, begin, end, name)) {
            return false;
        }
        int pos = Ascii.skipSpaces(b, begin + name.length, end);
        while (pos < end && (Ascii.isDigit(b[pos]) || b[pos] == '.')) {
            pos++;
        }
        return pos < end && b[pos] == '|';
    }

    /** True if the header of CEF or LEEF at a position names this vendor, given with the bar after it. */
    static boolean isVendor(byte[] b, int begin, int end, byte[] vendor) {
        int pos = begin;
        while (pos < end && b[pos] != '|') {
            pos++;
        }
        return Ascii.startsWith(b, pos + 1, end, vendor);
    }

    private static Body keyValue(byte[] b, int begin, int end) {
        return isKeyValue(b, begin, end) ? Body.KEY_VALUE : Body.TEXT;
    }

    /** Sets the format and, for known vendors, the kind of a message. */
    void look(ParsedMessage message) {
        int begin = message.begin(Field.MESSAGE);
        int end = message.end(Field.MESSAGE);
        if (begin < 0) {
            return;
        }
        byte[] b = message.bytes;
        if (Ascii.isByteOrderMark(b, begin, end)) {
            begin += Ascii.BYTE_ORDER_MARK_LENGTH;
            message.set(Field.MESSAGE, begin < end ? begin : -1, begin < end ? end : -1);
        }
        Body body = bodyAt(b, begin, end);
        message.body = body;
        switch (body) {
            case CEF -> message.kind = Kind.CEF;
            case LEEF -> message.kind = Kind.LEEF;
            case CSV -> message.kind = Kind.PAN_OS;
            case KEY_VALUE -> fortigate(message, begin, end);
            case JSON -> {
                if (b[begin] == '@') {
                    SyslogParser.setTrimmed(message, Field.MESSAGE, begin + CEE.length, end);
                }
            }
            case GELF -> throw new IllegalStateException("a body is no GELF");
            case TEXT -> {
                if (FilterLog.isOne(message)) {
                    message.body = Body.CSV;
                    message.kind = Kind.PFSENSE;
                }
            }
        }
    }

    /** Reads {@code date=2026-11-21 time=10:00:00 devname="fw1" … logid="0000000013"}, which has no other header. */
    private void fortigate(ParsedMessage message, int begin, int end) {
        byte[] b = message.bytes;
        if (!Ascii.startsWith(b, begin, end, DATE) || !findValues(b, begin, end)) {
            return;
        }
        message.kind = Kind.FORTIGATE;
        int date = begin + DATE.length;
        if (message.timestampNs == SyslogMessage.NO_TIME && time > 0 && end - time >= 8 && end - date >= 10) {
            System.arraycopy(b, date, dateAndTime, 0, 10);
            System.arraycopy(b, time, dateAndTime, 11, 8);
            times.wrap(dateAndTime, copyZone(b, end));
            if (times.iso(0) != TimeReader.NONE) {
                message.timestampNs = times.timeNs();
            }
        }
        if (!message.has(Field.HOSTNAME) && device > 0) {
            boolean quoted = device < end && b[device] == '"';
            int from = quoted ? device + 1 : device;
            int to = from;
            while (to < end && b[to] != (quoted ? '"' : ' ')) {
                to++;
            }
            if (to > from) {
                message.set(Field.HOSTNAME, from, to);
            }
        }
    }

    /**
     * Finds the values of some keys in one pass: {@link #time}, {@link #zone} and {@link #device}; -1 for one that is not there. A
     * key is at the beginning or after a space.
     *
     * @return false if there is no {@code logid}
     */
    private boolean findValues(byte[] b, int begin, int end) {
        time = -1;
        zone = -1;
        device = -1;
        boolean hasLogId = false;
        int word = begin;
        while (word < end) {
            switch (b[word]) {
                case 't' -> {
                    time = valueOf(TIME, time, b, word, end);
                    zone = valueOf(ZONE, zone, b, word, end);
                }
                case 'd' -> device = valueOf(DEVICE, device, b, word, end);
                case 'l' -> hasLogId |= Ascii.startsWith(b, word, end, LOG_ID);
                default -> {
                    // Another key, or text.
                }
            }
            while (word < end && b[word] != ' ') {
                word++;
            }
            word++;
        }
        return hasLogId;
    }

    private static int valueOf(byte[] key, int known, byte[] b, int word, int end) {
        return known < 0 && Ascii.startsWith(b, word, end, key) ? word + key.length : known;
    }

    /** Copies {@code tz="+0100"}, which newer versions send. Returns the length of date and time with or without it. */
    private int copyZone(byte[] b, int end) {
        int without = dateAndTime.length - ZONE_LENGTH;
        int from = zone > 0 && zone < end && b[zone] == '"' ? zone + 1 : zone;
        if (zone < 0 || end - from < ZONE_LENGTH || (b[from] != '+' && b[from] != '-')) {
            return without;
        }
        System.arraycopy(b, from, dateAndTime, without, ZONE_LENGTH);
        return dateAndTime.length;
    }

    /** {@code 1,2026/11/21 10:00:00,001234567890,TRAFFIC,…}. */
    private static boolean isPan(byte[] b, int begin, int end) {
        int pos = begin;
        while (pos < end && Ascii.isDigit(b[pos])) {
            pos++;
        }
        if (pos >= end || b[pos] != ',' || end - pos <= PAN_DATE.length) {
            return false;
        }
        for (int i = 0; i < PAN_DATE.length; i++) {
            byte c = b[pos + 1 + i];
            boolean right = PAN_DATE[i] == '0' ? c >= '0' && c <= '9' : c == PAN_DATE[i];
            if (!right) {
                return false;
            }
        }
        return true;
    }

    /** True for a word, an equals sign, a value, and another word with an equals sign. */
    private static boolean isKeyValue(byte[] b, int begin, int end) {
        int pos = keyEnd(b, begin, end);
        if (pos == begin || pos >= end || b[pos] != '=') {
            return false;
        }
        pos++;
        if (pos < end && b[pos] == '"') {
            pos++;
            while (pos < end && b[pos] != '"') {
                pos += b[pos] == '\\' ? 2 : 1;
            }
            pos++;
        } else {
            while (pos < end && b[pos] != ' ') {
                pos++;
            }
        }
        if (pos >= end || b[pos] != ' ') {
            return false;
        }
        int second = keyEnd(b, pos + 1, end);
        return second > pos + 1 && second < end && b[second] == '=';
    }

    private static int keyEnd(byte[] b, int begin, int end) {
        int pos = begin;
        while (pos < end && Ascii.isKey(b[pos])) {
            pos++;
        }
        return pos;
    }
}
