package io.millrace.sender.run;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Waits until a datagram is due. A long wait parks the thread, so that a slow run costs no CPU time. A park may overshoot
 * by about 50 µs, so the end of the wait spins. After the due time it does not wait: a late sender catches up, and the
 * schedule is not shifted.
 *
 * <p>One thread calls {@link #start} and {@link #await}. Any thread may call {@link #stop}.
 */
final class Pacer {
    /** The result of {@link #await} after a stop. */
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

    /** Starts now; all other times are relative to the start. */
    void start() {
        start(clock.nanoTime());
    }

    /** Starts at a given time of the clock, so that several threads have the same start. */
    void start(long nanoTime) {
        waiter = Thread.currentThread();
        startNanos = nanoTime;
        lastNanos = 0;
    }

    long elapsedNanos() {
        return clock.nanoTime() - startNanos;
    }

    /** The last result of {@link #await} except {@link #STOPPED}, without reading the clock. */
    long lastNanos() {
        return lastNanos;
    }

    /**
     * Waits until a time after the start, unless it has passed.
     *
     * @return the current time in nanoseconds after the start, or {@link #STOPPED}
     */
    long await(long dueNanos) {
        return await(dueNanos, 0);
    }

    /** Like {@link #await(long)}, but a wait that is necessary lasts {@code delayNanos} longer. */
    long await(long dueNanos, long delayNanos) {
        long until = dueNanos;
        while (!stopped) {
            long now = elapsedNanos();
            long gap = until - now;
            if (gap <= 0) {
                lastNanos = now;
                return now;
            }
            if (until == dueNanos) {
                until += delayNanos;
                gap += delayNanos;
            }
            if (gap > SPIN_NANOS) {
                clock.park(gap - SPIN_NANOS);
                // An interrupted thread cannot park: it would spin for the whole wait.
                if (Thread.currentThread().isInterrupted()) {
                    stop();
                }
            } else {
                clock.spin();
            }
        }
        return STOPPED;
    }

    /** Makes the current and all later calls of {@link #await} return {@link #STOPPED}. */
    void stop() {
        stopped = true;
        LockSupport.unpark(waiter);
    }

    boolean isStopped() {
        return stopped;
    }
}
