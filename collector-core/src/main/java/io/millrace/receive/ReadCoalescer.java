package io.millrace.receive;

/**
 * How long a busy receiver rests before it asks again, as network cards moderate their interrupts: waking up costs more
 * than reading, and what has collected in the meantime is read in one go. A quiet receiver does not rest, so a lone
 * datagram waits for nothing. A rest is never so long that more than a quarter of the receive buffer fills at the rate
 * of the moment. One thread.
 */
final class ReadCoalescer {
    /** A receiver that waited less than this for something to read is busy. */
    static final long BUSY_NS = 200_000;

    /** What it then rests; the kernel's timer adds some 50 us. Half of the millisecond that a batch may take. */
    static final long REST_NS = 400_000;

    /** A shorter rest costs as much as it saves. */
    static final long MIN_NS = 50_000;

    private static final long TIMER_NS = 50_000;

    /** What the kernel charges the buffer for a datagram, with twice its length, is less than this. */
    private static final int CHARGE_BYTES = 1_280;

    private final double toleratedBytes;
    private long charge;
    private long emptiedAtNs;
    private long passEndedAtNs;

    /**
     * Begins quiet.
     *
     * @param receiveBufferBytes the smallest receive buffer of the receiver's sockets, as asked for: the kernel counts
     *     twice as much
     * @param nowNs {@link System#nanoTime()}
     */
    ReadCoalescer(int receiveBufferBytes, long nowNs) {
        this.toleratedBytes = 2.0 * receiveBufferBytes / 4;
        this.emptiedAtNs = nowNs;
        this.passEndedAtNs = nowNs;
    }

    /**
     * After a pass over the sockets.
     *
     * @param datagrams it brought
     * @param bytes of payload in them
     * @param emptied false if there is more to read at once
     * @param startNs {@link System#nanoTime()} when it began
     * @param nowNs the same, now
     * @return how long to rest, in nanoseconds; {@link #rested} follows
     */
    long restNs(int datagrams, long bytes, boolean emptied, long startNs, long nowNs) {
        charge += (long) CHARGE_BYTES * datagrams + 2 * bytes;
        if (!emptied) {
            return 0;
        }
        double mostNs = toleratedBytes * (nowNs - emptiedAtNs) / Math.max(1, charge) - TIMER_NS;
        charge = 0;
        emptiedAtNs = nowNs;
        boolean busy = startNs - passEndedAtNs < BUSY_NS;
        return !busy || mostNs < MIN_NS ? 0 : (long) Math.min(REST_NS, mostNs);
    }

    /** The receiver goes back to its event loop, rested or not. */
    void rested(long nowNs) {
        passEndedAtNs = nowNs;
    }
}
