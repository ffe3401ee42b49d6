package io.millrace.sources;

import java.util.concurrent.TimeUnit;

/** How many datagrams there were in each of the last {@value #MINUTES} minutes. One thread. */
final class MinuteCounts {
    static final int MINUTES = 30;
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);

    private final int[] counts = new int[MINUTES];
    /** The newest minute, since the epoch, and its end. */
    private long minute;

    private long endNs;

    /** Counts datagrams; those that are older than others count in the newest minute. */
    void add(long timeNs, int datagrams) {
        if (timeNs >= endNs) {
            advance(timeNs);
        }
        counts[(int) (minute % MINUTES)] += datagrams;
    }

    private void advance(long timeNs) {
        long now = timeNs / MINUTE_NS;
        for (long each = Math.max(minute, now - MINUTES) + 1; each <= now; each++) {
            counts[(int) (each % MINUTES)] = 0;
        }
        minute = Math.max(minute, now);
        endNs = (minute + 1) * MINUTE_NS;
    }

    /** The counts up to the minute of this time, oldest first. */
    int[] until(long nowNs) {
        advance(nowNs);
        int[] found = new int[MINUTES];
        for (int i = 0; i < MINUTES; i++) {
            found[i] = counts[(int) ((minute + 1 + i) % MINUTES)];
        }
        return found;
    }
}
