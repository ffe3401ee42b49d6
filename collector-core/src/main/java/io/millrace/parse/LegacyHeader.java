package io.millrace.parse;

import io.millrace.parse.SyslogMessage.Field;

/**
 * What stands between the PRI and the text where RFC 5424 is not spoken: RFC 3164 section 4.1 as devices write it, with
 * Cisco's own order of things. All parts may be missing:
 *
 * <pre>
 * RFC 3164   time host tag[pid]: text
 * Cisco      sequence: host: *time: %FACILITY-SEVERITY-MNEMONIC: text
 * </pre>
 */
final class LegacyHeader {
    private static final int MOST_TAG = 64;
    private static final int MOST_HOST = 255;
    private static final int MOST_SEQUENCE_DIGITS = 12;
    private static final byte[] REPEATED = {'l', 'a', 's', 't', ' ', 'm', 'e', 's', 's', 'a', 'g', 'e', ' '};

    private final TimeReader times;
    private final BodyReader bodies;
    private byte[] b = new byte[0];
    private int end;
    private boolean clockUnset;

    LegacyHeader(TimeReader times, BodyReader bodies) {
        this.times = times;
        this.bodies = bodies;
    }

    void read(byte[] bytes, int begin, int end, long nowNs, SyslogMessage message) {
        this.b = bytes;
        this.end = end;
        times.wrap(bytes, end);
        int pos = skip(begin, ' ');
        int start = at(pos) == ':' ? skip(pos + 1, ' ') : pos;
        start = sequence(start, message);
        int after = time(start, nowNs);
        if (after == TimeReader.NONE) {
            after = originAndTime(start, nowNs, message);
        }
        if (after != TimeReader.NONE) {
            message.kind = Kind.RFC3164;
            // Behind an asterisk is the time of a clock that was never set.
            message.timestampNs = clockUnset ? SyslogMessage.NO_TIME : times.timeNs();
            hostAndTag(afterColon(after), message);
        } else if (mnemonicEnd(start) > 0) {
            cisco(start, message);
        } else {
            message.sequenceId = -1;
            withoutTime(begin, pos, message);
        }
    }

    /** Without a time there is no telling a host from a word; without a PRI either it is no syslog message at all. */
    private void withoutTime(int begin, int pos, SyslogMessage message) {
        if (message.kind != Kind.RAW) {
            tag(pos, message, false);
        } else if (begin < end) {
            message.set(Field.MESSAGE, begin, end);
        }
    }

    /** Cisco's {@code 000123: }, up to 12 digits. */
    private int sequence(int begin, SyslogMessage message) {
        int pos = begin;
        long value = 0;
        while (pos - begin < MOST_SEQUENCE_DIGITS && at(pos) >= '0' && at(pos) <= '9') {
            value = value * 10 + at(pos) - '0';
            pos++;
        }
        if (pos == begin || at(pos) != ':' || at(pos + 1) != ' ') {
            return begin;
        }
        message.sequenceId = value;
        return skip(pos + 1, ' ');
    }

    /** Any time stamp; Cisco marks a clock that was never set with an asterisk, one that lost its source with a point. */
    private int time(int begin, long nowNs) {
        clockUnset = at(begin) == '*';
        int pos = at(begin) == '*' || at(begin) == '.' ? begin + 1 : begin;
        byte first = at(pos);
        if (first >= '0' && first <= '9') {
            int after = times.iso(pos);
            return after == TimeReader.NONE ? times.yearFirst(pos) : after;
        }
        return times.bsd(pos, nowNs);
    }

    /** {@code router1: *Nov 21 10:00:00}, and IOS XR's node {@code RP/0/RSP0/CPU0:Nov 21 …}. */
    private int originAndTime(int begin, long nowNs, SyslogMessage message) {
        int colon = begin;
        while (colon < end && colon - begin <= MOST_HOST && b[colon] > ' ' && b[colon] != ':') {
            colon++;
        }
        if (colon == begin || at(colon) != ':') {
            return TimeReader.NONE;
        }
        int after = time(skip(colon + 1, ' '), nowNs);
        if (after == TimeReader.NONE || at(after) != ':') {
            // A tag, and a text that begins with a time.
            return TimeReader.NONE;
        }
        message.set(Field.HOSTNAME, begin, colon);
        return after;
    }

    private void hostAndTag(int begin, SyslogMessage message) {
        int pos = begin;
        if (mnemonicEnd(pos) > 0) {
            cisco(pos, message);
            return;
        }
        if (message.has(Field.HOSTNAME)) {
            tag(pos, message, true);
            return;
        }
        int space = pos;
        boolean bracket = false;
        while (space < end && b[space] != ' ') {
            bracket |= b[space] == '[';
            space++;
        }
        boolean isHost = space > pos
                && space < end
                && space - pos <= MOST_HOST
                && !bracket
                && b[space - 1] != ':'
                && bodies.bodyAt(b, pos, end) == Body.TEXT
                && !isRepeated(pos);
        if (!isHost) {
            tag(pos, message, true);
            return;
        }
        message.set(Field.HOSTNAME, pos, space);
        pos = skip(space, ' ');
        // ASA: "host : %ASA-6-302013: …"
        int mnemonic = at(pos) == ':' ? skip(pos + 1, ' ') : pos;
        if (mnemonicEnd(mnemonic) > 0) {
            cisco(mnemonic, message);
        } else {
            tag(pos, message, true);
        }
    }

    /**
     * The tag, its process id, and the message after them.
     *
     * @param alone true if a word is a tag without a colon after it, too, as RFC 3164 has it
     */
    private void tag(int begin, SyslogMessage message, boolean alone) {
        int tagEnd = begin;
        while (tagEnd < end && tagEnd - begin <= MOST_TAG && isTag(b[tagEnd])) {
            tagEnd++;
        }
        int pos = tagEnd;
        int pidEnd = pos;
        if (at(pos) == '[') {
            pidEnd = pos + 1;
            while (pidEnd < end && b[pidEnd] > ' ' && b[pidEnd] != ']') {
                pidEnd++;
            }
            pos = at(pidEnd) == ']' ? pidEnd + 1 : pos;
        }
        boolean colon = at(pos) == ':' && at(pos + 1) != '/' && at(pos + 1) != '\\';
        boolean ended =
                colon || pos > tagEnd || (alone && at(pos) == ' ' && isLetterOrDigit(b[begin]) && !isRepeated(begin));
        if (tagEnd == begin || tagEnd - begin > MOST_TAG || !ended || bodies.bodyAt(b, begin, end) != Body.TEXT) {
            setMessage(begin, message);
            return;
        }
        message.set(Field.APPNAME, begin, tagEnd);
        if (pos > tagEnd) {
            message.set(Field.PROCID, tagEnd + 1, pidEnd);
        }
        setMessage(colon ? pos + 1 : pos, message);
        if (mnemonicEnd(Math.max(0, message.begin(Field.MESSAGE))) > 0) {
            message.kind = Kind.CISCO;
        }
    }

    /** {@code %FACILITY-SEVERITY-MNEMONIC: text}. */
    private void cisco(int begin, SyslogMessage message) {
        int mnemonicEnd = mnemonicEnd(begin);
        message.kind = Kind.CISCO;
        message.set(Field.APPNAME, begin, mnemonicEnd);
        setMessage(skip(mnemonicEnd, ' ') + 1, message);
    }

    /** The end of {@code %SYS-5-CONFIG_I} before its colon; 0 if there is none. */
    private int mnemonicEnd(int begin) {
        if (at(begin) != '%') {
            return 0;
        }
        boolean severity = false;
        int pos = begin + 1;
        while (pos < end && (isLetterOrDigit(b[pos]) || b[pos] == '_' || b[pos] == '-')) {
            severity |= b[pos] == '-' && at(pos + 1) >= '0' && at(pos + 1) <= '7' && at(pos + 2) == '-';
            pos++;
        }
        return severity && at(skip(pos, ' ')) == ':' ? pos : 0;
    }

    private void setMessage(int begin, SyslogMessage message) {
        int from = at(begin) == ' ' ? begin + 1 : begin;
        if (from < end) {
            message.set(Field.MESSAGE, from, end);
        }
    }

    private int afterColon(int pos) {
        return skip(at(pos) == ':' ? pos + 1 : pos, ' ');
    }

    private boolean isRepeated(int begin) {
        if (end - begin < REPEATED.length) {
            return false;
        }
        for (int i = 0; i < REPEATED.length; i++) {
            if (b[begin + i] != REPEATED[i]) {
                return false;
            }
        }
        return true;
    }

    private int skip(int begin, char c) {
        int pos = begin;
        while (pos < end && b[pos] == c) {
            pos++;
        }
        return pos;
    }

    private byte at(int pos) {
        return pos < end ? b[pos] : 0;
    }

    private static boolean isTag(byte c) {
        return c > ' ' && c != ':' && c != '[' && c != '=' && c != '"' && c != '<' && c != '{' && c != 0x7f;
    }

    private static boolean isLetterOrDigit(byte c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
