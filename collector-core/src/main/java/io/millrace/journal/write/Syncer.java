package io.millrace.journal.write;

import io.millrace.agent.Agent;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Syncs one shard again and again, if anything was appended to it since. One thread, which appends never wait for. */
public final class Syncer implements Agent {
    private static final long LONGEST_IDLE_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int LOOKS_AN_INTERVAL = 10;

    private final JournalWriter writer;
    private final long intervalNs;
    private long beganNs;

    /**
     * Of a shard.
     *
     * @param interval between the beginnings of two syncs; one that takes longer is followed by the next at once
     */
    public Syncer(JournalWriter writer, Duration interval) {
        this.writer = writer;
        this.intervalNs = interval.toNanos();
        this.beganNs = System.nanoTime() - intervalNs;
    }

    @Override
    public String roleName() {
        return writer.roleName().replace("journal", "sync");
    }

    /** What a thread does between two calls. */
    public void idle(int workDone) {
        if (workDone == 0) {
            LockSupport.parkNanos(Math.min(LONGEST_IDLE_NS, intervalNs / LOOKS_AN_INTERVAL));
        }
    }

    /** Syncs, if it is time and there is anything; returns 1 if it did. */
    @Override
    public int doWork() {
        long nowNs = System.nanoTime();
        if (nowNs - beganNs < intervalNs) {
            return 0;
        }
        beganNs = nowNs;
        return writer.syncAppended() ? 1 : 0;
    }
}
