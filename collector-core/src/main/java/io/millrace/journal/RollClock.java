package io.millrace.journal;

import net.openhft.chronicle.core.time.TimeProvider;

/**
 * The clock Chronicle rolls its files by: no time at all but a count of files, which the journal writer advances and
 * which never goes back. One thread writes, any reads.
 */
final class RollClock implements TimeProvider {
    private volatile long cycle;

    RollClock(long cycle) {
        this.cycle = cycle;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One writing thread.
    void advance() {
        cycle++;
    }

    /** The file of now. */
    long cycle() {
        return cycle;
    }

    void startAt(long firstCycle) {
        cycle = Math.max(cycle, firstCycle);
    }

    @Override
    public long currentTimeMillis() {
        return ChronicleFiles.millisOfCycle(cycle);
    }
}
