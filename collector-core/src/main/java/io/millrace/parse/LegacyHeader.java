package io.millrace.parse;

import io.millrace.parse.SyslogMessage.Field;

/**
 * Parser of RFC 3164 headers (section 4.1) as devices send them. Each part may be missing. {@link CiscoHeader} is tried
 * first.
 *
 * <pre>
 * time host tag[pid]: text
 * </pre>
 */
final class LegacyHeader {
    private static final int MAX_TAG = 64;
    private static final int MAX_HOST = 255;
    private static final byte[] REPEATED = {'l', 'a', 's', 't', ' ', 'm', 'e', 's', 's', 'a', 'g', 'e', ' '};

    private final TimeReader times;
    private final BodyReader bodies;
    private final CiscoHeader cisco;
    private byte[] b = new byte[0];
    private int end;

    LegacyHeader(TimeReader times, BodyReader bodies) {
        this.times = times;
        this.bodies = bodies;
        this.cisco = new CiscoHeader(times);
    }

    void read(byte[] bytes, int begin, int end, long nowNs, SyslogMessage message) {
        this.b = bytes;
        this.end = end;
        times.wrap(bytes, end);
        int pos = Ascii.skipSpaces(b, begin, end);
        // Meraki sends a version as in RFC 5424, but seconds since the epoch.
        boolean versioned = message.kind != Kind.RAW && at(pos) == '1' && at(pos + 1) == ' ';
        int after = versioned ? times.epoch(pos + 2) : TimeReader.NONE;
        if (after != TimeReader.NONE) {
            timed(after, message);
            return;
        }
        after = times.any(pos, nowNs);
        if (after == TimeReader.NONE || at(Ascii.skipSpaces(b, after, end)) == ':') {
            if (cisco.read(bytes, pos, end, nowNs, message)) {
                return;
            }
            after = times.any(pos, nowNs);
        }
        if (after == TimeReader.NONE) {
            withoutTime(begin, pos, message);
        } else {
            timed(after, message);
        }
    }

    private void timed(int after, SyslogMessage message) {
        message.kind = Kind.RFC3164;
        message.timestampNs = times.timeNs();
        hostAndTag(Ascii.skipSpaces(b, at(after) == ':' ? after + 1 : after, end), message);
    }

    /** Without a time, a host cannot be distinguished from a word. Without a PRI as well, it is not a syslog message. */
    private void withoutTime(int begin, int pos, SyslogMessage message) {
        if (message.kind != Kind.RAW) {
            tag(pos, message, false);
        } else if (begin < end) {
            message.set(Field.MESSAGE, begin, end);
        }
    }

    private void hostAndTag(int begin, SyslogMessage message) {
        int space = begin;
        boolean bracket = false;
        while (space < end && !isSpace(b[space])) {
            bracket |= b[space] == '[';
            space++;
        }
        boolean isHost = space > begin
                && space < end
                && space - begin <= MAX_HOST
                && !bracket
                && b[space - 1] != ':'
                && bodies.bodyAt(b, begin, end) == Body.TEXT
                && !Ascii.startsWith(b, begin, end, REPEATED);
        if (!isHost) {
            tag(begin, message, true);
            return;
        }
        message.set(Field.HOSTNAME, begin, space);
        int pos = Ascii.skipSpaces(b, at(space) == '\t' ? space + 1 : space, end);
        // ASA: "host : %ASA-6-302013: ..."
        int mnemonic = at(pos) == ':' ? Ascii.skipSpaces(b, pos + 1, end) : pos;
        if (!cisco.readMnemonic(b, mnemonic, end, message)) {
            tag(pos, message, true);
        }
    }

    /**
     * Parses the tag, its process id, and the message after them.
     *
     * @param alone true if a tag needs no colon, as in RFC 3164
     */
    private void tag(int begin, SyslogMessage message, boolean alone) {
        int tagEnd = begin;
        boolean letters = false;
        boolean parentheses = false;
        while (tagEnd < end && tagEnd - begin <= MAX_TAG && (isTag(b[tagEnd]) || (parentheses && b[tagEnd] == '='))) {
            letters |= Ascii.isLetter(b[tagEnd]);
            // polkitd(authority=local)
            parentheses |= b[tagEnd] == '(';
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
        boolean ended = colon
                || pos > tagEnd
                || (alone
                        && isSpace(at(pos))
                        && Ascii.isLetterOrDigit(b[begin])
                        && !Ascii.startsWith(b, begin, end, REPEATED));
        if (!letters || tagEnd - begin > MAX_TAG || !ended || bodies.bodyAt(b, begin, end) != Body.TEXT) {
            setMessage(begin, message);
            return;
        }
        message.set(Field.APPNAME, begin, tagEnd);
        if (pos > tagEnd) {
            message.set(Field.PROCID, tagEnd + 1, pidEnd);
        }
        setMessage(colon || at(pos) == '\t' ? pos + 1 : pos, message);
    }

    private void setMessage(int begin, SyslogMessage message) {
        int from = at(begin) == ' ' ? begin + 1 : begin;
        if (from < end) {
            message.set(Field.MESSAGE, from, end);
        }
    }

    private byte at(int pos) {
        return pos < end ? b[pos] : 0;
    }

    private static boolean isTag(byte c) {
        return c > ' ' && c != ':' && c != '[' && c != '=' && c != '"' && c != '<' && c != '{' && c != 0x7f;
    }

    /** Windows agents have tabs between fields. */
    private static boolean isSpace(byte c) {
        return c == ' ' || c == '\t';
    }
}
