package io.millrace.internal.sources;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * A gap detector for one stream of consecutive sequence numbers.
 *
 * <p>A sliding window of {@value #WINDOW} numbers, up to the highest, records which numbers were seen. So reordered and
 * repeated numbers within the window are not gaps. A number that leaves the window unseen counts as missing. If the
 * stream is idle for {@link #SETTLE_NS}, all unseen numbers in the window count as missing.
 *
 * <p>A number outside the window may be a stray: an old datagram, or another device behind the same address. The stream
 * follows it only if the next number is near it. If it is at most {@value #MAX_LOST} numbers ahead, the numbers between
 * are a gap. Otherwise the source has restarted its numbering, and the numbers between are not missing.
 *
 * <p>Positions are unwrapped numbers: the first number seen has position 0. One thread.
 */
final class SequenceStream {
    static final int WINDOW = 1024;
    static final long MAX_LOST = 100_000;
    /** How late a number may arrive. */
    static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(10);

    private static final long BEGINNING_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long NO_NUMBER = -1;

    /**
     * The totals of one or more streams.
     *
     * @param missing missing numbers
     * @param restarts restarts of the numbering
     * @param misfits strays and duplicates
     */
    record Tally(long missing, long restarts, long misfits) {
        static final Tally NONE = new Tally(0, 0, 0);

        Tally plus(Tally other) {
            return new Tally(missing + other.missing, restarts + other.restarts, misfits + other.misfits);
        }

        /** A score that is higher the less these numbers look like consecutive streams. */
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
    /** The number of positions, back from the highest, that are in the window. */
    private int open;

    private long begunNs;
    private long candidate = NO_NUMBER;
    private long lastNs;
    private long missing;
    private long restarts;
    private long misfits;

    /**
     * Creates a stream without numbers.
     *
     * @param key the key among the streams with the same numbering scheme
     */
    SequenceStream(NumberingScheme numbering, long key) {
        this.numbering = numbering;
        this.key = key;
    }

    boolean matches(NumberingScheme scheme, long streamKey) {
        return key == streamKey && numbering == scheme;
    }

    NumberingScheme numbering() {
        return numbering;
    }

    /**
     * Records a number.
     *
     * @return true if the {@link #tally} has changed
     */
    boolean accept(long number, long timeNs, int inShard) {
        if (begun && number == highest + 1 && timeNs - lastNs <= SETTLE_NS) {
            shard = inShard;
            lastNs = Math.max(lastNs, timeNs);
            candidate = NO_NUMBER;
            return next();
        }
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
            // Sent before the first number that was seen: these are not tracked.
            candidate = NO_NUMBER;
        } else if (candidate != NO_NUMBER && number != candidate && Math.abs(ahead(candidate, number)) < WINDOW) {
            jump(number);
        } else {
            candidate = number;
            misfits++;
        }
    }

    /** The distance from one number to another, modulo the range; negative if it is behind. */
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

    /** Moves the stream to the candidate, because this number confirms it. */
    private void jump(long number) {
        long first = candidate;
        misfits--;
        long distance = ahead(highest, first);
        if (distance > 0 && distance <= MAX_LOST) {
            missing += holes() + distance - WINDOW;
            Arrays.fill(seen, 0);
            position += distance;
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

    /** Moves the window forward by one number, which is seen; returns true if an unseen number left the window. */
    private boolean next() {
        highest++;
        position++;
        int word = word(position);
        long before = seen[word];
        seen[word] = before | bit(position);
        boolean leaves = open == WINDOW;
        open += leaves ? 0 : 1;
        boolean lost = leaves && (before & bit(position)) == 0;
        missing += lost ? 1 : 0;
        return lost;
    }

    /** Moves the window forward by less than its length. The bits of the positions that leave it are reused. */
    private void advance(int steps, long number) {
        int leaving = Math.max(0, open + steps - WINDOW);
        missing += leaving - clear(position + 1, steps);
        open = Math.min(WINDOW, open + steps);
        position += steps;
        mark(position);
        highest = number;
    }

    /** Clears the bits of these positions; returns how many were set. */
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
     * Counts the unseen numbers in the window as missing if the stream is idle. The window then starts at the highest
     * number.
     *
     * @return true if numbers were missing
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

    /**
     * Restarts the stream if it is in this shard, a part of which could not be read: that is not a gap of the source.
     */
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

    /** See {@link SourceSequences#touch}. */
    long touch() {
        return seen[word(position + 1)] + missing;
    }

    /** The receive time of the last number. */
    long lastNs() {
        return lastNs;
    }

    /** The totals of the stream. */
    Tally tally() {
        return new Tally(missing, restarts, misfits);
    }
}
