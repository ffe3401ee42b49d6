package io.millrace.counters;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What an input of connections has brought in a shard since the start of the process. Written by the thread of its receiver alone,
 * with plain reads and ordered stores; any thread may read.
 */
public final class StreamCounters {
    private final String input;
    private final int shard;
    private final AtomicLongArray cells = new AtomicLongArray(StreamCounter.values().length);

    /** Begins to count. */
    public StreamCounters(String input, int shard) {
        this.input = input;
        this.shard = shard;
    }

    /** Adds to a counter. */
    @SuppressWarnings("EnumOrdinal") // An index in memory, and nowhere else.
    public void add(StreamCounter counter, long amount) {
        int cell = counter.ordinal();
        cells.lazySet(cell, cells.getPlain(cell) + amount);
    }

    /** Sets a counter. */
    @SuppressWarnings("EnumOrdinal")
    public void set(StreamCounter counter, long value) {
        cells.lazySet(counter.ordinal(), value);
    }

    /** The value now. */
    @SuppressWarnings("EnumOrdinal")
    public long get(StreamCounter counter) {
        return cells.getAcquire(counter.ordinal());
    }

    /** Connections that are open now. */
    public long open() {
        long closed = 0;
        for (StreamCounter counter : StreamCounter.values()) {
            closed += counter.isClosed() ? get(counter) : 0;
        }
        return Math.max(0, get(StreamCounter.ACCEPTED) - closed);
    }

    /** Bytes that were read and belong to messages that are not complete, or have no slab yet. */
    public long pendingBytes() {
        long accounted =
                get(StreamCounter.PAYLOAD_BYTES) + get(StreamCounter.FRAMING_BYTES) + get(StreamCounter.SKIPPED_BYTES);
        return Math.max(0, get(StreamCounter.READ_BYTES) - accounted);
    }

    /** Name of the input. */
    public String input() {
        return input;
    }

    /** The shard. */
    public int shard() {
        return shard;
    }
}
