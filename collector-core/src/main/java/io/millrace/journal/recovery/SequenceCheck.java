package io.millrace.journal.recovery;

import io.millrace.journal.file.ChronicleFiles;
import io.millrace.record.BatchView;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Follows the sequence numbers of a shard's batches, and finds what is missing among them. One thread. */
final class SequenceCheck {
    /**
     * What is known of a shard's numbers besides what is in its batches.
     *
     * @param next as many datagrams were given numbers, as counters and outputs say; -1 if they say nothing
     * @param deletedTo the number of the first datagram that retention has not deleted, at this moment; -1 if there are no counters
     */
    record Counted(long next, LongSupplier deletedTo) {}

    private static final long NONE = -1;

    private final int shard;
    private final Counted counted;
    private final Consumer<JournalScanner.Problem> problems;
    private final Consumer<JournalScanner.Problem> missing;
    private final List<JournalGap> gaps = new ArrayList<>();
    private @Nullable Path file;
    private long firstCycle = NONE;
    private long expected = NONE;
    private long lastTimeNs;
    // What damaged batches say of themselves. Only where nothing else tells, and only if it fits.
    private boolean damagedBeforeFirst;
    private long damagedFirst = NONE;
    private long damagedNext = NONE;

    /**
     * Of a shard.
     *
     * @param counted what counters and outputs say
     * @param problems told of batches that are in a wrong place
     * @param missing told of batches before which others are missing
     */
    SequenceCheck(
            int shard,
            Counted counted,
            Consumer<JournalScanner.Problem> problems,
            Consumer<JournalScanner.Problem> missing) {
        this.shard = shard;
        this.counted = counted;
        this.problems = problems;
        this.missing = missing;
    }

    /** Goes to the next file. */
    void enter(Path next) {
        if (firstCycle == NONE) {
            firstCycle = ChronicleFiles.cycleOf(next);
        } else if (expected == NONE) {
            // A file before this one has no whole batch: only a damaged one is like that.
            damagedBeforeFirst = true;
        }
        file = next;
    }

    /** A file was passed over. */
    void pass(FileReport known) {
        if (known.batches() > 0) {
            expected = known.nextSequence();
            lastTimeNs = known.lastTimeNs();
        }
    }

    boolean isIn(Path other) {
        return other.equals(file);
    }

    /** What came so far is gone: the next batch may begin anywhere. */
    void startAnew() {
        expected = NONE;
        firstCycle = NONE;
    }

    /** The number the next batch should begin with. */
    long expected(long ifFirst) {
        return expected == NONE ? ifFirst : expected;
    }

    Counted counted() {
        return counted;
    }

    long lastTimeNs() {
        return lastTimeNs;
    }

    List<JournalGap> gaps() {
        return List.copyOf(gaps);
    }

    /** Something before the next whole batch is damaged. */
    void sawDamage() {
        damagedBeforeFirst |= expected == NONE;
    }

    /** The same, and this is what its header says, be it right or wrong. */
    void sawDamaged(BatchView batch) {
        sawDamage();
        long first = batch.firstSequence();
        if (batch.shard() != shard || first < 0 || batch.count() < 0 || batch.count() > batch.length() / 16) {
            return;
        }
        if (expected == NONE && damagedFirst == NONE) {
            damagedFirst = first;
        }
        if (first == Math.max(expected, damagedNext)) {
            damagedNext = batch.nextSequence();
        }
    }

    boolean isMissingBefore(BatchView batch) {
        return batch.shard() == shard && batch.startSequence() > expected(batch.startSequence());
    }

    /** Takes note of a whole batch; false if it is none of this shard's, or there already. */
    boolean add(Path where, long position, BatchView batch) {
        if (batch.shard() != shard) {
            problem(where, position, "batch of shard " + batch.shard() + " among those of shard " + shard);
            return false;
        }
        long start = batch.startSequence();
        if (expected == NONE) {
            expected = begin(where, position, start);
        }
        if (start < expected) {
            problem(
                    where,
                    position,
                    String.format("batch begins again at datagram %d; %d was expected", start, expected));
            return false;
        }
        if (start > expected) {
            missing(where, position, start, batch.minTimeNs());
        }
        if (batch.isGap()) {
            long count = batch.firstSequence() - start;
            gaps.add(new JournalGap(
                    shard, start, count, where, position, lastTimeNs, batch.maxTimeNs(), batch.gapReason()));
        } else {
            lastTimeNs = batch.maxTimeNs();
        }
        expected = batch.nextSequence();
        return true;
    }

    /** Where the shard begins: what retention has deleted leaves no gap, anything else that is missing before the first batch does. */
    private long begin(Path where, long position, long start) {
        long deletedTo = counted.deletedTo().getAsLong();
        if (deletedTo != NONE) {
            return Math.min(deletedTo, start);
        }
        if (!damagedBeforeFirst) {
            return start;
        }
        if (firstCycle == ChronicleFiles.FIRST_CYCLE) {
            return 0;
        }
        if (damagedFirst != NONE && damagedFirst < start) {
            return damagedFirst;
        }
        problem(where, position, "datagrams before " + start + " may be missing: how many cannot be known");
        return start;
    }

    private void missing(Path where, long position, long next, long afterNs) {
        long count = next - expected;
        missing.accept(new JournalScanner.Problem(
                where,
                position,
                String.format("%d datagrams are missing before this batch: %d to %d", count, expected, next - 1)));
        gaps.add(new JournalGap(shard, expected, count, where, position, lastTimeNs, afterNs, null));
    }

    /** All files were looked at; the last batch ends here. */
    void end(Path where, long position) {
        long next = counted.next() == NONE ? damagedNext : counted.next();
        long from = expected == NONE ? Math.max(counted.deletedTo().getAsLong(), 0) : expected;
        if (next <= from) {
            return;
        }
        problem(
                where,
                position,
                String.format(
                        "shard %d ends before datagram %d, but %d were journaled: %d datagrams are missing, or this user"
                                + " may not see their files",
                        shard, from, next, next - from));
        gaps.add(new JournalGap(shard, from, next - from, where, position, lastTimeNs, 0, null));
        expected = next;
    }

    private void problem(Path where, long position, String what) {
        problems.accept(new JournalScanner.Problem(where, position, what));
    }
}
