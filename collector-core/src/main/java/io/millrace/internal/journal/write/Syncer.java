package io.millrace.internal.journal.write;

import io.millrace.internal.agent.Agent;
import io.millrace.internal.agent.Ticks;
import io.millrace.internal.journal.AppendSignal;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The agent that syncs one shard with sync level interval: periodically if it was appended to, and at once if clients of RELP wait for their answers. What is
 * appended during a sync shares the next one, so the number of syncs is bounded by their length, however many clients wait. Appends
 * never wait for its thread. It syncs the counters too, also with level batch, whose writer syncs the journal itself.
 */
public final class Syncer implements Agent {
    /** While nothing is appended, the counters are still synced, for what was dropped. */
    private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(5);

    private final JournalWriter writer;
    private final long intervalNs;
    private final AppendSignal.Reader appends;
    private final LongSupplier clock;
    private long beganNs;
    private volatile @Nullable Thread worker;

    /**
     * Creates the agent for a shard.
     *
     * @param appends the signal of the shard's journal
     * @param interval the maximum time from the start of a sync to the start of the next; after a longer sync, the next starts
     *     at once
     */
    public Syncer(JournalWriter writer, AppendSignal appends, Duration interval) {
        this(writer, appends, interval, System::nanoTime);
    }

    /** Creates the agent with a monotonic clock, in ns, that a test steps. */
    public Syncer(JournalWriter writer, AppendSignal appends, Duration interval, LongSupplier clock) {
        this.writer = writer;
        this.appends = appends.newReaderOf(writer.shard());
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
        if (workDone != 0) {
            return;
        }
        long waitNs = beganNs + intervalNs - clock.getAsLong();
        if (waitNs > 0 || writer.isUnsynced()) {
            // The second is after a sync that failed, and may be tried again.
            LockSupport.parkNanos(this, waitNs > 0 ? waitNs : intervalNs);
        } else {
            appends.await(1, Ticks.nsToNext(QUIET_NS));
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
        boolean quiet = !appends.hasGrown(1) && !writer.isUnsynced();
        // Before it looks: what is appended from now on ends the next sleep.
        appends.mark();
        int synced = writer.syncAppended() ? 1 : 0;
        if (isTime) {
            writer.syncCounters();
            // In a quiet time, the next append is synced at once.
            beganNs = quiet ? beganNs : nowNs;
        }
        return synced;
    }
}
