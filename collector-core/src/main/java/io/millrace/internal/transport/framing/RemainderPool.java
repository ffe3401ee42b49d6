package io.millrace.internal.transport.framing;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;

/**
 * Memory for what connections have to keep: the beginning of a message, and what was read while there was no free slab. Released memory
 * is used again, so that a message in two reads allocates nothing. One thread.
 */
public final class RemainderPool {
    /** Memory of no bytes. */
    public static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private static final int MIN_BYTES = 256;
    /** How much released memory is kept; more is left to the garbage collector, which many large arrays would keep busy. */
    private static final int MAX_KEPT_BYTES = 16 << 20;

    private final ArrayDeque<ByteBuffer>[] bySize = newQueues();
    private long usedBytes;
    private long keptBytes;

    @SuppressWarnings({"unchecked", "rawtypes"}) // An array of generic type.
    private static ArrayDeque<ByteBuffer>[] newQueues() {
        ArrayDeque<ByteBuffer>[] queues = new ArrayDeque[Integer.SIZE];
        for (int i = 0; i < queues.length; i++) {
            queues[i] = new ArrayDeque<>();
        }
        return queues;
    }

    /**
     * Memory for some bytes, little-endian.
     *
     * @param limit the largest size that the caller ever requests; a buffer is not rounded up beyond it
     */
    public ByteBuffer take(int bytes, int limit) {
        int size = size(Math.max(bytes, MIN_BYTES));
        ByteBuffer kept = bySize[size].pollLast();
        keptBytes -= kept == null ? 0 : kept.capacity();
        ByteBuffer memory = kept != null && kept.capacity() >= bytes
                ? kept
                : ByteBuffer.allocate(Math.max(bytes, Math.min(1 << size, limit)))
                        .order(ByteOrder.LITTLE_ENDIAN);
        usedBytes += memory.capacity();
        return memory;
    }

    /** Takes memory back. */
    public void release(ByteBuffer memory) {
        usedBytes -= memory.capacity();
        if (memory.capacity() >= MIN_BYTES && keptBytes + memory.capacity() <= MAX_KEPT_BYTES) {
            bySize[size(memory.capacity())].addLast(memory);
            keptBytes += memory.capacity();
        }
    }

    /** The size of all memory that was taken and is not released. */
    public long usedBytes() {
        return usedBytes;
    }

    /** The power of two that is not less. */
    private static int size(int bytes) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(bytes - 1);
    }
}
