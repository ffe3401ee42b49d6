package io.millrace.internal.journal.write;

import io.millrace.internal.counters.ShardCells;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * The sequence numbers of a shard that may be in use: those below a bound, which is on the disk before a number is used. So after a
 * power failure the numbering continues at the bound, and no number is used twice, although nobody knows how many datagrams the disk
 * has not kept. The bound is also the maximum of what can be lost.
 *
 * <p>Like blocks of the disk, numbers are reserved ahead of time, by the thread of the {@link Allocator}; only if that is late does the
 * append wait. A reservation lasts for two seconds or longer, so that the disk has a second for the next one: it doubles while it lasts
 * for less, and halves if it lasts for long. After a power failure the numbers that were not in use count, too.
 */
final class SequenceReservation {
    private static final long MIN_NUMBERS = 1 << 12;
    private static final long MAX_NUMBERS = 1L << 24;
    private static final long SHORT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(8);

    private final ShardCells cells;
    private volatile long end;
    private volatile long next;
    private volatile long numbers = MIN_NUMBERS;
    private long reservedNs;
    private volatile Runnable onNeed = () -> {};

    /** Creates a reservation without numbers. */
    SequenceReservation(ShardCells cells) {
        this.cells = cells;
    }

    /** Sets the callback for when {@link #reserveAhead} has something to do. */
    void onNeed(Runnable wake) {
        onNeed = wake;
    }

    /** True if all numbers below this one are reserved. Any thread. */
    boolean covers(long until) {
        return until <= end;
    }

    /** Records that all numbers below this one are in use. The appending thread. */
    void used(long until) {
        boolean wasEnough = hasEnough();
        next = until;
        if (wasEnough && !hasEnough()) {
            onNeed.run();
        }
    }

    private boolean hasEnough() {
        return end - next >= numbers / 2;
    }

    /** Reserves more numbers if half of them are in use. Any thread. */
    void reserveAhead() throws IOException {
        if (!hasEnough()) {
            reserve(next);
            if (!hasEnough()) {
                // Many were used meanwhile.
                onNeed.run();
            }
        }
    }

    /**
     * Reserves numbers from this one on.
     *
     * @throws IOException if the disk failed; the numbers are not reserved then
     */
    synchronized void reserve(long from) throws IOException {
        long nowNs = System.nanoTime();
        long lastedNs = nowNs - reservedNs;
        if (end > 0 && lastedNs < SHORT_NS) {
            numbers = Math.min(MAX_NUMBERS, 2 * numbers);
        } else if (lastedNs > LONG_NS) {
            numbers = Math.max(MIN_NUMBERS, numbers / 2);
        }
        long until = Math.max(Math.max(from, next) + numbers, end);
        cells.reserveTo(until);
        end = until;
        reservedNs = nowNs;
    }
}
