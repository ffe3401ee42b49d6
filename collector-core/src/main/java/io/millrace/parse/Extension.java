package io.millrace.parse;

import io.millrace.parse.SyslogMessage.Field;
import java.util.Arrays;

/**
 * Walks through the extension of a message that is CEF or LEEF: {@code key=value key=value}. In CEF a space separates them, in
 * LEEF a tab, or from version 2.0 on what its header says, as itself or in hex: {@code ^}, {@code x09}, {@code 0x5e}.
 *
 * <p>A key is letters, digits, dots, dashes, underscores and brackets, at the beginning or behind a separator, and before an
 * equals sign. All up to the next key is the value, so that spaces and equals signs which nobody escaped are part of it.
 * Separators at its end are not. What stands before the first key belongs to none. One thread.
 */
public final class Extension {
    private static final int CEF_BARS = 7;
    private static final int LEEF_BARS = 5;
    private static final int LEEF_NAME_LENGTH = "LEEF:".length();
    /** {@code 0x0009}. */
    private static final int MAX_SEPARATOR_BYTES = 6;

    private byte[] b = new byte[0];
    private int end;
    private int separator;
    private boolean cef;

    private int nameBegin;
    private int nameEnd;
    private int valueBegin;
    private int valueEnd;
    private boolean escaped;

    /** The key to come; there is none if it ends before it begins. */
    private int nextBegin;

    private int nextEnd;

    private byte[] own = new byte[256];
    private byte[] plain = own;
    private int plainBegin;
    private int plainEnd;

    /** Makes a walk over nothing. */
    public Extension() {}

    /** Goes to the beginning of a message's extension, which may be absent. */
    public void wrap(SyslogMessage message) {
        b = message.bytes();
        end = Math.max(0, message.end(Field.MESSAGE));
        cef = message.body() == Body.CEF;
        int from = end;
        if (cef) {
            separator = ' ';
            from = afterBars(message.begin(Field.MESSAGE), CEF_BARS);
        } else if (message.body() == Body.LEEF) {
            separator = '\t';
            int begin = message.begin(Field.MESSAGE);
            from = afterBars(begin, LEEF_BARS);
            from = isSecondVersion(begin) ? afterSeparator(from) : from;
        }
        findKey(from, from);
    }

    /** The place after so many bars that are not escaped; the end if there are fewer. */
    private int afterBars(int begin, int count) {
        int bars = 0;
        int pos = begin;
        while (pos < end && bars < count) {
            bars += b[pos] == '|' ? 1 : 0;
            pos += b[pos] == '\\' ? 2 : 1;
        }
        return bars < count ? end : Math.min(pos, end);
    }

    private boolean isSecondVersion(int begin) {
        int pos = begin + LEEF_NAME_LENGTH;
        while (pos < end && b[pos] == ' ') {
            pos++;
        }
        return pos < end && b[pos] == '2';
    }

    /** Reads the separator if the header names one, which may be left out, or be empty for a tab. */
    private int afterSeparator(int begin) {
        int bar = begin;
        while (bar < end && bar - begin <= MAX_SEPARATOR_BYTES && b[bar] != '|') {
            bar++;
        }
        if (bar >= end || b[bar] != '|') {
            return begin;
        }
        if (bar - begin > 1) {
            int value = hex(begin, bar);
            separator = value < 0 ? separator : value;
            return value < 0 ? begin : bar + 1;
        }
        separator = bar == begin ? separator : b[begin] & 0xff;
        return bar + 1;
    }

    /** {@code x09} or {@code 0x5e}, one byte; -1 if it is something else. */
    private int hex(int begin, int to) {
        int pos = b[begin] == '0' ? begin + 1 : begin;
        if (pos + 1 >= to || (b[pos] != 'x' && b[pos] != 'X')) {
            return -1;
        }
        int value = 0;
        for (pos++; pos < to; pos++) {
            int digit = Character.digit(b[pos], 16);
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value > 0xff ? -1 : value;
    }

    /**
     * Finds the next key.
     *
     * @param word where one may begin; -1 if only behind a separator
     */
    private void findKey(int from, int word) {
        int begin = word;
        for (int i = from; i < end; i++) {
            if ((b[i] & 0xff) == separator) {
                begin = i + 1;
            } else if (b[i] == '=' && begin >= 0 && i > begin) {
                nextBegin = begin;
                nextEnd = i;
                return;
            } else if (!isKey(b[i])) {
                begin = -1;
            }
        }
        nextBegin = end;
        nextEnd = -1;
    }

    private static boolean isKey(byte c) {
        return Ascii.isLetterOrDigit(c) || c == '_' || c == '.' || c == '-' || c == '[' || c == ']';
    }

    /** Goes to the next key and its value; false if there is none. */
    public boolean next() {
        if (nextEnd < nextBegin) {
            return false;
        }
        nameBegin = nextBegin;
        nameEnd = nextEnd;
        valueBegin = nameEnd + 1;
        findKey(valueBegin, -1);
        valueEnd = nextBegin;
        while (valueEnd > valueBegin && (b[valueEnd - 1] & 0xff) == separator) {
            valueEnd--;
        }
        escaped = false;
        for (int i = valueBegin; cef && i < valueEnd && !escaped; i++) {
            escaped = b[i] == '\\';
        }
        return true;
    }

    /** Goes to the next value of a key; false if there is none. */
    public boolean next(byte[] key) {
        while (next()) {
            if (Arrays.equals(b, nameBegin, nameEnd, key, 0, key.length)) {
                return true;
            }
        }
        return false;
    }

    /** Where the key begins in the message's bytes. */
    public int nameBegin() {
        return nameBegin;
    }

    /** Where it ends, exclusively. */
    public int nameEnd() {
        return nameEnd;
    }

    /** Where the value begins in the message's bytes. */
    public int valueBegin() {
        return valueBegin;
    }

    /** Where it ends, exclusively. */
    public int valueEnd() {
        return valueEnd;
    }

    /** True if there is a backslash in the value, which may be an escape; never in LEEF, which has none. */
    public boolean isEscaped() {
        return escaped;
    }

    /** Takes the escapes off the value: it is in {@link #plainBytes()} then, until the next one. */
    public void unescape() {
        plain = b;
        plainBegin = valueBegin;
        plainEnd = valueEnd;
        if (escaped) {
            if (own.length < valueEnd - valueBegin) {
                own = new byte[Math.max(valueEnd - valueBegin, 2 * own.length)];
            }
            plain = own;
            plainBegin = 0;
            plainEnd = unescape(b, valueBegin, valueEnd, own);
        }
    }

    /** The memory the value is in without its escapes; not a copy. */
    public byte[] plainBytes() {
        return plain;
    }

    /** Where it begins there. */
    public int plainBegin() {
        return plainBegin;
    }

    /** Where it ends, exclusively. */
    public int plainEnd() {
        return plainEnd;
    }

    /**
     * Copies a value of CEF without its escapes: a backslash before an equals sign or another backslash, {@code \n} and {@code
     * \r}. Any other backslash stays.
     *
     * @param to has room for all of it
     * @return how many bytes it has without them
     */
    public static int unescape(byte[] from, int begin, int end, byte[] to) {
        int length = 0;
        for (int i = begin; i < end; i++) {
            byte c = from[i];
            if (c == '\\' && i + 1 < end) {
                byte second = from[i + 1];
                if (second == '=' || second == '\\' || second == 'n' || second == 'r') {
                    c = second == 'n' ? (byte) '\n' : second == 'r' ? (byte) '\r' : second;
                    i++;
                }
            }
            to[length++] = c;
        }
        return length;
    }
}
