package io.millrace.sources;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * What is missing in a stream of numbers that grow by one.
 *
 * <p>Of the {@value #WINDOW} numbers up to the highest it is known which have come, so that the order within them does not
 * matter, nor how often they come. A number that leaves this window without having come is missing; so are those in it
 * that have not come when nothing more of the stream has come for {@link #SETTLE_NS}.
 *
 * <p>A number beyond the window, forward or back, may be a stray: an old datagram, or another device behind the same
 * address. It is believed only if the next number is near it. Then it is a gap, if it is at most {@value #MAX_LOST}
 * numbers ahead, or else the source has started again, and nothing is missing between.
 *
 * <p>Positions are the numbers without their wraps: the first that comes has position 0. One thread.
 */
final class SequenceStream {
    static final int WINDOW = 1024;
    static final long MAX_LOST = 100_000;
    /** How long a number may come late. */
    static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(10);

    private static final long BEGINNING_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long NO_NUMBER = -1;

    /**
     * What one or more streams tell.
     *
     * @param missing numbers that are missing
     * @param restarts how often the numbers started again
     * @param misfits numbers that did not fit: strays, and those that came again
     */
    record Tally(long missing, long restarts, long misfits) {
        static final Tally NONE = new Tally(0, 0, 0);

        Tally plus(Tally other) {
            return new Tally(missing + other.missing, restarts + other.restarts, misfits + other.misfits);
        }

        /** How much speaks against these being streams at all. */
        long unlikely() {
            return missing + restarts + misfits;
        }
    }

    private final NumberingScheme numbering;
    private final long key;
    private final long[] seen = new long[WINDOW / Long.SIZE];
    private int shard;
    private boolean begun;
    private long highest;
    private long position;
    /** Of the positions up to the highest, how many may still come. */
    private int open;

    private long begunNs;
    private long candidate = NO_NUMBER;
    private long lastNs;
    private long missing;
    private long restarts;
    private long misfits;

    /**
     * Makes a stream that has not begun.
     *
     * @param key what tells it from others with the same numbering
     */
    SequenceStream(NumberingScheme numbering, long key) {
        this.numbering = numbering;
        this.key = key;
    }

    boolean is(NumberingScheme which, long itsKey) {
        return key == itsKey && numbering == which;
    }

    NumberingScheme numbering() {
        return numbering;
    }

    /**
     * A number has come.
     *
     * @return true if there is news in what it tells
     */
    boolean accept(long number, long timeNs, int inShard) {
        long missingBefore = missing;
        long restartsBefore = restarts;
        long misfitsBefore = misfits;
        shard = inShard;
        var unused = settle(timeNs);
        lastNs = Math.max(lastNs, timeNs);
        if (begun) {
            place(number);
        } else {
            begin(number);
        }
        return missing != missingBefore || restarts != restartsBefore || misfits != misfitsBefore;
    }

    private void place(long number) {
        long ahead = ahead(highest, number);
        if (ahead > 0 && ahead < WINDOW) {
            advance((int) ahead, number);
            candidate = NO_NUMBER;
        } else if (ahead <= 0 && -ahead < open) {
            late(position + ahead);
        } else if (ahead < 0 && -ahead < WINDOW && lastNs - begunNs < BEGINNING_NS) {
            // From before the first that came: nothing is known of those.
            candidate = NO_NUMBER;
        } else if (candidate != NO_NUMBER && number != candidate && Math.abs(ahead(candidate, number)) < WINDOW) {
            believe(number);
        } else {
            candidate = number;
            misfits++;
        }
    }

    /** How far a number is ahead of another, negative if it is behind: the shorter way round. */
    private long ahead(long from, long to) {
        long span = numbering.span();
        long ahead = to - from;
        return ahead > span / 2 ? ahead - span : ahead < -(span / 2) ? ahead + span : ahead;
    }

    private void begin(long number) {
        begun = true;
        begunNs = lastNs;
        highest = number;
        position = 0;
        Arrays.fill(seen, 0);
        mark(0);
        open = 1;
        candidate = NO_NUMBER;
    }

    /** The candidate and this number are near each other: the stream has gone there. */
    private void believe(long number) {
        long first = candidate;
        misfits--;
        long jump = ahead(highest, first);
        if (jump > 0 && jump <= MAX_LOST) {
            missing += holes() + jump - WINDOW;
            Arrays.fill(seen, 0);
            position += jump;
            mark(position);
            open = WINDOW;
            highest = first;
            candidate = NO_NUMBER;
        } else {
            missing += holes();
            restarts++;
            begin(first);
        }
        place(number);
    }

    /** Fewer steps than the window is long: their places are those of what is a window behind, which leaves. */
    private void advance(int steps, long number) {
        int leaving = Math.max(0, open + steps - WINDOW);
        missing += leaving - clear(position + 1, steps);
        open = Math.min(WINDOW, open + steps);
        position += steps;
        mark(position);
        highest = number;
    }

    /** Clears places; how many of them were marked. */
    private int clear(long from, int count) {
        int marked = 0;
        int bits;
        for (int done = 0; done < count; done += bits) {
            long at = from + done;
            int inWord = (int) at & (Long.SIZE - 1);
            bits = Math.min(count - done, Long.SIZE - inWord);
            long mask = (-1L >>> (Long.SIZE - bits)) << inWord;
            marked += Long.bitCount(seen[word(at)] & mask);
            seen[word(at)] &= ~mask;
        }
        return marked;
    }

    private void late(long at) {
        if (isSeen(at)) {
            misfits++;
        } else {
            mark(at);
        }
    }

    /**
     * What is open is missing if nothing has come for long; numbers from then on count from the highest.
     *
     * @return true if something was missing
     */
    boolean settle(long nowNs) {
        if (!begun || open == 1 || nowNs - lastNs <= SETTLE_NS) {
            return false;
        }
        int holes = holes();
        missing += holes;
        Arrays.fill(seen, 0);
        mark(position);
        open = 1;
        return holes > 0;
    }

    /** What has not come by now is not missing: it may be in a part of this shard that could not be read. */
    void forget(int unreadShard) {
        if (shard == unreadShard) {
            begun = false;
        }
    }

    private int holes() {
        int holes = open;
        for (long word : seen) {
            holes -= Long.bitCount(word);
        }
        return holes;
    }

    private void mark(long at) {
        seen[word(at)] |= bit(at);
    }

    private boolean isSeen(long at) {
        return (seen[word(at)] & bit(at)) != 0;
    }

    private static int word(long at) {
        return (int) (at & WINDOW - 1) / Long.SIZE;
    }

    private static long bit(long at) {
        return 1L << at;
    }

    /** Receive time of the last number. */
    long lastNs() {
        return lastNs;
    }

    /** What it tells so far. */
    Tally tally() {
        return new Tally(missing, restarts, misfits);
    }
}
