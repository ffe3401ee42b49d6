package io.millrace.format;

/** Validation of UTF-8 (RFC 3629). Invalid sequences are replaced as by Java's decoder. */
final class Utf8 {
    /** U+FFFD. */
    static final byte[] REPLACEMENT = {(byte) 0xef, (byte) 0xbf, (byte) 0xbd};

    private Utf8() {}

    /**
     * Checks the sequence that begins with a byte above 0x7f.
     *
     * @return its length, 2 to 4; or the negative number of bytes that one U+FFFD replaces
     */
    static int sequence(byte[] b, int index, int end) {
        int first = b[index] & 0xff;
        if (first < 0xc2 || first > 0xf4) {
            return -1;
        }
        int second = index + 1 < end ? b[index + 1] & 0xff : 0;
        if (second < least(first) || second > most(first)) {
            return -1;
        }
        int length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        for (int i = 2; i < length; i++) {
            if (index + i >= end || (b[index + i] & 0xc0) != 0x80) {
                return -i;
            }
        }
        // A UTF-16 surrogate in three bytes is one invalid sequence, not three.
        return first == 0xed && second > 0x9f ? -length : length;
    }

    private static int least(int first) {
        return first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    }

    private static int most(int first) {
        return first == 0xf4 ? 0x8f : 0xbf;
    }
}
