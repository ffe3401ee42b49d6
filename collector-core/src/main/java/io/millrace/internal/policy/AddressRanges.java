package io.millrace.internal.policy;

import io.millrace.collector.Network;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/**
 * A lookup table of the addresses of one family that may send. Immutable; any thread.
 *
 * <p>Two networks are nested or disjoint. So they divide the addresses into ranges, each with one longest matching network.
 * Adjacent ranges with the same answer are merged, so answers alternate. A lookup counts the ranges that begin at or before
 * an address. An index divides the addresses between the first and the last boundary into equal parts, which leaves a few
 * boundaries to search. Where networks are clustered, it is a binary search in the cluster.
 */
public final class AddressRanges {
    private static final int PARTS_PER_RANGE = 2;

    private final boolean allowedFirst;
    private final int count;
    // The beginnings of the ranges after the first, in order. The top bits are flipped, so that they compare as signed.
    private final long[] highs;
    private final long[] lows;
    private final int[] index;
    private final int shift;

    /** An allowed or a denied network. */
    public record Entry(Network network, boolean allowed) {}

    /** Address order, with a network before the networks in it. */
    public static final Comparator<Entry> OUTER_FIRST = Comparator.comparingLong(
                    (Entry it) -> flipped(it.network().high()))
            .thenComparingLong(it -> flipped(it.network().low()))
            .thenComparingInt(it -> it.network().bits());

    private AddressRanges(boolean allowedFirst, long[] highs, long[] lows) {
        this.allowedFirst = allowedFirst;
        this.count = highs.length;
        this.highs = highs;
        this.lows = lows;
        long span = count == 0 ? 0 : highs[count - 1] - highs[0];
        int bits = 64 - Long.numberOfLeadingZeros(span);
        int indexBits = 32 - Integer.numberOfLeadingZeros(PARTS_PER_RANGE * count);
        this.shift = Math.max(0, bits - indexBits);
        this.index = new int[(int) (span >>> shift) + 2];
        for (int i = 0; i < count; i++) {
            index[part(highs[i]) + 1]++;
        }
        for (int i = 1; i < index.length; i++) {
            index[i] += index[i - 1];
        }
    }

    /**
     * Divides the addresses into ranges.
     *
     * @param sorted networks of one family in the order {@link #OUTER_FIRST}, without duplicates
     * @param otherwise the answer for addresses in none of them
     */
    public static AddressRanges of(List<Entry> sorted, boolean otherwise) {
        Boundaries boundaries = new Boundaries(2 * sorted.size(), otherwise);
        Deque<Entry> open = new ArrayDeque<>();
        for (Entry entry : sorted) {
            while (!open.isEmpty() && !open.getLast().network().contains(entry.network())) {
                close(open, boundaries, otherwise);
            }
            boundaries.add(entry.network().high(), entry.network().low(), entry.allowed());
            open.addLast(entry);
        }
        while (!open.isEmpty()) {
            close(open, boundaries, otherwise);
        }
        return boundaries.ranges();
    }

    /** Ends a network. The enclosing one continues after it. */
    private static void close(Deque<Entry> open, Boundaries boundaries, boolean otherwise) {
        Network closed = open.removeLast().network();
        boolean around = open.isEmpty() ? otherwise : open.getLast().allowed();
        int bits = closed.bits();
        long low = bits <= 64 ? 0 : closed.low() + (1L << (128 - bits));
        long carry = bits == 0 ? 0 : bits <= 64 ? 1L << (64 - bits) : low == 0 ? 1 : 0;
        long high = closed.high() + carry;
        // Zero is an overflow: no address comes after the last one.
        if (bits > 0 && (high != 0 || low != 0)) {
            boundaries.add(high, low, around);
        }
    }

    /** Collects the addresses at which the answer changes. */
    private static final class Boundaries {
        private final long[] highs;
        private final long[] lows;
        private final boolean[] answers;
        private final boolean otherwise;
        private int count;

        Boundaries(int capacity, boolean otherwise) {
            this.highs = new long[capacity];
            this.lows = new long[capacity];
            this.answers = new boolean[capacity];
            this.otherwise = otherwise;
        }

        /** Adds an address, in order. If the same address is added twice, the last answer applies. */
        void add(long high, long low, boolean allowed) {
            if (count > 0 && highs[count - 1] == flipped(high) && lows[count - 1] == flipped(low)) {
                count--;
            }
            highs[count] = flipped(high);
            lows[count] = flipped(low);
            answers[count] = allowed;
            count++;
        }

        AddressRanges ranges() {
            boolean startsAtZero = count > 0 && highs[0] == flipped(0) && lows[0] == flipped(0);
            boolean first = startsAtZero ? answers[0] : otherwise;
            boolean last = first;
            int kept = 0;
            for (int i = 0; i < count; i++) {
                if (answers[i] != last) {
                    last = answers[i];
                    highs[kept] = highs[i];
                    lows[kept] = lows[i];
                    kept++;
                }
            }
            return new AddressRanges(first, Arrays.copyOf(highs, kept), Arrays.copyOf(lows, kept));
        }
    }

    private static long flipped(long unsigned) {
        return unsigned ^ Long.MIN_VALUE;
    }

    private int part(long flippedHigh) {
        return (int) ((flippedHigh - highs[0]) >>> shift);
    }

    /** True if an address may send. */
    public boolean allows(long high, long low) {
        long wantedHigh = flipped(high);
        if (count == 0 || wantedHigh < highs[0]) {
            return allowedFirst;
        }
        if (wantedHigh > highs[count - 1]) {
            return allowedFirst ^ ((count & 1) != 0);
        }
        int part = part(wantedHigh);
        int from = index[part];
        int to = index[part + 1];
        long wantedLow = flipped(low);
        while (from < to) {
            int middle = (from + to) >>> 1;
            long found = highs[middle];
            if (found < wantedHigh || (found == wantedHigh && lows[middle] <= wantedLow)) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return allowedFirst ^ ((from & 1) != 0);
    }
}
