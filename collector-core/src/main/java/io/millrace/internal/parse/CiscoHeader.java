package io.millrace.internal.parse;

import io.millrace.internal.parse.time.TimeReader;
import io.millrace.message.Kind;
import io.millrace.message.SyslogMessage;
import io.millrace.message.SyslogMessage.Field;

/**
 * Parser of Cisco's header. Each part except the mnemonic can be disabled on the device.
 *
 * <pre>
 * number: host: number: *time: %FACILITY-SEVERITY-MNEMONIC: text        IOS, IOS XE, NX-OS, ASA
 * number: host node:time : process[pid]: %FACILITY-SEVERITY-MNEMONIC : text        IOS XR
 * host: *task: time: %FACILITY-SEVERITY-MNEMONIC: text        wireless controllers
 * number: time: host: %FACILITY-SEVERITY-MNEMONIC: text        others
 * </pre>
 *
 * The time may be the uptime of the device. The mnemonic becomes the application's name, except with IOS XR: there
 * it stays in the text, because the process has a name.
 */
final class CiscoHeader {
    private static final int MAX_NUMBER_DIGITS = 12;
    private static final int MAX_WORD = 255;
    private static final int YEAR_DIGITS = 4;

    private final TimeReader times;
    private byte[] b = new byte[0];
    private int end;
    private long nowNs;

    /** True if a colon is where the device's number could be. */
    private boolean colonFirst;

    private long number;
    private long timeNs;

    CiscoHeader(TimeReader times) {
        this.times = times;
    }

    /** Parses the text after the PRI; returns false, with no field set, if it has another header. */
    boolean read(byte[] bytes, int begin, int end, long nowNs, ParsedMessage message) {
        this.b = bytes;
        this.end = end;
        this.nowNs = nowNs;
        number = -1;
        timeNs = SyslogMessage.NO_TIME;
        colonFirst = at(begin) == ':';
        int pos = colonFirst ? Ascii.skipSpaces(b, begin + 1, end) : begin;
        // The device's number and the sequence number of its logging service.
        int first = number(number(pos));
        pos = first;
        int hostEnd = -1;
        int after = stamp(pos, false);
        if (after < 0 && at(pos) != '%') {
            hostEnd = hostEnd(pos);
            int next = afterHost(pos, hostEnd);
            if (next < 0) {
                return false;
            }
            pos = number(next);
            after = stamp(pos, true);
        }
        int text = after < 0 ? pos : after;
        // The host is the word before the mnemonic.
        int word = hostEnd < 0 ? hostBeforeMnemonic(text) : -1;
        if (word > 0) {
            first = text;
            hostEnd = word;
            text = Ascii.skipSpaces(b, word + 1, end);
        }
        boolean marked = number >= 0 || colonFirst;
        if (!readMnemonic(bytes, text, end, message) && !process(text, message)) {
            if (!marked || after < 0) {
                return false;
            }
            plain(text, message);
        }
        if (hostEnd > first) {
            message.set(Field.HOSTNAME, first, hostEnd);
        }
        message.sequenceId = number;
        message.timestampNs = timeNs;
        return true;
    }

    /** Parses {@code %FACILITY-SEVERITY-MNEMONIC: text}; returns false, with no field set, if there is none. */
    boolean readMnemonic(byte[] bytes, int begin, int end, ParsedMessage message) {
        this.b = bytes;
        this.end = end;
        int mnemonicEnd = mnemonicEnd(begin);
        if (mnemonicEnd < 0) {
            return false;
        }
        message.kind = Kind.CISCO;
        message.set(Field.APPNAME, begin, mnemonicEnd);
        int colon = Ascii.skipSpaces(b, mnemonicEnd, end);
        int text = at(colon + 1) == ' ' ? colon + 2 : colon + 1;
        if (text < end) {
            message.set(Field.MESSAGE, text, end);
        }
        return true;
    }

    /** Parses text after a number and a time without a mnemonic: debugging output, and {@code last message repeated}. */
    private void plain(int begin, ParsedMessage message) {
        message.kind = Kind.CISCO;
        if (begin < end) {
            message.set(Field.MESSAGE, begin, end);
        }
    }

    /** The end of the word before a colon and a mnemonic, which is the host; -1 if there is none. */
    private int hostBeforeMnemonic(int begin) {
        int pos = begin;
        while (at(begin) != '%' && pos < end && pos - begin < MAX_WORD && b[pos] != ' ' && b[pos] != '[') {
            pos++;
        }
        boolean host = pos > begin + 1
                && at(pos - 1) == ':'
                && at(pos) == ' '
                && mnemonicEnd(Ascii.skipSpaces(b, pos, end)) > 0;
        return host ? pos - 1 : -1;
    }

    private int nameEnd(int begin) {
        int pos = begin;
        while (pos < end && b[pos] > ' ' && b[pos] != '[' && b[pos] != ':') {
            pos++;
        }
        return pos;
    }

    private int pidEnd(int nameEnd) {
        int pos = nameEnd;
        while (pos < end && b[pos] > ' ' && b[pos] != ']') {
            pos++;
        }
        return pos;
    }

    /** True for {@code process[pid]: } before a mnemonic, as IOS XR sends it. */
    private boolean isProcess(int begin) {
        int nameEnd = nameEnd(begin);
        int pidEnd = pidEnd(nameEnd);
        return nameEnd > begin
                && at(nameEnd) == '['
                && at(pidEnd) == ']'
                && at(pidEnd + 1) == ':'
                && mnemonicEnd(Ascii.skipSpaces(b, pidEnd + 2, end)) >= 0;
    }

    private boolean process(int begin, ParsedMessage message) {
        if (!isProcess(begin)) {
            return false;
        }
        int nameEnd = nameEnd(begin);
        int pidEnd = pidEnd(nameEnd);
        int text = Ascii.skipSpaces(b, pidEnd + 2, end);
        message.kind = Kind.CISCO;
        message.set(Field.APPNAME, begin, nameEnd);
        message.set(Field.PROCID, nameEnd + 1, pidEnd);
        message.set(Field.MESSAGE, text, end);
        return true;
    }

    /** Parses {@code 000123: }; returns the position after it, or its beginning if there is none. */
    private int number(int begin) {
        int pos = begin;
        long value = 0;
        while (pos - begin < MAX_NUMBER_DIGITS && Ascii.isDigit(at(pos))) {
            value = value * 10 + at(pos) - '0';
            pos++;
        }
        if (pos == begin || at(pos) != ':' || at(pos + 1) != ' ') {
            return begin;
        }
        number = value;
        return Ascii.skipSpaces(b, pos + 1, end);
    }

    /** The position after a time or uptime and its colon; -1 if there is none. */
    private int stamp(int begin, boolean hostKnown) {
        // An asterisk means that the clock was never set, a point that it lost synchronization.
        boolean unset = at(begin) == '*';
        int pos = unset || at(begin) == '.' ? begin + 1 : begin;
        int after = times.any(pos, nowNs);
        if (after != TimeReader.NONE) {
            timeNs = unset ? SyslogMessage.NO_TIME : times.timeNs();
        } else {
            after = uptimeEnd(pos);
        }
        int colon = after < 0 ? -1 : Ascii.skipSpaces(b, after, end);
        if (at(colon) == ':') {
            return Ascii.skipSpaces(b, colon + 1, end);
        }
        boolean marked = pos > begin || number >= 0 || colonFirst;
        int text = colon < 0 ? -1 : afterZone(pos, colon, hostKnown, marked);
        if (text < 0) {
            timeNs = SyslogMessage.NO_TIME;
        }
        return text;
    }

    /**
     * The text after a time without a colon. A device may have a time zone of any name, such as {@code PCTime:}. In this place may
     * also be the host, if it was not before the time.
     *
     * @return -1 if it is neither
     */
    private int afterZone(int time, int word, boolean hostKnown, boolean marked) {
        int pos = word;
        while (Ascii.isLetterOrDigit(at(pos)) || at(pos) == '+' || at(pos) == '-') {
            pos++;
        }
        int text = Ascii.skipSpaces(b, pos + 1, end);
        boolean isWord = pos > word && at(pos) == ':' && (mnemonicEnd(text) >= 0 || isProcess(text));
        if (isWord && (hostKnown || isZone(b, time, word, pos, marked, number >= 0))) {
            return text;
        }
        return hostBeforeMnemonic(word) > 0 ? word : -1;
    }

    /**
     * True if the word between a time and a mnemonic is the name that a device has for its time zone, not a host: letters after
     * something else of Cisco's header, after a time that begins with the year as NX-OS writes it, or after milliseconds as IOS
     * writes them. Digits may follow the letters if a number is before the time, and the word then does not look like {@code sw1}.
     *
     * @param time where the time begins
     * @param marked true if a number, or a character that only Cisco writes, is before the time
     */
    static boolean isZone(byte[] b, int time, int word, int wordEnd, boolean marked, boolean numbered) {
        int timeEnd = word;
        while (timeEnd > time && b[timeEnd - 1] == ' ') {
            timeEnd--;
        }
        int letters = word;
        boolean small = false;
        while (letters < wordEnd && Ascii.isLetter(b[letters])) {
            small |= b[letters] >= 'a';
            letters++;
        }
        // A time that ends with a letter has its zone.
        if (timeEnd - time <= YEAR_DIGITS || !Ascii.isDigit(b[timeEnd - 1]) || letters == word) {
            return false;
        }
        boolean fraction = isFraction(b, time, timeEnd);
        if (letters == wordEnd) {
            boolean yearFirst = Ascii.isDigit(b[time]) && b[time + YEAR_DIGITS] == ' ';
            return marked || yearFirst || (fraction && Ascii.isLetter(b[time]));
        }
        return numbered && (fraction || !small) && isOffset(b, letters, wordEnd);
    }

    private static boolean isFraction(byte[] b, int time, int timeEnd) {
        int pos = timeEnd - 1;
        while (pos > time && Ascii.isDigit(b[pos])) {
            pos--;
        }
        return b[pos] == '.' || b[pos] == ',';
    }

    /** True for digits, with or without a sign. */
    private static boolean isOffset(byte[] b, int begin, int end) {
        int pos = b[begin] == '+' || b[begin] == '-' ? begin + 1 : begin;
        int first = pos;
        while (pos < end && Ascii.isDigit(b[pos])) {
            pos++;
        }
        return pos > first && pos == end;
    }

    /** The end of an uptime such as {@code 00:00:46}, {@code 2d03h} or {@code 2y10w}; -1 if there is none. */
    private int uptimeEnd(int begin) {
        int pos = begin;
        boolean unit = false;
        while (Ascii.isDigit(at(pos))
                || "ywdhms".indexOf(at(pos)) >= 0
                || (at(pos) == ':' && Ascii.isDigit(at(pos + 1)))) {
            unit |= !Ascii.isDigit(b[pos]);
            pos++;
        }
        return unit && Ascii.isDigit(at(begin)) ? pos : -1;
    }

    /** The position after {@code host: }, {@code host node:} or a wireless controller's {@code *task: }; -1 if there is none. */
    private int afterHost(int begin, int hostEnd) {
        int colon = hostEnd;
        if (at(hostEnd) == ' ') {
            colon = wordEnd(hostEnd + 1);
            boolean node = false;
            for (int i = hostEnd + 1; i < colon; i++) {
                node |= b[i] == '/';
            }
            if (!node) {
                return -1;
            }
        }
        if (hostEnd == begin || at(colon) != ':') {
            return -1;
        }
        int pos = Ascii.skipSpaces(b, colon + 1, end);
        int task = at(pos) == '*' ? wordEnd(pos + 1) : pos;
        return task > pos && at(task) == ':' && at(task + 1) == ' ' ? Ascii.skipSpaces(b, task + 1, end) : pos;
    }

    /** The end of a host before its colon; an IPv6 address has colons too. */
    private int hostEnd(int begin) {
        int pos = begin;
        int colons = 0;
        while (pos < end && pos - begin < MAX_WORD && (Ascii.isHexDigit(b[pos]) || b[pos] == ':' || b[pos] == '.')) {
            colons += b[pos] == ':' ? 1 : 0;
            pos++;
        }
        return colons > 2 && at(pos) == ' ' && at(pos - 1) == ':' ? pos - 1 : wordEnd(begin);
    }

    private int wordEnd(int begin) {
        int pos = begin;
        while (pos < end && pos - begin < MAX_WORD && b[pos] > ' ' && b[pos] != ':') {
            pos++;
        }
        return pos;
    }

    /** The end of {@code %SYS-5-CONFIG_I} before its colon; -1 if there is none. */
    private int mnemonicEnd(int begin) {
        if (at(begin) != '%') {
            return -1;
        }
        boolean severity = false;
        int pos = begin + 1;
        while (pos < end && (Ascii.isLetterOrDigit(b[pos]) || b[pos] == '_' || b[pos] == '-')) {
            severity |= b[pos] == '-' && at(pos + 1) >= '0' && at(pos + 1) <= '7' && at(pos + 2) == '-';
            pos++;
        }
        return severity && at(Ascii.skipSpaces(b, pos, end)) == ':' ? pos : -1;
    }

    private byte at(int pos) {
        return pos >= 0 && pos < end ? b[pos] : 0;
    }
}
