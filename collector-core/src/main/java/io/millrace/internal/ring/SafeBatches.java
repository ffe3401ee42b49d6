package io.millrace.internal.ring;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How many batches of a shard are safe: in the journal, at the configured sync level. Batches have the numbers 0, 1, 2, … in the order
 * in which they are submitted in this process, and become safe in that order. So a receiver remembers only the number of the batch
 * that holds a message, and compares.
 *
 * <p>No wake-up is lost. The receiver declares that it waits before it reads the count a last time; the other side sets the count
 * before it looks whether somebody waits. Both fields are volatile, so one of the two sees the other.
 */
public final class SafeBatches {
    private long submitted;
    private volatile long safe;
    private final AtomicBoolean awaited = new AtomicBoolean();
    private volatile Runnable wake = () -> {};
    private volatile Runnable demand = () -> {};

    SafeBatches() {}

    /** Counts a batch that was submitted. The receiver's thread. */
    void submitted() {
        submitted++;
    }

    /** The number of the batch that is being filled. The receiver's thread. */
    public long current() {
        return submitted;
    }

    /** How many batches are safe: those with lower numbers. Any thread. */
    public long count() {
        return safe;
    }

    /** Sets what wakes the receiver, for {@link #await}; it is called by the thread that makes batches safe. */
    public void onSafe(Runnable call) {
        wake = call;
    }

    /** Sets the call for when the receiver begins to wait for batches: a sync that somebody waits for is due at once. */
    public void onAwaited(Runnable call) {
        demand = call;
    }

    /** True while the receiver waits for more batches to be safe. Any thread. */
    public boolean isAwaited() {
        return awaited.get();
    }

    /**
     * Requests one call when more batches are safe than the receiver knows of.
     *
     * @param known how many it knows of
     * @return false if there are more already: there will be no call then
     */
    public boolean await(long known) {
        boolean begins = !awaited.getAndSet(true);
        if (safe == known) {
            if (begins) {
                demand.run();
            }
            return true;
        }
        awaited.set(false);
        return false;
    }

    /** Sets how many batches are safe. The journal writer's thread, or that of its syncer. */
    public void advance(long count) {
        safe = count;
        // In one step: a receiver that begins to wait meanwhile is woken, or begins again.
        if (awaited.get() && awaited.getAndSet(false)) {
            wake.run();
        }
    }
}
