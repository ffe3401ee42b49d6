package io.millrace.internal.policy;

import io.millrace.collector.Network;
import io.millrace.collector.RateLimit;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A hash table of fixed size with a token bucket for each source, or each network of sources. Any thread, several at once.
 *
 * <p>A bucket is one number, as in the generic cell rate algorithm (GCRA): the time at which it is full again. A datagram
 * moves this time on by its cost, which is the time that refills as much. It is refused if the time would then be further in
 * the future than it takes to fill an empty bucket. If the time has passed, the bucket is full, so another source can recycle
 * the entry by setting its key. A thread that lost such a race charges the wrong bucket for one datagram.
 *
 * <p>A source uses one of {@value #WAYS} adjacent entries. A hash with a random seed selects the first of them. If other
 * sources use them all, it shares the first: a sender cannot bypass the limit by filling the table.
 */
final class BucketTable {
    static final int ENTRIES = 1 << 16;
    private static final int WAYS = 8;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int MAX_PAYLOAD = 65_535;

    // The tolerance for a difference between the clocks of two threads.
    private static final long CLOCK_SLACK_NS = SECOND_NS;

    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int KEY = 0;
    private static final int DATAGRAMS_FULL_AT = 1;
    private static final int BYTES_FULL_AT = 2;
    private static final int REFUSED = 3;
    private static final int STRIDE = 4;

    private final long[] cells = new long[ENTRIES * STRIDE];
    private final long[] highs = new long[ENTRIES];
    private final long[] lows = new long[ENTRIES];
    private final boolean[] families = new boolean[ENTRIES];

    private final long seed;
    private final int ipv4Bits;
    private final int ipv6Bits;
    private final RateLimit limit;
    private final long nsPerDatagram;
    private final long datagramsFullNs;
    private final double nsPerByte;
    private final long furthestNs;
    private volatile boolean hasRefused;

    /**
     * Creates a table.
     *
     * @param ipv4Bits the prefix length of networks that share a bucket with IPv4; 32 for one bucket per address
     * @param ipv6Bits the same with IPv6; 128 for one bucket per address
     * @param seed makes positions in the table unpredictable
     */
    BucketTable(RateLimit limit, int ipv4Bits, int ipv6Bits, long seed) {
        this.limit = limit;
        this.ipv4Bits = ipv4Bits;
        this.ipv6Bits = ipv6Bits;
        this.seed = seed;
        this.nsPerDatagram = limit.datagrams() == 0 ? 0 : SECOND_NS / limit.datagrams();
        this.datagramsFullNs = nsPerDatagram * limit.datagrams();
        this.nsPerByte = limit.bytes() == 0 ? 0 : (double) SECOND_NS / limit.bytes();
        this.furthestNs = Math.max(SECOND_NS, cost(MAX_PAYLOAD)) + CLOCK_SLACK_NS;
    }

    private long cost(int bytes) {
        return (long) (bytes * nsPerByte + 0.5);
    }

    RateLimit limit() {
        return limit;
    }

    /** The entry of a source: its own, a recycled one, or one that it shares. */
    int entry(boolean ipv6, long high, long low, long nowNs) {
        int bits = ipv6 ? ipv6Bits : ipv4Bits;
        long networkHigh = high & Network.maskHigh(bits);
        long networkLow = low & Network.maskLow(bits);
        long key = key(ipv6, networkHigh, networkLow);
        int home = (int) (key >>> 48);
        int idle = -1;
        for (int i = 0; i < WAYS; i++) {
            int entry = (home + i) & (ENTRIES - 1);
            long found = (long) CELLS.getOpaque(cells, entry * STRIDE + KEY);
            if (found == key) {
                return entry;
            }
            if (idle < 0 && isFull(entry, nowNs)) {
                idle = entry;
            }
            if (found == 0) {
                // It was never used, so the source has no entry after it.
                break;
            }
        }
        if (idle < 0) {
            return home;
        }
        recycle(idle, key, ipv6, networkHigh, networkLow);
        return idle;
    }

    private boolean isFull(int entry, long nowNs) {
        return aheadNs(fullAtNs(entry * STRIDE + DATAGRAMS_FULL_AT), nowNs) == 0
                && aheadNs(fullAtNs(entry * STRIDE + BYTES_FULL_AT), nowNs) == 0;
    }

    private void recycle(int entry, long key, boolean ipv6, long high, long low) {
        long old = (long) CELLS.getOpaque(cells, entry * STRIDE + KEY);
        if (CELLS.compareAndSet(cells, entry * STRIDE + KEY, old, key)) {
            // For notices only, which check that these fields match the key.
            CELLS.setOpaque(highs, entry, high);
            CELLS.setOpaque(lows, entry, low);
            families[entry] = ipv6;
            CELLS.setRelease(cells, entry * STRIDE + REFUSED, 0L);
        }
    }

    private long key(boolean ipv6, long high, long low) {
        long key = mix(high ^ seed);
        if (ipv6) {
            key = mix(key + low + 1);
        }
        return key == 0 ? 1 : key;
    }

    /** Mixes all bits: David Stafford's variant 13 of the MurmurHash3 finalizer. */
    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** The time until a bucket is full. A bucket too far ahead is from before the clock was set back, and counts as full. */
    private long aheadNs(long fullAtNs, long nowNs) {
        long ahead = fullAtNs - nowNs;
        return ahead <= 0 || ahead > furthestNs ? 0 : ahead;
    }

    private long fullAtNs(int cell) {
        return (long) CELLS.getOpaque(cells, cell);
    }

    /** True if the bucket of an entry has enough for a datagram. */
    boolean hasRoom(int entry, int bytes, long nowNs) {
        int cell = entry * STRIDE;
        if (nsPerDatagram != 0
                && aheadNs(fullAtNs(cell + DATAGRAMS_FULL_AT), nowNs) + nsPerDatagram > datagramsFullNs) {
            return false;
        }
        if (nsPerByte == 0) {
            return true;
        }
        long ahead = aheadNs(fullAtNs(cell + BYTES_FULL_AT), nowNs);
        return ahead == 0 || ahead + cost(bytes) <= SECOND_NS;
    }

    /** Takes the cost of a datagram from the bucket of an entry. */
    void take(int entry, int bytes, long nowNs) {
        int cell = entry * STRIDE;
        if (nsPerDatagram != 0) {
            take(cell + DATAGRAMS_FULL_AT, nsPerDatagram, nowNs);
        }
        if (nsPerByte != 0) {
            take(cell + BYTES_FULL_AT, cost(bytes), nowNs);
        }
    }

    private void take(int cell, long costNs, long nowNs) {
        long old = fullAtNs(cell);
        while (!CELLS.compareAndSet(cells, cell, old, nowNs + aheadNs(old, nowNs) + costNs)) {
            old = fullAtNs(cell);
        }
    }

    /** Counts a refused datagram of an entry. */
    void refuse(int entry) {
        long before = (long) CELLS.getAndAdd(cells, entry * STRIDE + REFUSED, 1L);
        if (before == 0) {
            hasRefused = true;
        }
    }

    /** Makes {@link #takeHasRefused()} return true once more. */
    void lookAgain() {
        hasRefused = true;
    }

    /** True if a datagram was refused since the last call. */
    boolean takeHasRefused() {
        boolean was = hasRefused;
        if (was) {
            hasRefused = false;
        }
        return was;
    }

    /** The number of datagrams of an entry refused since it was recycled, or since {@link #forgetRefused}. */
    long refused(int entry) {
        return (long) CELLS.getAcquire(cells, entry * STRIDE + REFUSED);
    }

    /** Resets this number to 0, unless more were refused. */
    boolean forgetRefused(int entry, long refused) {
        return CELLS.compareAndSet(cells, entry * STRIDE + REFUSED, refused, 0L);
    }

    /** The source or network of an entry, for log lines; empty while it changes. */
    String name(int entry) {
        boolean ipv6 = families[entry];
        long high = (long) CELLS.getOpaque(highs, entry);
        long low = (long) CELLS.getOpaque(lows, entry);
        if (key(ipv6, high, low) != (long) CELLS.getAcquire(cells, entry * STRIDE + KEY)) {
            return "";
        }
        Network network = new Network(ipv6, high, low, ipv6 ? ipv6Bits : ipv4Bits);
        return (network.bits() == (ipv6 ? 128 : 32) ? "source " : "network ") + network;
    }
}
