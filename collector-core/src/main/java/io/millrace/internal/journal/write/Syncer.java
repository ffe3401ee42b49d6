package io.millrace.internal.journal.write;

import io.millrace.internal.agent.Agent;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The agent that syncs one shard with sync level interval: periodically if it was appended to, and at once if clients of RELP wait for their answers. What is
 * appended during a sync shares the next one, so the number of syncs is bounded by their length, however many clients wait. Appends
 * never wait for its thread. It syncs the counters too, also with level batch, whose writer syncs the journal itself.
 */
public final class Syncer implements Agent {
    private final JournalWriter writer;
    private final long intervalNs;
    private final LongSupplier clock;
    private long beganNs;
    private volatile @Nullable Thread worker;

    /**
     * Creates the agent for a shard.
     *
     * @param interval the maximum time from the start of a sync to the start of the next; after a longer sync, the next starts
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
        writer.onSyncAwaited(() -> LockSupport.unpark(worker));
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

    /** Syncs if it is time or somebody waits, and something was appended; returns 1 if it did. */
    @Override
    public int doWork() {
        worker = Thread.currentThread();
        long nowNs = clock.getAsLong();
        boolean isTime = nowNs - beganNs >= intervalNs;
        if (!isTime && !writer.isSyncAwaited()) {
            return 0;
        }
        int synced = writer.syncAppended() ? 1 : 0;
        if (isTime) {
            beganNs = nowNs;
            writer.syncCounters();
        }
        return synced;
    }
}
