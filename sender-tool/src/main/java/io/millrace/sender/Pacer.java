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

    Pacer(WaitClock clock) {
        this.clock = clock;
    }

    /** Makes now the start, which all other times count from. */
    void start() {
        waiter = Thread.currentThread();
        startNanos = clock.nanoTime();
    }

    long elapsedNanos() {
        return clock.nanoTime() - startNanos;
    }

    /**
     * Waits until that long after the start, if that is still to come.
     *
     * @return the time it is, in nanoseconds after the start, or {@link #STOPPED}
     */
    long await(long dueNanos) {
        while (!stopped) {
            long now = elapsedNanos();
            long gap = dueNanos - now;
            if (gap <= 0) {
                return now;
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
