package io.millrace.internal.parse;

import io.millrace.internal.charset.AsciiWord;
import io.millrace.internal.fields.Escaping;
import io.millrace.message.SyslogMessage.Field;
import java.util.Arrays;

/**
 * Iterator over the structured data of a message, RFC 5424 section 6.3: {@code [id name="value" …][id …]}.
 *
 * <pre>{@code
 * StructuredData data = new StructuredData();
 * data.wrap(message);
 * while (data.nextElement()) {
 *     // nameBegin() to nameEnd() is the element's id
 *     while (data.nextParameter()) {
 *         // nameBegin() to nameEnd() is the parameter's name, value() its value
 *     }
 * }
 * }</pre>
 *
 * One thread.
 */
public final class StructuredData extends NameValueIterator {
    private byte[] b = new byte[0];
    private int pos;
    private int end;

    /** Creates an iterator over nothing. */
    public StructuredData() {}

    /** Starts at the beginning of a message's structured data, which may be absent. */
    public void wrap(ParsedMessage message) {
        b = message.bytes();
        pos = Math.max(0, message.begin(Field.STRUCTURED_DATA));
        end = Math.max(0, message.end(Field.STRUCTURED_DATA));
    }

    /**
     * Moves to the next element and skips the remaining parameters of this one; returns false if there is none. The
     * name is its id.
     */
    public boolean nextElement() {
        boolean inElement = pos < end && b[pos] != '[';
        while (inElement && nextParameter()) {
            // Skips its parameters.
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

    /** Moves to the next parameter of the element; returns false if there is none. */
    public boolean nextParameter() {
        if (pos >= end || b[pos] != ' ') {
            return false;
        }
        nameBegin = pos + 1;
        nameEnd = nameEnd(b, nameBegin, end);
        valueBegin = nameEnd + 2;
        valueEnd = quoteEnd(b, valueBegin, end);
        escaped = AsciiWord.find(b, valueBegin, valueEnd, '\\', '\\') < valueEnd;
        pos = valueEnd + 1;
        return true;
    }

    /** The unescaped value of the parameter, as a new array. */
    public byte[] value() {
        byte[] value = new byte[valueEnd - valueBegin];
        return Arrays.copyOf(value, unescape(b, valueBegin, valueEnd, value));
    }

    /**
     * Copies a value and unescapes it.
     *
     * @param to the target, at least as long as the value
     * @return the length of the unescaped value
     */
    public static int unescape(byte[] from, int begin, int end, byte[] to) {
        return Escaping.STRUCTURED.decode(from, begin, end, to);
    }

    /** True if the byte at a position of a value is a backslash that escapes the next byte. */
    private static boolean isEscape(byte[] bytes, int index, int end) {
        return bytes[index] == '\\'
                && index + 1 < end
                && (bytes[index + 1] == '"' || bytes[index + 1] == '\\' || bytes[index + 1] == ']');
    }

    /** The position after well-formed structured data; its beginning if it is malformed. */
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
        while (p < end && Ascii.isName(b[p])) {
            p++;
        }
        return p;
    }

    /** The position of the quote that ends a value, or the end. */
    private static int quoteEnd(byte[] b, int begin, int end) {
        int p = AsciiWord.find(b, begin, end, '"', '\\');
        while (p < end && b[p] != '"') {
            p = AsciiWord.find(b, isEscape(b, p, end) ? p + 2 : p + 1, end, '"', '\\');
        }
        return p;
    }
}
