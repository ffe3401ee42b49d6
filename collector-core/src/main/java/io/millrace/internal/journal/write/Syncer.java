package io.millrace.internal.journal.write;

import java.util.function.LongSupplier;
import io.millrace.internal.agent.Agent;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The agent that syncs one shard periodically if it was appended to. Appends never wait for its thread. */
public final class Syncer implements Agent {
    private final JournalWriter writer;
    private final long intervalNs;
    private final LongSupplier clock;
    private long beganNs;

    /**
     * Creates the agent for a shard.
     *
     * @param interval the time from the start of a sync to the start of the next; after a longer sync, the next starts
     *     at once
     */
    public Syncer(JournalWriter writer, Duration interval) {
        this(writer, interval, System::nanoTime);
    }

    /** Creates the agent with a monotonic clock, in ns, that a test steps. */
    public Syncer(JournalWriter writer, Duration interval, LongSupplier clock) {
        this.writer = writer;
        this.intervalNs = interval.toNanos();
        this.clock = clock;
        this.beganNs = clock.getAsLong() - intervalNs;
    }

    @Override
    public String roleName() {
        return writer.roleName().replace("journal", "sync");
    }

    /** The idle strategy for the agent's thread. */
    public void idle(int workDone) {
        if (workDone == 0) {
            LockSupport.parkNanos(this, beganNs + intervalNs - clock.getAsLong());
        }
    }

    /** Syncs if it is time and something was appended; returns 1 if it did. */
    @Override
    public int doWork() {
        long nowNs = clock.getAsLong();
        if (nowNs - beganNs < intervalNs) {
            return 0;
        }
        beganNs = nowNs;
        return writer.syncAppended() ? 1 : 0;
    }
}
