package io.millrace.policy;

import io.millrace.record.Network;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/**
 * Which addresses of one family may send. Immutable; any thread.
 *
 * <p>Networks lie within each other or apart, so they cut the addresses into ranges in which one of them is the longest
 * that matches. Neighbours with the same answer become one range: answers take turns, and what is to be found is how many
 * ranges begin up to an address. An index over equal parts of what lies between the first and the last beginning leaves a
 * handful to search, unless networks crowd together: then it is a binary search in the crowd.
 */
final class AddressRanges {
    private static final int PARTS_PER_RANGE = 2;

    private final boolean allowedFirst;
    private final int count;
    // Beginnings of ranges after the first, in order; the high halves with the top bit turned, to compare as signed.
    private final long[] highs;
    private final long[] lows;
    private final int[] index;
    private final int shift;

    /** An allowed or a denied network. */
    record Entry(Network network, boolean allowed) {}

    /** The order of addresses, and a network before those in it. */
    static final Comparator<Entry> OUTER_FIRST = Comparator.comparingLong(
                    (Entry it) -> turned(it.network().high()))
            .thenComparingLong(it -> turned(it.network().low()))
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
     * Cuts the addresses up.
     *
     * @param sorted networks of one family, {@link #OUTER_FIRST}, none of them twice
     * @param otherwise the answer for addresses in none of them
     */
    static AddressRanges of(List<Entry> sorted, boolean otherwise) {
        Cuts cuts = new Cuts(2 * sorted.size(), otherwise);
        Deque<Entry> open = new ArrayDeque<>();
        for (Entry entry : sorted) {
            while (!open.isEmpty() && !open.getLast().network().contains(entry.network())) {
                close(open, cuts, otherwise);
            }
            cuts.add(entry.network().high(), entry.network().low(), entry.allowed());
            open.addLast(entry);
        }
        while (!open.isEmpty()) {
            close(open, cuts, otherwise);
        }
        return cuts.ranges();
    }

    /** Behind a network the one around it goes on. */
    private static void close(Deque<Entry> open, Cuts cuts, boolean otherwise) {
        Network closed = open.removeLast().network();
        boolean around = open.isEmpty() ? otherwise : open.getLast().allowed();
        int bits = closed.bits();
        long low = bits <= 64 ? 0 : closed.low() + (1L << (128 - bits));
        long carry = bits == 0 ? 0 : bits <= 64 ? 1L << (64 - bits) : low == 0 ? 1 : 0;
        long high = closed.high() + carry;
        // Zero is what comes after the last address of all.
        if (bits > 0 && (high != 0 || low != 0)) {
            cuts.add(high, low, around);
        }
    }

    /** Collects where another answer begins. */
    private static final class Cuts {
        private final long[] highs;
        private final long[] lows;
        private final boolean[] answers;
        private final boolean otherwise;
        private int count;

        Cuts(int most, boolean otherwise) {
            this.highs = new long[most];
            this.lows = new long[most];
            this.answers = new boolean[most];
            this.otherwise = otherwise;
        }

        /** Addresses come in order; of several answers from the same one on, the last holds. */
        void add(long high, long low, boolean allowed) {
            if (count > 0 && highs[count - 1] == turned(high) && lows[count - 1] == turned(low)) {
                count--;
            }
            highs[count] = turned(high);
            lows[count] = turned(low);
            answers[count] = allowed;
            count++;
        }

        AddressRanges ranges() {
            boolean startsAtZero = count > 0 && highs[0] == turned(0) && lows[0] == turned(0);
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

    private static long turned(long unsigned) {
        return unsigned ^ Long.MIN_VALUE;
    }

    private int part(long turnedHigh) {
        return (int) ((turnedHigh - highs[0]) >>> shift);
    }

    /** True if an address may send. */
    boolean allows(long high, long low) {
        long wantedHigh = turned(high);
        if (count == 0 || wantedHigh < highs[0]) {
            return allowedFirst;
        }
        if (wantedHigh > highs[count - 1]) {
            return allowedFirst ^ ((count & 1) != 0);
        }
        int part = part(wantedHigh);
        int from = index[part];
        int to = index[part + 1];
        long wantedLow = turned(low);
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
