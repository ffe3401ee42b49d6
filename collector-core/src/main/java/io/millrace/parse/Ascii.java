package io.millrace.parse;

import java.util.Arrays;

/** Tests of single bytes and of byte ranges, in ASCII. */
final class Ascii {
    private Ascii() {}

    static boolean isDigit(byte c) {
        return c >= '0' && c <= '9';
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

    /** The first position from {@code begin} on that is not a space; {@code end} if there is none. */
    static int skipSpaces(byte[] b, int begin, int end) {
        int pos = begin;
        while (pos < end && b[pos] == ' ') {
            pos++;
        }
        return pos;
    }
}
