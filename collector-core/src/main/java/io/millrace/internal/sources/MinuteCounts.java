package io.millrace.internal.sources;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** How many datagrams there were in each of the last {@value #MINUTES} minutes. One thread. */
final class MinuteCounts {
    static final int MINUTES = 30;
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);

    private final int[] counts = new int[MINUTES];
    /** The newest minute, since the epoch. */
    private long minute;

    /** Counts datagrams in the minute of a time, unless it is too old. */
    void add(long timeNs, int datagrams) {
        long now = timeNs / MINUTE_NS;
        if (now <= minute - MINUTES) {
            // The clock was set back.
            Arrays.fill(counts, 0);
            minute = now;
        }
        for (long each = Math.max(minute, now - MINUTES) + 1; each <= now; each++) {
            counts[(int) (each % MINUTES)] = 0;
        }
        minute = Math.max(minute, now);
        counts[(int) (now % MINUTES)] += datagrams;
    }

    /** The count of a minute since the epoch; 0 if nothing is known of it. */
    private int of(long each) {
        return each > minute || each <= minute - MINUTES ? 0 : counts[(int) (each % MINUTES)];
    }

    /**
     * The counts up to a minute, oldest first.
     *
     * @param lastNs the time of further datagrams that were not counted yet
     * @param further their number
     */
    int[] until(long nowNs, long lastNs, int further) {
        long first = nowNs / MINUTE_NS + 1 - MINUTES;
        int[] found = new int[MINUTES];
        for (int i = 0; i < MINUTES; i++) {
            found[i] = of(first + i) + (first + i == lastNs / MINUTE_NS ? further : 0);
        }
        return found;
    }

    /** The sum of these counts, but for the further datagrams. */
    long sum(long nowNs) {
        long last = nowNs / MINUTE_NS;
        long sum = 0;
        for (long each = last + 1 - MINUTES; each <= last; each++) {
            sum += of(each);
        }
        return sum;
    }
}
