package io.millrace.counters;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The cells of one shard. A cell has one writing thread (its {@link Counter} says which), so that adding is a plain read
 * and a release store; any thread may read.
 */
public final class ShardCounters {
    /** A cycle of an agent that takes longer than this is a stall, in ns. */
    public static final long STALL_NS = 100_000_000;

    private final ByteBuffer buffer;
    private final int base;
    private final VarHandle longs;
    private final @Nullable RecentValues[] distributions = new RecentValues[Distribution.values().length];

    ShardCounters(ByteBuffer buffer, int base, VarHandle longs) {
        this.buffer = buffer;
        this.base = base;
        this.longs = longs;
    }

    /** The value now. Any thread. */
    public long get(Counter counter) {
        return (long) longs.getAcquire(buffer, offset(counter));
    }

    /** Adds to a counter. Only its writing thread. */
    public void add(Counter counter, long amount) {
        if (amount != 0) {
            int offset = offset(counter);
            longs.setRelease(buffer, offset, (long) longs.get(buffer, offset) + amount);
        }
    }

    /** Sets a value. Only its writing thread. */
    public void set(Counter counter, long value) {
        longs.setRelease(buffer, offset(counter), value);
    }

    /** Raises a high-water mark to a value if it is lower. Only its writing thread. */
    public void raise(Counter counter, long value) {
        int offset = offset(counter);
        if (value > (long) longs.get(buffer, offset)) {
            longs.setRelease(buffer, offset, value);
        }
    }

    /** Takes note of a value, in a shard that was {@link #reset}; in others nothing. Only the recording thread. */
    @SuppressWarnings("EnumOrdinal") // An index in memory, and nowhere else.
    public void record(Distribution distribution, long value) {
        RecentValues values = distributions[distribution.ordinal()];
        if (values != null) {
            values.record(value);
        }
    }

    /** Percentiles of what was recorded lately. Any thread. */
    @SuppressWarnings("EnumOrdinal")
    public Percentiles percentiles(Distribution distribution) {
        RecentValues values = distributions[distribution.ordinal()];
        return values == null ? Percentiles.NONE : values.read();
    }

    /** Takes in what was recorded; to be called a few times a minute, so that percentiles are of the last one. Any thread. */
    public void keepRecent() {
        long nowNs = System.nanoTime();
        for (RecentValues values : distributions) {
            if (values != null) {
                values.keep(nowNs);
            }
        }
    }

    /** Takes note of how long an agent's cycle took. Only the writing thread of all three. */
    public void cycle(Distribution lengths, Counter max, Counter stalls, long cycleNs) {
        record(lengths, cycleNs);
        raise(max, cycleNs);
        if (cycleNs > STALL_NS) {
            add(stalls, 1);
        }
    }

    /** Puts back to 0 what is of one process only, at its start and before any writing thread runs. */
    @SuppressWarnings("EnumOrdinal")
    public void reset() {
        for (Distribution distribution : Distribution.values()) {
            distributions[distribution.ordinal()] =
                    new RecentValues(distribution.unit().highest());
        }
        for (Counter counter : Counter.values()) {
            if (counter.kind() != Counter.Kind.TOTAL) {
                set(counter, 0);
            }
        }
    }

    private int offset(Counter counter) {
        return base + counter.id() * CounterFile.CELL_STRIDE;
    }
}
