package io.millrace.internal.transport.framing;

import java.nio.ByteBuffer;

/**
 * Finds a byte, eight at a time. A word is compared with the byte in all eight places by an exclusive or, which makes a byte 0 of
 * each place that is the same. In {@code (w - 0x01...) & ~w & 0x80...} the lowest bit that is set belongs to the first such byte
 * (Hacker's Delight, section 6-1).
 */
final class ByteSearch {
    private static final long LOW_BITS = 0x0101_0101_0101_0101L;
    private static final long NOT_LINE_FEED = ~('\n' * LOW_BITS);
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private ByteSearch() {}

    /**
     * Finds the first place of a byte.
     *
     * @param memory its order is little-endian
     * @return -1 if the byte is not there
     */
    static int find(ByteBuffer memory, int from, int to, byte wanted) {
        long pattern = (wanted & 0xffL) * LOW_BITS;
        int at = from;
        for (int last = to - Long.BYTES; at <= last; at += Long.BYTES) {
            long word = memory.getLong(at) ^ pattern;
            long found = (word - LOW_BITS) & ~word & HIGH_BITS;
            if (found != 0) {
                return at + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        for (; at < to; at++) {
            if (memory.get(at) == wanted) {
                return at;
            }
        }
        return -1;
    }

    /** Finds the first line feed or byte 0; otherwise as {@link #find}. */
    static int findLineEnd(ByteBuffer memory, int from, int to) {
        int at = from;
        for (int last = to - Long.BYTES; at <= last; at += Long.BYTES) {
            // Of bytes 0, 2, 8 and 10 nothing is left: one comparison finds all of them, and 2 and 8 are rare.
            long word = memory.getLong(at) & NOT_LINE_FEED;
            long found = (word - LOW_BITS) & ~word & HIGH_BITS;
            if (found != 0) {
                at += Long.numberOfTrailingZeros(found) >>> 3;
                if (isLineEnd(memory.get(at))) {
                    return at;
                }
                at -= Long.BYTES - 1;
            }
        }
        for (; at < to; at++) {
            if (isLineEnd(memory.get(at))) {
                return at;
            }
        }
        return -1;
    }

    private static boolean isLineEnd(byte b) {
        return b == '\n' || b == 0;
    }
}
