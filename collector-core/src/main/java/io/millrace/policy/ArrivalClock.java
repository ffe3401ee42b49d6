package io.millrace.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The time that limits go by: the receive time of the newest datagram that any receiver brought. Receivers share the
 * buckets, and one is behind another by as much as is queued in its socket: if each went by its own times, a bucket that
 * one has emptied would look like one of a clock that was set back to the other. So time never goes back, unless the
 * host's clock really was set back. Any thread, several at once.
 */
final class ArrivalClock {
    /**
     * Threads write the newest time only when it has moved by so much: else they would take its cache line from each other
     * for every datagram. Of two that write at once the earlier may win, which is made up for by the next.
     */
    private static final long STEP_NS = 1_000_000;

    /** What is set back by less is waited out. */
    private static final long SET_BACK_NS = 500_000_000;

    private static final int LINE_LONGS = 8;
    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

    /** One number, with a cache line on either side to itself. */
    private final long[] newestNs = new long[2 * LINE_LONGS];

    /** The time at which a datagram is judged: its own, or that of one before it, whichever is newer; in ns since the epoch. */
    long time(long receiveTimeNs) {
        long newest = (long) CELLS.getOpaque(newestNs, LINE_LONGS);
        if (receiveTimeNs > newest + STEP_NS) {
            CELLS.setOpaque(newestNs, LINE_LONGS, receiveTimeNs);
        }
        return Math.max(receiveTimeNs, newest);
    }

    /**
     * Starts again if the newest time lies ahead: the clock was set back. A receiver may not have noticed yet and bring such a time
     * once more; then the next call starts again. Every second.
     *
     * @param epochNs the host's clock, in ns since the epoch
     */
    void compare(long epochNs) {
        if ((long) CELLS.getOpaque(newestNs, LINE_LONGS) > epochNs + SET_BACK_NS) {
            CELLS.setOpaque(newestNs, LINE_LONGS, 0L);
        }
    }
}
