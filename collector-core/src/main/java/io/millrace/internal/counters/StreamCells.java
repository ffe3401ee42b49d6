package io.millrace.internal.counters;

import io.millrace.collector.StreamCounter;
import io.millrace.collector.StreamCounters;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an input of connections has brought in a shard since the start of the process. Written by the thread of its receiver alone,
 * with plain reads and ordered stores; any thread may read.
 */
public final class StreamCells implements StreamCounters {
    private final String input;
    private final int shard;
    private final @Nullable Supplier<Instant> certificateExpiry;
    private final AtomicLongArray cells = new AtomicLongArray(StreamCounter.values().length);

    /**
     * Creates counters that are 0.
     *
     * @param certificateExpiry when the server certificate in use expires; null without TLS
     */
    public StreamCells(String input, int shard, @Nullable Supplier<Instant> certificateExpiry) {
        this.input = input;
        this.shard = shard;
        this.certificateExpiry = certificateExpiry;
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

    @Override
    @SuppressWarnings("EnumOrdinal")
    public long get(StreamCounter counter) {
        return cells.getAcquire(counter.ordinal());
    }

    @Override
    public long open() {
        long closed = 0;
        for (StreamCounter counter : StreamCounter.values()) {
            closed += counter.isClosed() ? get(counter) : 0;
        }
        return Math.max(0, get(StreamCounter.ACCEPTED) + get(StreamCounter.ADOPTED) - closed);
    }

    @Override
    public long pendingBytes() {
        long accounted =
                get(StreamCounter.PAYLOAD_BYTES) + get(StreamCounter.FRAMING_BYTES) + get(StreamCounter.SKIPPED_BYTES);
        return Math.max(0, get(StreamCounter.READ_BYTES) - accounted);
    }

    @Override
    public @Nullable Instant certificateExpiry() {
        return certificateExpiry == null ? null : certificateExpiry.get();
    }

    @Override
    public String input() {
        return input;
    }

    @Override
    public int shard() {
        return shard;
    }
}
