package io.millrace.receive;

/**
 * Decides how long a receiver sleeps before it reads again, as network cards coalesce interrupts: a wake-up costs more than
 * reading a datagram, and what waits in the socket meanwhile is read together. A receiver sleeps until about
 * {@value #TARGET_DATAGRAMS} datagrams wait, at the rate of the moment, or for the latency budget. A quiet receiver does not sleep, so
 * a single datagram is read at once.
 *
 * <p>A sleep is bounded by the receive buffer, for two cases. At the rate of the moment it fills no more than a quarter of the
 * buffer. And a sleep longer than {@link #MIN_BUSY_SLEEP_NS} would fill no more than that if a million datagrams per second began to
 * arrive. One thread.
 */
final class ReadCoalescer {
    static final int TARGET_DATAGRAMS = 128;

    /** A receiver that must not let its small buffer fill sleeps no longer than this. */
    static final long MIN_BUSY_SLEEP_NS = 400_000;

    /** A shorter sleep costs as much as it saves. */
    static final long MIN_NS = 50_000;

    private static final long TIMER_NS = 50_000;

    /** The kernel charges the buffer less than this for a datagram, besides twice its length. */
    private static final int CHARGE_BYTES = 1_280;

    private static final double BURST_PER_NS = 1e6 / 1e9;

    private final double toleratedBytes;
    private final long limitNs;
    private long charge;
    private long datagrams;
    private long emptiedAtNs;
    private long passEndedAtNs;

    /**
     * Begins quiet.
     *
     * @param receiveBufferBytes the smallest receive buffer of the receiver's sockets, as granted: the kernel counts twice as much
     * @param latencyNs how long a datagram may wait in the socket; 0 for no sleep
     * @param nowNs {@link System#nanoTime()}
     */
    ReadCoalescer(int receiveBufferBytes, long latencyNs, long nowNs) {
        this.toleratedBytes = 2.0 * receiveBufferBytes / 4;
        long burstNs = (long) (toleratedBytes / (CHARGE_BYTES * BURST_PER_NS));
        this.limitNs = Math.min(latencyNs, Math.max(MIN_BUSY_SLEEP_NS, burstNs));
        this.emptiedAtNs = nowNs;
        this.passEndedAtNs = nowNs;
    }

    /**
     * How long to sleep after a pass over the sockets; {@link #slept} follows.
     *
     * @param received datagrams of the pass
     * @param bytes of payload in them
     * @param emptied false if there is more to read at once
     * @param startNs {@link System#nanoTime()} when the pass began
     * @param nowNs the same, now
     * @return in ns; 0 for no sleep
     */
    long sleepNs(int received, long bytes, boolean emptied, long startNs, long nowNs) {
        charge += (long) CHARGE_BYTES * received + 2 * bytes;
        datagrams += received;
        if (!emptied) {
            return 0;
        }
        long intervalNs = Math.max(1, nowNs - emptiedAtNs);
        double bufferNs = toleratedBytes * intervalNs / Math.max(1, charge);
        double targetNs = (double) TARGET_DATAGRAMS * intervalNs / Math.max(1, datagrams);
        charge = 0;
        datagrams = 0;
        emptiedAtNs = nowNs;
        // It waited so little for something to read that more will come during a sleep.
        boolean busy = startNs - passEndedAtNs < limitNs / 2;
        double wantedNs = Math.max(targetNs, (double) MIN_BUSY_SLEEP_NS);
        long sleepNs = Math.min(limitNs, (long) Math.min(wantedNs, bufferNs - TIMER_NS));
        return busy && sleepNs >= MIN_NS ? sleepNs : 0;
    }

    /** The receiver waits for its sockets from now on. */
    void slept(long nowNs) {
        passEndedAtNs = nowNs;
    }
}
