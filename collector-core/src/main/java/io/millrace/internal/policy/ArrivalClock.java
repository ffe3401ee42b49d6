package io.millrace.internal.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The clock of the rate limits: the receive time of the newest datagram of any receiver. Any thread, several at once.
 *
 * <p>Receivers share the buckets, and one can be behind another because more is queued in its socket. With a clock per
 * receiver, a bucket emptied by one would look to the other as if the host's clock had been set back. So this clock never
 * goes back, unless the host's clock was set back.
 */
final class ArrivalClock {
    /**
     * Threads write the newest time only when it has moved by this much. Otherwise they would compete for its cache line at
     * every datagram. If two threads write at once, the earlier time may win; the next write corrects that.
     */
    private static final long STEP_NS = 1_000_000;

    /** If the host's clock is set back by less, this clock waits until the host's has caught up. */
    private static final long SET_BACK_NS = 500_000_000;

    private static final int LINE_LONGS = 8;
    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

    /** The newest time, padded on both sides against false sharing. */
    private final long[] newestNs = new long[2 * LINE_LONGS];

    /** The time for the check of a datagram, in ns since the epoch: its receive time, or that of an earlier one if newer. */
    long time(long receiveTimeNs) {
        long newest = (long) CELLS.getOpaque(newestNs, LINE_LONGS);
        if (receiveTimeNs > newest + STEP_NS) {
            CELLS.setOpaque(newestNs, LINE_LONGS, receiveTimeNs);
        }
        return Math.max(receiveTimeNs, newest);
    }

    /**
     * Resets this clock if it is ahead of the host's clock, which was set back. A receiver may not have noticed that yet, and
     * set such a time once more. The next call then resets it again. Called every second.
     *
     * @param epochNs the host's clock, in ns since the epoch
     */
    void compare(long epochNs) {
        if ((long) CELLS.getOpaque(newestNs, LINE_LONGS) > epochNs + SET_BACK_NS) {
            CELLS.setOpaque(newestNs, LINE_LONGS, 0L);
        }
    }
}
