package io.millrace.internal.journal.recovery;

import io.millrace.internal.journal.file.ChronicleFiles;
import io.millrace.internal.record.BatchView;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A gap detector for the sequence numbers of a shard's batches. One thread. */
final class SequenceCheck {
    /**
     * The sequence numbers of a shard according to counters and outputs.
     *
     * @param next the next sequence number; -1 if it is unknown
     * @param deletedTo the current number of the first datagram that retention has not deleted; -1 if it is unknown
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
    // Sequence numbers in the headers of damaged batches. Used only if they are plausible and nothing else is known.
    private boolean damagedBeforeFirst;
    private long damagedFirst = NONE;
    private long damagedNext = NONE;

    /**
     * Creates a check for a shard.
     *
     * @param counted the sequence numbers according to counters and outputs
     * @param problems called for batches in a wrong place
     * @param missing called for batches after a gap
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

    /** Starts the next file. */
    void enter(Path next) {
        if (firstCycle == NONE) {
            firstCycle = ChronicleFiles.cycleOf(next);
        } else if (expected == NONE) {
            // An earlier file has no intact batch, so it is damaged.
            damagedBeforeFirst = true;
        }
        file = next;
    }

    /** Skips a file that was scanned before. */
    void pass(FileReport known) {
        if (known.batches() > 0) {
            expected = known.nextSequence();
            lastTimeNs = known.lastTimeNs();
        }
    }

    boolean isIn(Path other) {
        return other.equals(file);
    }

    /** Resets the check, because earlier files were deleted: the next batch may begin with any number. */
    void reset() {
        expected = NONE;
        firstCycle = NONE;
    }

    /** The expected first number of the next batch. */
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

    /** Records that there is damage before the next intact batch. */
    void sawDamage() {
        damagedBeforeFirst |= expected == NONE;
    }

    /** Records a damaged batch, whose header may be right or wrong. */
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

    /** Records an intact batch; false if it belongs to another shard or is a duplicate. */
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
            problem(where, position, String.format("batch begins at datagram %d again, expected %d", start, expected));
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

    /** The first number of the shard. Datagrams that retention deleted are not a gap; other missing ones are. */
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
        problem(where, position, "datagrams before " + start + " may be missing: their number is unknown");
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

    /** Checks the end of the shard, after all files; the last batch ends at this position. */
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
                        "shard %d ends before datagram %d, but %d were journaled: %d datagrams are missing, or this"
                                + " user has no permission for their files",
                        shard, from, next, next - from));
        gaps.add(new JournalGap(shard, from, next - from, where, position, lastTimeNs, 0, null));
        expected = next;
    }

    private void problem(Path where, long position, String what) {
        problems.accept(new JournalScanner.Problem(where, position, what));
    }
}
