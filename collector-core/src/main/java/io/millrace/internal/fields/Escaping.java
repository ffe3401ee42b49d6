package io.millrace.internal.fields;

/** How a name or value is escaped in the bytes of its message. The decoded form is never longer. */
public enum Escaping {
    /** As it stands. */
    NONE,
    /** RFC 8259 section 7. */
    JSON,
    /** A backslash before a quote or another backslash, as in {@code key="a \"b\""}. */
    QUOTED,
    /** RFC 5424 section 6.3.3: like {@link #QUOTED}, and before a closing bracket. */
    STRUCTURED,
    /** A backslash before an equals sign or another backslash, {@code \n} and {@code \r}. */
    CEF;

    /**
     * Decodes a range. A backslash that escapes nothing stays.
     *
     * @param to the target, at least as long as the range
     * @return the length of the result
     */
    public int decode(byte[] from, int begin, int end, byte[] to) {
        int length = 0;
        int i = begin;
        while (i < end) {
            byte second = from[i] == '\\' && i + 1 < end ? from[i + 1] : 0;
            if (this == JSON && second == 'u' && i + 6 <= end) {
                int code = hex(from, i + 2);
                i += 6;
                if (Character.isHighSurrogate((char) code) && i + 6 <= end && from[i] == '\\' && from[i + 1] == 'u') {
                    int low = hex(from, i + 2);
                    if (Character.isLowSurrogate((char) low)) {
                        code = Character.toCodePoint((char) code, (char) low);
                        i += 6;
                    }
                }
                length = utf8(code, to, length);
            } else {
                int decoded = second == 0 ? -1 : decoded(second);
                to[length++] = decoded < 0 ? from[i] : (byte) decoded;
                i += decoded < 0 ? 1 : 2;
            }
        }
        return length;
    }

    /** The byte that a backslash and another byte stand for; -1 if they are no escape. */
    private int decoded(byte second) {
        return switch (this) {
            case NONE -> -1;
            case QUOTED -> second == '"' || second == '\\' ? second : -1;
            case STRUCTURED -> second == '"' || second == '\\' || second == ']' ? second : -1;
            case CEF ->
                switch (second) {
                    case '=', '\\' -> second;
                    case 'n' -> '\n';
                    case 'r' -> '\r';
                    default -> -1;
                };
            case JSON ->
                switch (second) {
                    case '"', '\\', '/' -> second;
                    case 'b' -> '\b';
                    case 'f' -> '\f';
                    case 'n' -> '\n';
                    case 'r' -> '\r';
                    case 't' -> '\t';
                    default -> -1;
                };
        };
    }

    private static int hex(byte[] b, int begin) {
        int value = 0;
        for (int i = begin; i < begin + 4; i++) {
            value = (value << 4) | Math.max(0, Character.digit(b[i], 16));
        }
        return value;
    }

    /** Writes a code point, of which a lone surrogate becomes U+FFFD; returns where it ends. */
    private static int utf8(int code, byte[] to, int offset) {
        int c = code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE ? 0xfffd : code;
        int o = offset;
        if (c < 0x80) {
            to[o++] = (byte) c;
        } else if (c < 0x800) {
            to[o++] = (byte) (0xc0 | (c >> 6));
            to[o++] = (byte) (0x80 | (c & 0x3f));
        } else if (c < Character.MIN_SUPPLEMENTARY_CODE_POINT) {
            to[o++] = (byte) (0xe0 | (c >> 12));
            to[o++] = (byte) (0x80 | ((c >> 6) & 0x3f));
            to[o++] = (byte) (0x80 | (c & 0x3f));
        } else {
            to[o++] = (byte) (0xf0 | (c >> 18));
            to[o++] = (byte) (0x80 | ((c >> 12) & 0x3f));
            to[o++] = (byte) (0x80 | ((c >> 6) & 0x3f));
            to[o++] = (byte) (0x80 | (c & 0x3f));
        }
        return o;
    }
}
