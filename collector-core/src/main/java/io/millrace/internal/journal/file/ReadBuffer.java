package io.millrace.internal.journal.file;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A read buffer that is reused for all files of a reader, because only the garbage collector frees direct memory. One
 * thread.
 */
public final class ReadBuffer {
    private ByteBuffer buffer = ByteBuffer.allocateDirect(0);

    /** Returns the buffer with at least this capacity, cleared. */
    ByteBuffer of(int bytes) {
        if (bytes > buffer.capacity()) {
            buffer = ByteBuffer.allocateDirect(Math.max(ExcerptFile.MAX_BYTES, Integer.highestOneBit(bytes - 1) * 2))
                    .order(ByteOrder.LITTLE_ENDIAN);
        }
        return buffer.clear();
    }
}
