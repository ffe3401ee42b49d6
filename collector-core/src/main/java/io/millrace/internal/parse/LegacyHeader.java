package io.millrace.internal.parse;

import io.millrace.internal.parse.time.RareTimes;
import io.millrace.internal.parse.time.TimeReader;
import io.millrace.message.Body;
import io.millrace.message.Kind;
import io.millrace.message.SyslogMessage.Field;
import java.util.Arrays;

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
    /** The length of a host with blanks, and of a tag after it. */
    private static final int MAX_WORDS = 100;

    private static final int MAX_NAME = 64;

    private static final byte[] UBIQUITI = {'U', 'b', 'i', 'q', 'u', 'i', 't', 'i', '|'};
    private static final byte[] REPEATED = {'l', 'a', 's', 't', ' ', 'm', 'e', 's', 's', 'a', 'g', 'e', ' '};

    private final TimeReader times;
    private final BodyReader bodies;
    private final CiscoHeader cisco;
    private final RareTimes rareTimes;
    private byte[] b = new byte[0];
    private int end;
    /** Where the time begins, if there is one. */
    private int time;
    /** Where the host begins, or would begin; -1 without a time, or if another part names the host. */
    private int words;

    LegacyHeader(TimeReader times, BodyReader bodies) {
        this.times = times;
        this.bodies = bodies;
        this.cisco = new CiscoHeader(times);
        this.rareTimes = new RareTimes(times);
    }

    void read(byte[] bytes, int begin, int end, long nowNs, ParsedMessage message) {
        this.b = bytes;
        this.end = end;
        times.wrap(bytes, end);
        int pos = Ascii.skipSpaces(b, begin, end);
        time = pos;
        words = -1;
        boolean prioritized = message.kind != Kind.RAW;
        // Meraki sends a version as in RFC 5424, but seconds since the epoch.
        boolean versioned = prioritized && at(pos) == '1' && at(pos + 1) == ' ';
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
            after = after == TimeReader.NONE ? rareTimes.read(pos, nowNs, prioritized) : times.any(pos, nowNs);
        }
        if (after == TimeReader.NONE) {
            withoutTime(begin, pos, message);
        } else {
            timed(after, message);
        }
    }

    private void timed(int after, ParsedMessage message) {
        message.kind = Kind.RFC3164;
        message.timestampNs = times.timeNs();
        boolean tab = at(after) == '\t';
        int text = tab ? RelayHeader.kiwi(b, after + 1, end, message) : -1;
        if (text < 0) {
            hostAndTag(Ascii.skipSpaces(b, tab || at(after) == ':' ? after + 1 : after, end), message);
        } else if (!cisco.readMnemonic(b, text, end, message)) {
            tag(text, message, false);
        }
    }

    /** Without a time, a host cannot be distinguished from a word. Without a PRI as well, it is not a syslog message. */
    private void withoutTime(int begin, int pos, ParsedMessage message) {
        if (message.kind != Kind.RAW) {
            tag(pos, message, false);
        } else if (begin < end) {
            message.set(Field.MESSAGE, begin, end);
        }
    }

    private void hostAndTag(int begin, ParsedMessage message) {
        if (at(begin) == 'M' && forwarded(begin, message)) {
            return;
        }
        words = begin;
        int space = begin;
        boolean bracket = false;
        while (space < end && !isSpace(b[space])) {
            bracket |= b[space] == '[';
            space++;
        }
        boolean isWord = space > begin && space < end && space - begin <= MAX_HOST && !bracket;
        if (isWord && b[space - 1] == ':' && !isAddress(begin, space)) {
            if (!hostBeforeMnemonic(begin, space, message)) {
                tag(begin, message, true);
            }
            return;
        }
        boolean isHost =
                isWord && bodies.bodyAt(b, begin, end) == Body.TEXT && !Ascii.startsWith(b, begin, end, REPEATED);
        if (!isHost) {
            tag(begin, message, true);
            return;
        }
        message.set(Field.HOSTNAME, begin, space);
        int pos = Ascii.skipSpaces(b, at(space) == '\t' ? space + 1 : space, end);
        // ASA: "host : %ASA-6-302013: ..."
        int mnemonic = at(pos) == ':' ? Ascii.skipSpaces(b, pos + 1, end) : pos;
        if (!cisco.readMnemonic(b, mnemonic, end, message)) {
            tag(at(pos) == b[begin] ? afterRepeatedHost(begin, space, pos) : pos, message, true);
        }
    }

    /** Parses {@code Message forwarded from host: tag: text}. */
    private boolean forwarded(int begin, ParsedMessage message) {
        int host = RelayHeader.forwardedHost(b, begin, end);
        if (host < 0) {
            return false;
        }
        int space = host;
        while (b[space] != ' ') {
            space++;
        }
        message.set(Field.HOSTNAME, host, space - 1);
        tag(space + 1, message, false);
        return true;
    }

    /** True for an IPv6 address that ends with two colons. */
    private boolean isAddress(int begin, int space) {
        int pos = begin;
        while (pos < space && (Ascii.isHexDigit(b[pos]) || b[pos] == ':')) {
            pos++;
        }
        return pos == space && space - begin > 1 && b[space - 2] == ':';
    }

    /** Parses {@code host: %ASA-6-302013: text}, also without the blank; the mnemonic may be alone. */
    private boolean hostBeforeMnemonic(int begin, int space, ParsedMessage message) {
        int next = Ascii.skipSpaces(b, space, end);
        int hostEnd = space - 1;
        if (at(next) != '%') {
            int percent = begin;
            while (percent < space && b[percent] != '%') {
                percent++;
            }
            next = percent;
            hostEnd = percent - 1;
        }
        if ((next > begin && at(hostEnd) != ':') || !cisco.readMnemonic(b, next, end, message)) {
            return false;
        }
        if (hostEnd > begin && !CiscoHeader.isZone(b, time, begin, hostEnd, false, false)) {
            message.set(Field.HOSTNAME, begin, hostEnd);
        }
        return true;
    }

    /** The position after a second host of the same name that is followed by the tag; its beginning otherwise. */
    private int afterRepeatedHost(int begin, int space, int pos) {
        int length = space - begin;
        if (at(pos + length) != ' ' || !Arrays.equals(b, begin, space, b, pos, pos + length)) {
            return pos;
        }
        int next = Ascii.skipSpaces(b, pos + length, end);
        int last = next;
        while (last < end && !isSpace(b[last])) {
            last++;
        }
        boolean tag = last > next && (b[last - 1] == ':' || b[last - 1] == ']');
        return tag || bodies.bodyAt(b, next, end) != Body.TEXT ? next : pos;
    }

    /**
     * Parses the tag, its process id, and the message after them.
     *
     * @param alone true if a tag needs no colon, as in RFC 3164
     */
    private void tag(int begin, ParsedMessage message, boolean alone) {
        int tagEnd = tagEnd(begin);
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
        if (!colon && pos == tagEnd && hostOfWords(begin, message)) {
            return;
        }
        boolean ended = colon
                || pos > tagEnd
                || (alone
                        && isSpace(at(pos))
                        && Ascii.isLetterOrDigit(b[begin])
                        && !Ascii.startsWith(b, begin, end, REPEATED));
        if (!hasLetter(begin, tagEnd)
                || tagEnd - begin > MAX_TAG
                || !ended
                || bodies.bodyAt(b, begin, end) != Body.TEXT) {
            setMessage(begin, message);
            return;
        }
        message.set(Field.APPNAME, begin, tagEnd);
        if (pos > tagEnd) {
            message.set(Field.PROCID, tagEnd + 1, pidEnd);
        }
        setMessage(colon || at(pos) == '\t' ? pos + 1 : pos, message);
    }

    /** The end of a tag, in which an equals sign is allowed after a parenthesis: {@code polkitd(authority=local)}. */
    private int tagEnd(int begin) {
        int limit = Math.min(end, begin + MAX_TAG + 1);
        boolean parenthesis = false;
        int pos = begin;
        while (pos < limit && (Ascii.isTag(b[pos]) || (parenthesis && b[pos] == '='))) {
            parenthesis |= b[pos] == '(';
            pos++;
        }
        return pos;
    }

    private boolean hasLetter(int begin, int to) {
        int pos = begin;
        while (pos < to && !Ascii.isLetter(b[pos])) {
            pos++;
        }
        return pos < to;
    }

    /**
     * Parses {@code Express 7 CEF:0|…} and {@code Express 7 tag[pid]: LEEF:1.0|…}: the words before the vendor's format are the
     * host, which a person named.
     */
    private boolean hostOfWords(int begin, ParsedMessage message) {
        int body = words < 0 ? -1 : BodyReader.find(b, begin, words + MAX_WORDS, end);
        if (body < 0) {
            return false;
        }
        int wordsEnd = before(body, words);
        int word = wordsEnd;
        while (word > words && b[word - 1] != ' ') {
            word--;
        }
        boolean tagged = wordsEnd > words && (b[wordsEnd - 1] == ':' || b[wordsEnd - 1] == ']');
        int hostEnd = tagged ? before(word, words) : wordsEnd;
        if (!isText(hostEnd, wordsEnd) || !isName(hostEnd, body)) {
            return false;
        }
        if (tagged) {
            tagOfWords(word, wordsEnd, message);
        }
        if (hostEnd > words) {
            message.set(Field.HOSTNAME, words, hostEnd);
        }
        message.set(Field.MESSAGE, body, end);
        return true;
    }

    /** False if JSON or pairs before a vendor's format quote it, or the words of the host have what tags have. */
    private boolean isText(int hostEnd, int wordsEnd) {
        for (int i = words; i < wordsEnd; i++) {
            byte c = b[i];
            if (c == '=' || c == '"' || c == '|' || (i < hostEnd && (c == ':' || c == '['))) {
                return false;
            }
        }
        return true;
    }

    /**
     * True if words are the name of a device: one word, and perhaps a number. More words could be a sentence, except with a vendor
     * whose devices have the names of places.
     */
    private boolean isName(int hostEnd, int body) {
        int pos = words;
        while (pos < hostEnd && b[pos] != ' ') {
            pos++;
        }
        boolean sentence = false;
        for (int i = Ascii.skipSpaces(b, pos, hostEnd); i < hostEnd; i++) {
            sentence |= b[i] == ' ' || b[i] < 0 || Ascii.isLetter(b[i]);
        }
        return !sentence || (hostEnd - words <= MAX_NAME && BodyReader.isVendor(b, body, end, UBIQUITI));
    }

    private void tagOfWords(int begin, int wordEnd, ParsedMessage message) {
        int tagEnd = begin;
        while (tagEnd < wordEnd && b[tagEnd] != '[' && b[tagEnd] != ':') {
            tagEnd++;
        }
        int pidEnd = tagEnd + 1;
        while (pidEnd < wordEnd && b[pidEnd] != ']') {
            pidEnd++;
        }
        if (tagEnd > begin) {
            message.set(Field.APPNAME, begin, tagEnd);
        }
        if (b[tagEnd] == '[' && pidEnd < wordEnd) {
            message.set(Field.PROCID, tagEnd + 1, pidEnd);
        }
    }

    /** The end of the word before a position. */
    private int before(int pos, int begin) {
        int before = pos;
        while (before > begin && b[before - 1] == ' ') {
            before--;
        }
        return before;
    }

    private void setMessage(int begin, ParsedMessage message) {
        int from = at(begin) == ' ' ? begin + 1 : begin;
        if (from < end) {
            message.set(Field.MESSAGE, from, end);
        }
    }

    private byte at(int pos) {
        return pos < end ? b[pos] : 0;
    }

    /** Windows agents have tabs between fields. */
    private static boolean isSpace(byte c) {
        return c == ' ' || c == '\t';
    }
}
