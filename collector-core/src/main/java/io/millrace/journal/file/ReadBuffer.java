package io.millrace.journal.file;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What a reader reads into, file after file: direct memory is released by a garbage collection alone. One thread. */
public final class ReadBuffer {
    private ByteBuffer buffer = ByteBuffer.allocateDirect(0);

    /** Memory of at least so many bytes, at its beginning; what was in it is gone. */
    ByteBuffer of(int bytes) {
        if (bytes > buffer.capacity()) {
            buffer = ByteBuffer.allocateDirect(Math.max(ExcerptFile.MAX_BYTES, Integer.highestOneBit(bytes - 1) * 2))
                    .order(ByteOrder.LITTLE_ENDIAN);
        }
        return buffer.clear();
    }
}
