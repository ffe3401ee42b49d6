package io.millrace.internal.receive;

import io.millrace.collector.Counter;
import io.millrace.internal.counters.ShardCells;

/** Counts the time in which there is no free slab. The loop's thread. */
final class BackPressure {
    private static final long NONE = Long.MIN_VALUE;

    private final ShardCells counters;
    /** The time up to which it was counted; {@link #NONE} if there is a free slab. */
    private long sinceNs = NONE;

    BackPressure(ShardCells counters) {
        this.counters = counters;
    }

    /** There is no free slab; true if there was one until now. */
    boolean add() {
        long nowNs = System.nanoTime();
        boolean begins = sinceNs == NONE;
        if (!begins) {
            counters.add(Counter.BACK_PRESSURE_NS, nowNs - sinceNs);
        }
        sinceNs = nowNs;
        return begins;
    }

    /** There is a free slab. */
    void end() {
        if (sinceNs != NONE) {
            counters.add(Counter.BACK_PRESSURE_NS, System.nanoTime() - sinceNs);
            sinceNs = NONE;
        }
    }
}
