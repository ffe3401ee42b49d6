package io.millrace.internal.parse;

import java.util.Arrays;

/** Tests of single bytes and of byte ranges, in ASCII. */
final class Ascii {
    static final int BYTE_ORDER_MARK_LENGTH = 3;

    private Ascii() {}

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
        return end - begin >= text.length && Arrays.equals(b, begin, begin + text.length, text, 0, text.length);
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
