package io.millrace.internal.agent;

import java.util.concurrent.TimeUnit;

/**
 * Common times for what threads do periodically: multiples of a period by the wall clock. Threads that wake up together touch the same
 * memory, so an idle process costs less. Any thread.
 */
public final class Ticks {
    private Ticks() {}

    /** The time to the next tick of a period of whole ms, in ns. */
    public static long nsToNext(long periodNs) {
        long periodMs = TimeUnit.NANOSECONDS.toMillis(periodNs);
        return TimeUnit.MILLISECONDS.toNanos(periodMs - System.currentTimeMillis() % periodMs);
    }

    /** The number of the last tick of a period. */
    public static long number(long periodNs) {
        return System.currentTimeMillis() / TimeUnit.NANOSECONDS.toMillis(periodNs);
    }
}
