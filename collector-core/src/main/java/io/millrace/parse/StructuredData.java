package io.millrace.parse;

import io.millrace.parse.SyslogMessage.Field;
import java.util.Arrays;

/**
 * Walks through the structured data of a message, RFC 5424 section 6.3: {@code [id name="value" …][id …]}.
 *
 * <pre>{@code
 * StructuredData data = new StructuredData();
 * data.wrap(message);
 * while (data.nextElement()) {
 *     // nameBegin() to nameEnd() is the element's id
 *     while (data.nextParameter()) {
 *         // nameBegin() to nameEnd() is the parameter's name, value() what it says
 *     }
 * }
 * }</pre>
 *
 * One thread.
 */
public final class StructuredData {
    private byte[] b = new byte[0];
    private int pos;
    private int end;

    private int nameBegin;
    private int nameEnd;
    private int valueBegin;
    private int valueEnd;
    private boolean escaped;

    /** Makes a walk over nothing. */
    public StructuredData() {}

    /** Goes to the beginning of a message's structured data, which may be absent. */
    public void wrap(SyslogMessage message) {
        b = message.bytes();
        pos = Math.max(0, message.begin(Field.STRUCTURED_DATA));
        end = Math.max(0, message.end(Field.STRUCTURED_DATA));
    }

    /** Goes to the next element, past what is left of this one; false if there is none. Sets the name to its id. */
    public boolean nextElement() {
        boolean inElement = pos < end && b[pos] != '[';
        while (inElement && nextParameter()) {
            // Its parameters are not wanted.
        }
        if (pos < end && b[pos] == ']') {
            pos++;
        }
        if (pos >= end) {
            return false;
        }
        nameBegin = pos + 1;
        pos = nameEnd(b, nameBegin, end);
        nameEnd = pos;
        return true;
    }

    /** Goes to the next parameter of the element; false if there is none. */
    public boolean nextParameter() {
        if (pos >= end || b[pos] != ' ') {
            return false;
        }
        nameBegin = pos + 1;
        nameEnd = nameEnd(b, nameBegin, end);
        valueBegin = nameEnd + 2;
        valueEnd = quoteEnd(b, valueBegin, end);
        escaped = false;
        for (int i = valueBegin; i < valueEnd && !escaped; i++) {
            escaped = b[i] == '\\';
        }
        pos = valueEnd + 1;
        return true;
    }

    /** Where the id or the parameter's name begins in the message's bytes. */
    public int nameBegin() {
        return nameBegin;
    }

    /** Where it ends, exclusively. */
    public int nameEnd() {
        return nameEnd;
    }

    /** Where the parameter's value begins in the message's bytes, after its quote. */
    public int valueBegin() {
        return valueBegin;
    }

    /** Where it ends, exclusively. */
    public int valueEnd() {
        return valueEnd;
    }

    /** True if there is a backslash in the value: {@code \"}, {@code \\} and {@code \]} mean the second character. */
    public boolean isEscaped() {
        return escaped;
    }

    /** The parameter's value without its escapes, as a new array. */
    public byte[] value() {
        byte[] value = new byte[valueEnd - valueBegin];
        return Arrays.copyOf(value, unescape(b, valueBegin, valueEnd, value));
    }

    /**
     * Copies a value without its escapes.
     *
     * @param to has room for all of it
     * @return how many bytes it has without them
     */
    public static int unescape(byte[] from, int begin, int end, byte[] to) {
        int length = 0;
        for (int i = begin; i < end; i++) {
            if (isEscape(from, i, end)) {
                i++;
            }
            to[length++] = from[i];
        }
        return length;
    }

    /** True if the byte at this place of a value is a backslash that only escapes what follows. */
    private static boolean isEscape(byte[] bytes, int index, int end) {
        return bytes[index] == '\\'
                && index + 1 < end
                && (bytes[index + 1] == '"' || bytes[index + 1] == '\\' || bytes[index + 1] == ']');
    }

    /** The place after well-formed structured data that begins here, or the beginning if it is not. */
    static int end(byte[] b, int begin, int end) {
        int pos = begin;
        while (pos < end && b[pos] == '[') {
            int p = nameEnd(b, pos + 1, end);
            if (p == pos + 1) {
                return begin;
            }
            while (p < end && b[p] == ' ') {
                int name = nameEnd(b, p + 1, end);
                if (name == p + 1 || name + 1 >= end || b[name] != '=' || b[name + 1] != '"') {
                    return begin;
                }
                p = quoteEnd(b, name + 2, end) + 1;
            }
            if (p >= end || b[p] != ']') {
                return begin;
            }
            pos = p + 1;
        }
        return pos < end && b[pos] != ' ' ? begin : pos;
    }

    private static int nameEnd(byte[] b, int begin, int end) {
        int p = begin;
        while (p < end && b[p] > ' ' && b[p] < 0x7f && b[p] != '=' && b[p] != ']' && b[p] != '"') {
            p++;
        }
        return p;
    }

    /** The quote that ends a value, or the end. */
    private static int quoteEnd(byte[] b, int begin, int end) {
        int p = begin;
        while (p < end && b[p] != '"') {
            p += isEscape(b, p, end) ? 2 : 1;
        }
        return Math.min(p, end);
    }
}
