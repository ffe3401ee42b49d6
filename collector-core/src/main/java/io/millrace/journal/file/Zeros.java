package io.millrace.journal.file;

import java.nio.ByteBuffer;

/**
 * Tells how far zeros reach. Files are made longer ahead of what is written, so most of a new one is zeros, and who looks through
 * it compares them as a block: a loop over them would take most of the time. Any thread.
 */
public final class Zeros {
    private static final ByteBuffer BLOCK = ByteBuffer.allocate(64 << 10).asReadOnlyBuffer();

    private Zeros() {}

    /** How many bytes of the memory are zeros, from one on and before another. */
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
