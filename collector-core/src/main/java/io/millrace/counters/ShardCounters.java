package io.millrace.counters;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The cells of one shard. A cell has one writing thread (its {@link Counter} says which), so that adding is a plain read
 * and a release store; any thread may read.
 */
public final class ShardCounters {
    private final ByteBuffer buffer;
    private final int base;
    private final VarHandle longs;

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

    /** Puts the high-water marks back to 0, at the start of a process and before any writing thread runs. */
    public void resetHighWaterMarks() {
        for (Counter counter : Counter.values()) {
            if (counter.kind() == Counter.Kind.HIGH_WATER) {
                set(counter, 0);
            }
        }
    }

    private int offset(Counter counter) {
        return base + counter.id() * CounterFile.CELL_STRIDE;
    }
}
