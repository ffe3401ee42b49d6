package io.millrace.internal.parse;

import io.millrace.internal.fields.Escaping;
import io.millrace.message.Body;
import io.millrace.message.SyslogMessage.Field;

/**
 * Iterator over the extension of a CEF or LEEF message: {@code key=value key=value}. Pairs are separated by a space in
 * CEF and by a tab in LEEF. From version 2.0 on, the LEEF header can name another separator, literally or in
 * hexadecimal: {@code ^}, {@code x09}, {@code 0x5e}.
 *
 * <p>A key consists of letters, digits, dots, dashes, underscores and brackets. It stands at the beginning or after a
 * separator, and before an equals sign. The value extends to the next key, so it may contain spaces and equals signs
 * that are not escaped. Separators at its end are removed. Text before the first key is ignored. One thread.
 */
public final class Extension extends NameValueIterator {
    private static final int CEF_BARS = 7;
    private static final int LEEF_BARS = 5;
    private static final int LEEF_NAME_LENGTH = "LEEF:".length();
    /** {@code 0x0009}. */
    private static final int MAX_SEPARATOR_BYTES = 6;

    private byte[] b = new byte[0];
    private int end;
    private int separator;
    private boolean cef;

    /** The next key; there is none if it ends before it begins. */
    private int nextBegin;

    private int nextEnd;

    private byte[] own = new byte[256];
    private byte[] plain = own;
    private int plainBegin;
    private int plainEnd;

    /** Creates an iterator over nothing. */
    public Extension() {}

    /** Starts at the beginning of a message's extension, which may be absent. */
    public void wrap(ParsedMessage message) {
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

    /** The position after {@code count} unescaped bars; the end if there are fewer. */
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

    /** Reads the optional separator of the header; an empty one means a tab. */
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

    /** The byte written as {@code x09} or {@code 0x5e}; -1 for other texts. */
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
     * @param word where a key may begin; -1 if only after a separator
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

    /** Moves to the next key and its value; returns false if there is none. */
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

    /** Unescapes the value; the result is in {@link #plainBytes()} until the next call. */
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

    /** The array that holds the unescaped value; not a copy. */
    public byte[] plainBytes() {
        return plain;
    }

    /** The beginning of the unescaped value. */
    public int plainBegin() {
        return plainBegin;
    }

    /** The end of the unescaped value, exclusive. */
    public int plainEnd() {
        return plainEnd;
    }

    /**
     * Copies a CEF value and unescapes it: a backslash before an equals sign or another backslash, {@code \n} and
     * {@code \r}. Other backslashes stay.
     *
     * @param to the target, at least as long as the value
     * @return the length of the unescaped value
     */
    public static int unescape(byte[] from, int begin, int end, byte[] to) {
        return Escaping.CEF.decode(from, begin, end, to);
    }
}
