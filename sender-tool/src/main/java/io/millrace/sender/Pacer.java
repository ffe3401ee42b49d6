package io.millrace.sender;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Holds a thread until a datagram is due. Far from it the thread is parked, so that a slow run costs nothing; a park
 * may overshoot by some 50 microseconds, so the last stretch is spun. Once the time has passed it never waits: a late
 * sender catches up, and does not shift the schedule.
 *
 * <p>One thread calls {@link #start} and {@link #await}; {@link #stop} may be called from any.
 */
final class Pacer {
    /** What {@link #await} returns when the run is to end. */
    static final long STOPPED = -1;

    static final long SPIN_NANOS = 50_000;

    private final WaitClock clock;
    private volatile boolean stopped;
    private volatile @Nullable Thread waiter;
    private long startNanos;
    private long lastNanos;

    Pacer(WaitClock clock) {
        this.clock = clock;
    }

    /** Makes now the start, which all other times count from. */
    void start() {
        start(clock.nanoTime());
    }

    /** Makes that time of the clock the start, so that several threads can have one. */
    void start(long nanoTime) {
        waiter = Thread.currentThread();
        startNanos = nanoTime;
        lastNanos = 0;
    }

    long elapsedNanos() {
        return clock.nanoTime() - startNanos;
    }

    /** What {@link #await} returned last, but for {@link #STOPPED}; costs no look at the clock. */
    long lastNanos() {
        return lastNanos;
    }

    /**
     * Waits until that long after the start, if that is still to come.
     *
     * @return the time it is, in nanoseconds after the start, or {@link #STOPPED}
     */
    long await(long dueNanos) {
        return await(dueNanos, 0);
    }

    /** Like the other, but who has to wait at all waits that much longer. */
    long await(long dueNanos, long grainNanos) {
        long until = dueNanos;
        while (!stopped) {
            long now = elapsedNanos();
            long gap = until - now;
            if (gap <= 0) {
                lastNanos = now;
                return now;
            }
            if (until == dueNanos) {
                until += grainNanos;
                gap += grainNanos;
            }
            if (gap > SPIN_NANOS) {
                clock.park(gap - SPIN_NANOS);
                // An interrupted thread cannot park any more: it would spin here for as long as the gap is.
                if (Thread.currentThread().isInterrupted()) {
                    stop();
                }
            } else {
                clock.spin();
            }
        }
        return STOPPED;
    }

    /** Makes this and every later {@link #await} return {@link #STOPPED}. */
    void stop() {
        stopped = true;
        LockSupport.unpark(waiter);
    }

    boolean isStopped() {
        return stopped;
    }
}
