package io.millrace.parse;

import io.millrace.parse.SyslogMessage.Field;

/**
 * Parser of Cisco's header. Each part except the mnemonic can be disabled on the device.
 *
 * <pre>
 * number: host: number: *time: %FACILITY-SEVERITY-MNEMONIC: text        IOS, IOS XE, NX-OS, ASA
 * number: host node:time : process[pid]: %FACILITY-SEVERITY-MNEMONIC : text        IOS XR
 * host: *task: time: %FACILITY-SEVERITY-MNEMONIC: text        wireless controllers
 * </pre>
 *
 * The time may be the uptime of the device. The mnemonic becomes the application's name, except with IOS XR: there
 * it stays in the text, because the process has a name.
 */
final class CiscoHeader {
    private static final int MAX_NUMBER_DIGITS = 12;
    private static final int MAX_WORD = 255;

    private final TimeReader times;
    private byte[] b = new byte[0];
    private int end;
    private long nowNs;

    private long number;
    private long timeNs;

    CiscoHeader(TimeReader times) {
        this.times = times;
    }

    /** Parses the text after the PRI; returns false, with no field set, if it has another header. */
    boolean read(byte[] bytes, int begin, int end, long nowNs, SyslogMessage message) {
        this.b = bytes;
        this.end = end;
        this.nowNs = nowNs;
        number = -1;
        timeNs = SyslogMessage.NO_TIME;
        int pos = at(begin) == ':' ? Ascii.skipSpaces(b, begin + 1, end) : begin;
        // The device's number and the sequence number of its logging service.
        int first = number(number(pos));
        pos = first;
        int hostEnd = -1;
        int after = stamp(pos);
        if (after < 0 && at(pos) != '%') {
            hostEnd = wordEnd(pos);
            int next = afterHost(pos, hostEnd);
            if (next < 0) {
                return false;
            }
            pos = number(next);
            after = stamp(pos);
        }
        int text = after < 0 ? pos : after;
        boolean marked = number >= 0 || at(begin) == ':';
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
    boolean readMnemonic(byte[] bytes, int begin, int end, SyslogMessage message) {
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
    private void plain(int begin, SyslogMessage message) {
        message.kind = Kind.CISCO;
        if (begin < end) {
            message.set(Field.MESSAGE, begin, end);
        }
    }

    /** Parses {@code process[pid]: } before the mnemonic, as IOS XR sends it. */
    private boolean process(int begin, SyslogMessage message) {
        int nameEnd = begin;
        while (nameEnd < end && b[nameEnd] > ' ' && b[nameEnd] != '[' && b[nameEnd] != ':') {
            nameEnd++;
        }
        int pidEnd = nameEnd;
        while (pidEnd < end && b[pidEnd] > ' ' && b[pidEnd] != ']') {
            pidEnd++;
        }
        int text = Ascii.skipSpaces(b, pidEnd + 2, end);
        if (nameEnd == begin
                || at(nameEnd) != '['
                || at(pidEnd) != ']'
                || at(pidEnd + 1) != ':'
                || mnemonicEnd(text) < 0) {
            return false;
        }
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
    private int stamp(int begin) {
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
        if (colon < 0 || at(colon) != ':') {
            timeNs = SyslogMessage.NO_TIME;
            return -1;
        }
        return Ascii.skipSpaces(b, colon + 1, end);
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
