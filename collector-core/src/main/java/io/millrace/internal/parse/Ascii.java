package io.millrace.internal.parse;

import java.util.Arrays;

/** Tests of single bytes and of byte ranges, in ASCII. */
final class Ascii {
    static final int BYTE_ORDER_MARK_LENGTH = 3;

    private static final byte KEY = 1;
    private static final byte TAG = 2;
    private static final byte NAME = 4;

    /** The classes of each byte, by its value from 0 to 255. */
    private static final byte[] TYPES = new byte[256];

    static {
        for (char c = 0; c < 0x80; c++) {
            boolean key = isLetterOrDigit((byte) c) || "_.-".indexOf(c) >= 0;
            boolean visible = c > ' ' && c < 0x7f;
            boolean tag = visible && ":[=\"<{".indexOf(c) < 0;
            boolean name = visible && "=]\"".indexOf(c) < 0;
            TYPES[c] = (byte) ((key ? KEY : 0) | (tag ? TAG : 0) | (name ? NAME : 0));
        }
    }

    private Ascii() {}

    /** True for what the key of a pair consists of: letters, digits and {@code _ . -}. */
    static boolean isKey(byte c) {
        return (TYPES[c & 0xff] & KEY) != 0;
    }

    /** True for what a tag consists of. */
    static boolean isTag(byte c) {
        return (TYPES[c & 0xff] & TAG) != 0;
    }

    /** True for what the names of structured data consist of. */
    static boolean isName(byte c) {
        return (TYPES[c & 0xff] & NAME) != 0;
    }

    static boolean isDigit(byte c) {
        return c >= '0' && c <= '9';
    }

    static boolean isHexDigit(byte c) {
        return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    }

    static boolean isLetter(byte c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    static boolean isLetterOrDigit(byte c) {
        return isLetter(c) || isDigit(c);
    }

    /** True if the range from {@code begin} to {@code end} begins with a text. */
    static boolean startsWith(byte[] b, int begin, int end, byte[] text) {
        return end - begin >= text.length
                && b[begin] == text[0]
                && Arrays.equals(b, begin, begin + text.length, text, 0, text.length);
    }

    /** True if the bytes of a byte order mark in UTF-8 are there. */
    static boolean isByteOrderMark(byte[] b, int begin, int end) {
        return end - begin >= BYTE_ORDER_MARK_LENGTH
                && b[begin] == (byte) 0xef
                && b[begin + 1] == (byte) 0xbb
                && b[begin + 2] == (byte) 0xbf;
    }

    /** True for a space, a tab, a line feed or a carriage return. */
    static boolean isWhiteSpace(byte c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r';
    }

    /** The first position from {@code begin} on that is not a space; {@code end} if there is none. */
    static int skipSpaces(byte[] b, int begin, int end) {
        int pos = begin;
        while (pos < end && b[pos] == ' ') {
            pos++;
        }
        return pos;
    }
}
