package io.millrace.policy;

import io.millrace.record.Network;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A token bucket for each source, or each network of sources, in a table of a size that never changes. Any thread, several
 * at once.
 *
 * <p>A bucket is one number: the time at which it will be full again. What a datagram costs, as time in which so much is
 * refilled, moves it on; a datagram is refused if that would take it further into the future than a full bucket is worth.
 * So an entry whose times have passed is as good as a new one, and another source takes it over by setting its key, with
 * nothing to put back. A thread that lost such a race charges the wrong bucket for one datagram.
 *
 * <p>A source is in one of a few entries, from a place on that a hash with a random seed says. If these are all in use by
 * others, it shares the first: whoever fills the table does not get around the limit.
 */
final class BucketTable {
    static final int ENTRIES = 1 << 16;
    private static final int WAYS = 8;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int LONGEST_PAYLOAD = 65_535;

    // A bucket is never further ahead than what is in it, and the clock of two threads not by more than this.
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
     * Makes a table.
     *
     * @param ipv4Bits how many bits of an IPv4 address sources of one bucket have in common; 32 is a bucket each
     * @param ipv6Bits the same of IPv6; 128 is a bucket each
     * @param seed makes places in the table unpredictable
     */
    BucketTable(RateLimit limit, int ipv4Bits, int ipv6Bits, long seed) {
        this.limit = limit;
        this.ipv4Bits = ipv4Bits;
        this.ipv6Bits = ipv6Bits;
        this.seed = seed;
        this.nsPerDatagram = limit.datagrams() == 0 ? 0 : SECOND_NS / limit.datagrams();
        this.datagramsFullNs = nsPerDatagram * limit.datagrams();
        this.nsPerByte = limit.bytes() == 0 ? 0 : (double) SECOND_NS / limit.bytes();
        this.furthestNs = Math.max(SECOND_NS, cost(LONGEST_PAYLOAD)) + CLOCK_SLACK_NS;
    }

    private long cost(int bytes) {
        return (long) (bytes * nsPerByte + 0.5);
    }

    RateLimit limit() {
        return limit;
    }

    /** The entry of a source: its own, one that is taken over, or one that it shares. */
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
                // Nobody has ever gone past it.
                break;
            }
        }
        if (idle < 0) {
            return home;
        }
        takeOver(idle, key, ipv6, networkHigh, networkLow);
        return idle;
    }

    private boolean isFull(int entry, long nowNs) {
        return aheadNs(fullAtNs(entry * STRIDE + DATAGRAMS_FULL_AT), nowNs) == 0
                && aheadNs(fullAtNs(entry * STRIDE + BYTES_FULL_AT), nowNs) == 0;
    }

    private void takeOver(int entry, long key, boolean ipv6, long high, long low) {
        long old = (long) CELLS.getOpaque(cells, entry * STRIDE + KEY);
        if (CELLS.compareAndSet(cells, entry * STRIDE + KEY, old, key)) {
            // For notices only, which look whether they belong to the key.
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

    /** Spreads each bit over all; David Stafford's thirteenth variant of the finalizer of MurmurHash3. */
    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** How long a bucket takes to be full again. One that is too far ahead was left behind by a clock set back: it is full. */
    private long aheadNs(long fullAtNs, long nowNs) {
        long ahead = fullAtNs - nowNs;
        return ahead <= 0 || ahead > furthestNs ? 0 : ahead;
    }

    private long fullAtNs(int cell) {
        return (long) CELLS.getOpaque(cells, cell);
    }

    /** True if an entry has enough for a datagram. */
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

    /** Takes from an entry what a datagram costs. */
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

    /** Notes that a datagram of an entry was refused. */
    void refuse(int entry) {
        long before = (long) CELLS.getAndAdd(cells, entry * STRIDE + REFUSED, 1L);
        if (before == 0) {
            hasRefused = true;
        }
    }

    /** Makes {@link #takeHasRefused()} true once more. */
    void lookAgain() {
        hasRefused = true;
    }

    /** True if anything was refused since the last question. */
    boolean takeHasRefused() {
        boolean was = hasRefused;
        if (was) {
            hasRefused = false;
        }
        return was;
    }

    /** How many datagrams of an entry were refused since it was taken over, or since {@link #forgetRefused}. */
    long refused(int entry) {
        return (long) CELLS.getAcquire(cells, entry * STRIDE + REFUSED);
    }

    /** Begins again at 0, unless more were refused. */
    boolean forgetRefused(int entry, long refused) {
        return CELLS.compareAndSet(cells, entry * STRIDE + REFUSED, refused, 0L);
    }

    /** Who has an entry, in words; empty while that changes. */
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
