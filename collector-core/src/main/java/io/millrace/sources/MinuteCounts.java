package io.millrace.sources;

import java.util.concurrent.TimeUnit;

/** How many datagrams there were in each of the last {@value #MINUTES} minutes. One thread. */
final class MinuteCounts {
    static final int MINUTES = 30;
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);

    private final int[] counts = new int[MINUTES];
    /** The newest minute, since the epoch. */
    private long minute;

    /** Counts datagrams; those that are a little older than others count in the newest minute. */
    void add(long timeNs, int datagrams) {
        advance(timeNs);
        counts[(int) (minute % MINUTES)] += datagrams;
    }

    private void advance(long timeNs) {
        long now = timeNs / MINUTE_NS;
        if (now < minute - 1) {
            // The clock was set back.
            minute = 0;
        }
        for (long each = Math.max(minute, now - MINUTES) + 1; each <= now; each++) {
            counts[(int) (each % MINUTES)] = 0;
        }
        minute = Math.max(minute, now);
    }

    /**
     * The counts up to a minute, oldest first.
     *
     * @param lastNs the time of further datagrams that were not counted yet
     * @param further their number
     */
    int[] until(long nowNs, long lastNs, int further) {
        advance(nowNs);
        int[] found = new int[MINUTES];
        long furtherMinute = lastNs / MINUTE_NS;
        for (int i = 0; i < MINUTES; i++) {
            long each = minute + 1 - MINUTES + i;
            found[i] = counts[(int) (each % MINUTES)] + (each == furtherMinute ? further : 0);
        }
        return found;
    }
}
