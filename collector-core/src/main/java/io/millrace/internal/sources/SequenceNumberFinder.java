package io.millrace.internal.sources;

import io.millrace.journal.DatagramView;
import org.jspecify.annotations.Nullable;

/**
 * Finds the sequence number in a datagram. It reads at most the first {@value #HEAD} bytes, and only a few bytes of
 * most datagrams without a number. It recognizes these forms:
 *
 * <pre>
 * &lt;189&gt;123: text                                        Cisco IOS: digits, a colon, a space
 * &lt;165&gt;1 time host app pid id [meta sequenceId="29"]     RFC 5424 section 7.3.1, in any of its elements
 * 6f1d2c3b 00000 0000002a 5a5a5a5a                         millrace send: run, source, sequence, time
 * </pre>
 *
 * <p>One thread.
 */
final class SequenceNumberFinder {
    private static final int HEAD = 512;
    private static final int MAX_DIGITS = 12;
    private static final int SENDER_LENGTH = 32;
    /** A 1 in each byte. */
    private static final long EACH = 0x0101_0101_0101_0101L;

    private static final long THREE_ZEROS = 0x30_30_30L;
    private static final long HASH = 0x9E37_79B9_7F4A_7C15L;
    private static final byte[] META = {'m', 'e', 't', 'a'};
    private static final byte[] SEQUENCE_ID = {'s', 'e', 'q', 'u', 'e', 'n', 'c', 'e', 'I', 'd'};

    private final byte[] b = new byte[HEAD];
    private int end;
    private int pos;

    private long number;
    private long key;
    private long programKey;

    /** Finds the number of a datagram; the scheme is null if it has none. */
    void find(DatagramView datagram, SequenceNumber found) {
        NumberingScheme scheme = scheme(datagram);
        found.scheme = scheme;
        if (scheme != null) {
            found.number = number;
            found.key = key;
            found.programKey = programKey;
        }
    }

    private @Nullable NumberingScheme scheme(DatagramView datagram) {
        int length = datagram.payloadLength();
        if (length == 0) {
            return null;
        }
        if (datagram.payloadByte(0) != '<') {
            return length >= SENDER_LENGTH && datagram.payloadByte(8) == ' ' && sender(datagram)
                    ? NumberingScheme.SENDER
                    : null;
        }
        int after = afterPriority(datagram, length);
        if (after == 0 || after + 2 >= length || !mayBeNumber(datagram.payloadByte(after))) {
            return null;
        }
        end = datagram.copyHead(b);
        pos = after;
        if (b[pos] == '1' && b[pos + 1] == ' ') {
            return rfc5424() && NumberingScheme.HOST.has(number) ? NumberingScheme.HOST : null;
        }
        return cisco() ? NumberingScheme.CISCO : null;
    }

    /** The index after the PRI; 0 if there is no PRI. */
    private static int afterPriority(DatagramView datagram, int length) {
        for (int i = 1; i < Math.min(length, 5); i++) {
            byte c = datagram.payloadByte(i);
            if (c == '>') {
                return i == 1 ? 0 : i + 1;
            }
            if (!isDigit(c)) {
                return 0;
            }
        }
        return 0;
    }

    private static boolean mayBeNumber(byte c) {
        return isDigit(c) || c == ':';
    }

    private boolean cisco() {
        // A separate colon may precede the number.
        while (at(pos) == ':' || at(pos) == ' ') {
            pos++;
        }
        key = 0;
        return digits() && at(pos) == ':' && at(pos + 1) == ' ';
    }

    private boolean digits() {
        int begin = pos;
        number = 0;
        while (pos - begin < MAX_DIGITS && isDigit(at(pos))) {
            number = number * 10 + b[pos] - '0';
            pos++;
        }
        return pos > begin;
    }

    private boolean rfc5424() {
        pos += 2;
        skipWord();
        key = nextWord();
        programKey = key * HASH + nextWord();
        skipWord();
        skipWord();
        while (at(pos) == '[') {
            pos++;
            boolean meta = starts(META) && at(pos + META.length) == ' ';
            while (pos < end && b[pos] > ' ' && b[pos] != ']') {
                pos++;
            }
            if (parameters(meta)) {
                return true;
            }
            if (at(pos) != ']') {
                return false;
            }
            pos++;
        }
        return false;
    }

    /** Skips a word and the space after it; returns the hash of the word. */
    private long nextWord() {
        long hash = 0;
        while (pos < end && b[pos] != ' ') {
            hash = 31 * hash + b[pos];
            pos++;
        }
        pos++;
        return hash * HASH;
    }

    private void skipWord() {
        while (pos < end && b[pos] != ' ') {
            pos++;
        }
        pos++;
    }

    /** Skips the parameters of an element; true if one of them is the sequence number, which is then parsed. */
    private boolean parameters(boolean meta) {
        while (at(pos) == ' ') {
            pos++;
            boolean wanted = meta && starts(SEQUENCE_ID) && at(pos + SEQUENCE_ID.length) == '=';
            while (pos < end && b[pos] != '=' && b[pos] != ']') {
                pos++;
            }
            if (at(pos) != '=' || at(pos + 1) != '"') {
                return false;
            }
            pos += 2;
            if (wanted) {
                return digits() && at(pos) == '"';
            }
            while (pos < end && b[pos] != '"') {
                pos += b[pos] == '\\' ? 2 : 1;
            }
            pos++;
        }
        return false;
    }

    private boolean starts(byte[] word) {
        for (int i = 0; i < word.length; i++) {
            if (at(pos + i) != word[i]) {
                return false;
            }
        }
        return true;
    }

    private boolean sender(DatagramView datagram) {
        if (datagram.payloadByte(14) != ' '
                || datagram.payloadByte(23) != ' '
                || (datagram.payloadLength() > SENDER_LENGTH && datagram.payloadByte(SENDER_LENGTH) != ' ')) {
            return false;
        }
        long run = hex(datagram.payloadLong(0));
        long source = hex(datagram.payloadLong(9) << 24 | THREE_ZEROS);
        number = hex(datagram.payloadLong(15));
        key = run << 20 | source;
        return (run | source | number | hex(datagram.payloadLong(24))) >= 0;
    }

    /** Parses eight lower-case hexadecimal digits, the first one in the lowest byte; -1 if one is malformed. All at once. */
    static long hex(long digits) {
        long letters = digits >>> 6 & EACH;
        long values = (digits & 0xf * EACH) + 9 * letters;
        long aboveNine = (values + (0x80 - 10) * EACH) >>> 7 & EACH;
        // The characters are right if the values give the same characters again.
        boolean right = aboveNine == letters
                && (values & 0x10 * EACH) == 0
                && values + '0' * EACH + ('a' - '0' - 10) * letters == digits;
        if (!right) {
            return -1;
        }
        long bytes = Long.reverseBytes(values);
        bytes = (bytes | bytes >>> 4) & 0x00ff_00ff_00ff_00ffL;
        bytes = (bytes | bytes >>> 8) & 0x0000_ffff_0000_ffffL;
        return (bytes | bytes >>> 16) & 0xffff_ffffL;
    }

    private byte at(int index) {
        return index < end ? b[index] : 0;
    }

    private static boolean isDigit(byte c) {
        return c >= '0' && c <= '9';
    }
}
