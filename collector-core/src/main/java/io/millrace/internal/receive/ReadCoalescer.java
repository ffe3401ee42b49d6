package io.millrace.internal.receive;

/**
 * Read coalescing: decides how long a receiver sleeps before it reads again, as network cards coalesce interrupts. A wake-up
 * costs more than reading a datagram, and datagrams that queue during a sleep are read together. A receiver sleeps until about
 * {@value #TARGET_DATAGRAMS} datagrams are queued at the current rate, or for the latency budget. A quiet receiver does not sleep, so
 * it reads a single datagram at once.
 *
 * <p>The receive buffer limits a sleep in two ways. At the current rate, a sleep fills no more than a quarter of the buffer. A sleep
 * longer than {@link #MIN_BUSY_SLEEP_NS} would not fill more than that even if a million datagrams per second began to arrive.
 * Unix stream sockets limit it at their current rate only: nothing is lost if they are full, but senders wait. TCP needs no limit: the
 * kernel makes the buffer larger if it is read seldom.
 *
 * <p>A receiver that serves somebody who waits for it, such as a program that writes to a Unix datagram socket, does not sleep, and sleeps
 * briefly for 1 s after that. One thread.
 */
final class ReadCoalescer {
    static final int TARGET_DATAGRAMS = 128;

    /** The limit of a sleep with a small receive buffer. Busy receivers aim for at least this. */
    static final long MIN_BUSY_SLEEP_NS = 400_000;

    /** A shorter sleep costs as much as it saves. */
    static final long MIN_NS = 50_000;

    /** The limit of a sleep after somebody has waited for the receiver. */
    static final long BRIEF_SLEEP_NS = 1_500_000;

    /** How long that limit holds: whoever waited once will wait again. */
    static final long BRIEF_FOR_NS = 1_000_000_000;

    /**
     * So much may wait in Unix stream sockets. A sender blocks when the buffer of its socket is full, 208 KiB by default; the kernel
     * charges it up to a KiB for a short message.
     */
    static final long TOLERATED_UNIX_BYTES = 16 << 10;

    /** The limit of a pass, so that connections are read again soon. */
    private static final long MAX_PASS_NS = 5_000_000;

    private static final long TIMER_NS = 50_000;

    /** The upper limit of what the kernel charges the buffer for a datagram, in addition to twice its length. */
    private static final int CHARGE_BYTES = 1_280;

    private static final double BURST_PER_NS = 1e6 / 1e9;

    private final double toleratedBytes;
    private final long limitNs;
    private long charge;
    private long datagrams;
    private long unixBytes;
    private long emptiedAtNs;
    private long passEndedAtNs;
    private long awaitedAtNs;

    /**
     * Creates a coalescer in the quiet state.
     *
     * @param receiveBufferBytes the smallest granted receive buffer of the receiver's sockets; the kernel uses twice as much
     * @param latencyNs how long a datagram may wait in the socket, in ns; 0 for no sleep
     * @param nowNs {@link System#nanoTime()}
     */
    ReadCoalescer(int receiveBufferBytes, long latencyNs, long nowNs) {
        this.toleratedBytes = 2.0 * receiveBufferBytes / 4;
        long burstNs = (long) (toleratedBytes / (CHARGE_BYTES * BURST_PER_NS));
        this.limitNs = Math.min(latencyNs, Math.max(MIN_BUSY_SLEEP_NS, burstNs));
        this.emptiedAtNs = nowNs;
        this.passEndedAtNs = nowNs;
        this.awaitedAtNs = nowNs - BRIEF_FOR_NS;
    }

    /**
     * Adds what a pass has read.
     *
     * @param received the number of datagrams, and of messages of connections
     * @param bytes their payload bytes
     * @param ofUnix the bytes that were read from Unix stream sockets
     */
    void read(int received, long bytes, long ofUnix) {
        charge += (long) CHARGE_BYTES * received + 2 * bytes;
        datagrams += received;
        unixBytes += ofUnix;
    }

    /**
     * Returns how long to sleep after a pass over the sockets. Call {@link #slept} afterwards.
     *
     * @param emptied false if there is more to read at once
     * @param awaited true if somebody may wait for the next pass
     * @param pending true if a slab waits for its deadline
     * @param startNs {@link System#nanoTime()} when the pass began
     * @param nowNs {@link System#nanoTime()}
     * @return the time in ns; 0 for no sleep
     */
    long sleepNs(boolean emptied, boolean awaited, boolean pending, long startNs, long nowNs) {
        if (awaited) {
            awaitedAtNs = nowNs;
        }
        if (!emptied) {
            return 0;
        }
        long intervalNs = Math.max(1, nowNs - emptiedAtNs);
        double bufferNs = toleratedBytes * intervalNs / Math.max(1, charge);
        double unixNs = (double) TOLERATED_UNIX_BYTES * intervalNs / Math.max(1, unixBytes);
        double targetNs = (double) TARGET_DATAGRAMS * intervalNs / Math.max(1, datagrams);
        // A pass that completed no message, such as one that wrote answers, does not say that more will arrive during a
        // sleep.
        boolean somethingRead = datagrams > 0;
        charge = 0;
        datagrams = 0;
        unixBytes = 0;
        emptiedAtNs = nowNs;
        long longestNs = nowNs - awaitedAtNs < BRIEF_FOR_NS ? Math.min(limitNs, BRIEF_SLEEP_NS) : limitNs;
        // The wait for events was so short that more datagrams will arrive during a sleep.
        boolean busy = startNs - passEndedAtNs < longestNs / 2;
        double wantedNs = Math.max(targetNs, (double) MIN_BUSY_SLEEP_NS);
        long sleepNs = Math.min(longestNs, (long) Math.min(wantedNs, Math.min(bufferNs, unixNs) - TIMER_NS));
        if (pending) {
            sleepNs = Math.min(sleepNs, SlabFiller.DEADLINE_NS);
        }
        return busy && somethingRead && !awaited && sleepNs >= MIN_NS ? sleepNs : 0;
    }

    /**
     * How long a pass may take that has more to read. Thousands of connections may have been read since the last pass, and the sockets get
     * as much time: otherwise they would lose datagrams.
     *
     * @param startNs {@link System#nanoTime()} when the pass began
     */
    long passNs(long startNs) {
        return Math.min(startNs - passEndedAtNs, MAX_PASS_NS);
    }

    /** Records that the receiver waits for events of its sockets from now on. */
    void slept(long nowNs) {
        passEndedAtNs = nowNs;
    }
}
