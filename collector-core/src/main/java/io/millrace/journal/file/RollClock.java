package io.millrace.journal.file;

import net.openhft.chronicle.core.time.TimeProvider;

/**
 * The clock Chronicle rolls its files by: no time at all but a count of files, which the journal writer advances and
 * which never goes back. One thread writes, any reads.
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

    /** The file of now. */
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
