package io.millrace.internal.transport.framing;

import java.nio.ByteBuffer;

/**
 * The bytes of a message that is not complete, as one sequence: those that were kept of earlier reads, and then those of a piece of the
 * stream. Index 0 is the first byte of its octet count, or of its text without one. One thread.
 */
final class Unit {
    /** Leading zeros included. More digits are no count. */
    static final int MAX_COUNT_DIGITS = 16;

    /** The longest beginning of a counted message in {@code auto}: digits, a space and {@code <}. */
    static final int MAX_START_BYTES = MAX_COUNT_DIGITS + 2;

    private static final int MAX_PRIORITY_DIGITS = 3;

    private ByteBuffer kept = RemainderPool.NONE;
    private int keptLength;
    private ByteBuffer memory = RemainderPool.NONE;
    private int at;

    /** Sets what it is made of; the piece begins at an index of its memory. */
    Unit of(ByteBuffer keptBytes, int length, ByteBuffer piece, int pieceAt) {
        kept = keptBytes;
        keptLength = length;
        memory = piece;
        at = pieceAt;
        return this;
    }

    byte get(int index) {
        return index < keptLength ? kept.get(index) : memory.get(at + index - keptLength);
    }

    static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    /** True if a message, its count, or the end of the one before can begin with this byte. */
    static boolean mayBegin(byte b) {
        return isDigit(b) || b == '<' || b == '\n' || b == '\r' || b == 0;
    }

    /** How many digits begin at an index; at most one more than a count has. */
    int digits(int index, int end) {
        int to = Math.min(end, index + MAX_COUNT_DIGITS + 1);
        int i = index;
        while (i < to && isDigit(get(i))) {
            i++;
        }
        return i - index;
    }

    long number(int index, int digits) {
        long value = 0;
        for (int i = index; i < index + digits; i++) {
            value = value * 10 + get(i) - '0';
        }
        return value;
    }

    /** True if a line in this range, other than the first, begins with a priority: {@code <}, one to three digits, {@code >}. */
    boolean holdsLines(int from, int end) {
        for (int feed = lineFeed(from, end); feed >= 0; feed = lineFeed(feed + 1, end)) {
            if (isPriority(feed + 1, end)) {
                return true;
            }
        }
        return false;
    }

    private int lineFeed(int from, int end) {
        int begin = from;
        if (begin < keptLength) {
            int found = ByteSearch.find(kept, begin, Math.min(end, keptLength), (byte) '\n');
            if (found >= 0) {
                return found;
            }
            begin = keptLength;
        }
        int found = begin >= end
                ? -1
                : ByteSearch.find(memory, at + begin - keptLength, at + end - keptLength, (byte) '\n');
        return found < 0 ? -1 : found - at + keptLength;
    }

    private boolean isPriority(int index, int end) {
        if (index >= end || get(index) != '<') {
            return false;
        }
        int digits = digits(index + 1, end);
        int after = index + 1 + digits;
        return digits > 0 && digits <= MAX_PRIORITY_DIGITS && after < end && get(after) == '>';
    }

    /**
     * Finds the next line end, or the next octet count with a space and {@code <} after it.
     *
     * @param searched how far an earlier call has searched
     * @param afterDigit true if the byte before index 0 is a digit, so that no count begins there
     * @return -1 if there is none yet
     */
    int nextStart(int searched, boolean afterDigit, int end, int maxCount) {
        // A count at the end of what was searched may continue.
        int i = Math.max(0, searched - MAX_START_BYTES);
        boolean withinDigits = i > 0 ? isDigit(get(i - 1)) : afterDigit;
        while (i < end) {
            byte b = get(i);
            if (b == '\n' || b == 0) {
                return i;
            }
            if (!isDigit(b)) {
                withinDigits = false;
                i++;
                continue;
            }
            int digits = digits(i, end);
            if (!withinDigits && isCount(i, digits, end, maxCount)) {
                return i;
            }
            withinDigits = true;
            i += digits;
        }
        return -1;
    }

    private boolean isCount(int index, int digits, int end, int maxCount) {
        int after = index + digits;
        if (digits > MAX_COUNT_DIGITS || after + 1 >= end || get(after) != ' ' || get(after + 1) != '<') {
            return false;
        }
        long count = number(index, digits);
        return count > 0 && count <= maxCount;
    }

    /** True if it begins with a byte order mark in UTF-8 that has so many bytes of it, or all. */
    boolean isByteOrderMark(int length) {
        return length >= 1
                && get(0) == (byte) 0xef
                && (length < 2 || get(1) == (byte) 0xbb)
                && (length < 3 || get(2) == (byte) 0xbf);
    }
}
