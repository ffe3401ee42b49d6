package io.millrace.app.command;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Splitter of a stream into chunks of whole lines. A chunk is the result of one read, so slow streams are not delayed. */
final class LineChunks {
    private static final int CHUNK_BYTES = 1 << 20;

    /** Longer lines are split, because a stream may never contain a line feed. */
    private static final int MAX_LINE_BYTES = 16 << 20;

    private final InputStream in;
    private byte[] memory = new byte[CHUNK_BYTES];
    private int length;

    LineChunks(InputStream in) {
        this.in = in;
    }

    /** The next whole lines with their line feeds, which the last line may lack; null at the end. */
    byte @Nullable [] next() throws IOException {
        while (true) {
            if (length == memory.length) {
                memory = Arrays.copyOf(memory, 2 * length);
            }
            int count = in.read(memory, length, Math.min(memory.length - length, CHUNK_BYTES));
            if (count < 0) {
                byte[] rest = length == 0 ? null : Arrays.copyOf(memory, length);
                length = 0;
                return rest;
            }
            int whole = afterLastLineFeed(length, length + count);
            length += count;
            if (whole == 0 && length >= MAX_LINE_BYTES) {
                whole = length;
            }
            if (whole > 0) {
                byte[] chunk = Arrays.copyOf(memory, whole);
                System.arraycopy(memory, whole, memory, 0, length - whole);
                length -= whole;
                return chunk;
            }
        }
    }

    /** There is no line feed before {@code from}. */
    private int afterLastLineFeed(int from, int to) {
        for (int i = to; i > from; i--) {
            if (memory[i - 1] == '\n') {
                return i;
            }
        }
        return 0;
    }
}
