package io.millrace.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;

/**
 * The time that limits go by: the receive time of the newest datagram that any receiver brought. Receivers share the
 * buckets, and one is behind another by as much as is queued in its socket: if each went by its own times, a bucket that
 * one has emptied would look like one of a clock that was set back to the other. So time never goes back, unless the
 * host's clock really was set back. Any thread, several at once, but for {@link #compare}.
 */
final class ArrivalClock {
    /**
     * Threads write the newest time only when it has moved by so much: else they would take its cache line from each other
     * for every datagram. Of two that write at once the earlier may win, which is made up for by the next.
     */
    private static final long STEP_NS = 1_000_000;

    /** What is set back by less is waited out. */
    private static final long SET_BACK_MS = 500;

    private static final int LINE_LONGS = 8;
    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

    /** One number, with a cache line on either side to itself. */
    private final long[] newestNs = new long[2 * LINE_LONGS];

    private long aheadMs = Long.MIN_VALUE;

    /** The time a datagram is judged at: its own, or that of one before it, whichever is newer; in ns since the epoch. */
    long time(long receiveTimeNs) {
        long newest = (long) CELLS.getOpaque(newestNs, LINE_LONGS);
        if (receiveTimeNs > newest + STEP_NS) {
            CELLS.setOpaque(newestNs, LINE_LONGS, receiveTimeNs);
        }
        return Math.max(receiveTimeNs, newest);
    }

    /**
     * Begins anew if the clock was set back since the last call. One thread, once a second.
     *
     * @param epochMs the clock that can be set, in ms since the epoch
     * @param monotonicNs the clock that cannot, in ns since whenever
     */
    void compare(long epochMs, long monotonicNs) {
        long ahead = epochMs - TimeUnit.NANOSECONDS.toMillis(monotonicNs);
        if (aheadMs != Long.MIN_VALUE && ahead < aheadMs - SET_BACK_MS) {
            CELLS.setOpaque(newestNs, LINE_LONGS, 0L);
        }
        aheadMs = ahead;
    }
}
