package io.millrace.internal.journal.file;

import net.openhft.chronicle.core.time.TimeProvider;

/**
 * The clock for Chronicle's file rolls: a counter of files instead of a time. The journal writer advances it, and it
 * never goes back. One thread writes, any thread reads.
 */
public final class RollClock implements TimeProvider {
    private volatile long cycle;

    public RollClock(long cycle) {
        this.cycle = cycle;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One writing thread.
    public void advance() {
        cycle++;
    }

    /** The cycle of the current file. */
    public long cycle() {
        return cycle;
    }

    public void startAt(long firstCycle) {
        cycle = Math.max(cycle, firstCycle);
    }

    @Override
    public long currentTimeMillis() {
        return ChronicleFiles.millisOfCycle(cycle);
    }
}
