package io.millrace.internal.journal.file;

import java.nio.ByteBuffer;

/**
 * A fast search for the end of zeros. Files are allocated ahead, so most of a new file is zeros. This class compares
 * them in blocks, because a loop over single bytes would take most of the time of a scan. Any thread.
 */
public final class Zeros {
    private static final ByteBuffer BLOCK = ByteBuffer.allocate(64 << 10).asReadOnlyBuffer();

    private Zeros() {}

    /** The number of consecutive zero bytes from an index, up to an exclusive end. */
    public static int count(ByteBuffer memory, int from, int to) {
        int at = from;
        while (at < to) {
            int bytes = Math.min(to - at, BLOCK.capacity());
            int other = memory.slice(at, bytes).mismatch(BLOCK.slice(0, bytes));
            if (other >= 0) {
                return at + other - from;
            }
            at += bytes;
        }
        return to - from;
    }
}
