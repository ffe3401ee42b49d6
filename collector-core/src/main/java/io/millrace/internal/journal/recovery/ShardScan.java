package io.millrace.internal.journal.recovery;

import io.millrace.internal.disk.Disk;
import io.millrace.internal.journal.file.ChronicleCheck;
import io.millrace.internal.journal.file.ChronicleFiles;
import io.millrace.internal.journal.file.FileWindow;
import io.millrace.internal.journal.file.MetadataCheck;
import io.millrace.internal.journal.file.Zeros;
import io.millrace.internal.record.BatchView;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A scan of one shard for intact batches. In each file, it searches every fourth byte for a magic number and the
 * journal's id. They are a batch if its checksum is right. One thread.
 *
 * <p>While the journal is written, a window of the file may be older than the file. So before the scan reports a gap,
 * it reads the window again.
 */
final class ShardScan {
    /** A visitor of all intact batches, in the order of the shard. */
    interface Visitor {
        /** Visits a batch; the view is valid only during the call. */
        void batch(Path file, BatchView batch) throws IOException;
    }

    /**
     * An intact batch with the length word 0: an interrupted append, unless later batches show that it was committed.
     */
    private record Uncommitted(Path file, long position, int length, long startSequence, long nextSequence) {}

    private static final int ALIGNMENT = 4;
    private static final int LENGTH_WORD_BYTES = 4;
    private static final long NONE = -1;

    private final long journalId;
    private final Path directory;
    private final SequenceCheck numbers;
    private final JournalSummary.Tally tally;
    private final Consumer<JournalScanner.Problem> problems;
    private final Visitor visitor;
    private final LongConsumer progress;
    private final BatchView batch = new BatchView();
    private final List<JournalScanner.Problem> found = new ArrayList<>();
    private final List<Uncommitted> uncommitted = new ArrayList<>();
    private final List<FileReport> reports = new ArrayList<>();

    private boolean unknownVersion;
    private int largestBatch;

    // State of the current file.
    private @Nullable ChronicleCheck chronicle;
    private boolean whole;
    private long batches;
    private long fileFirst;
    private long used;
    private long reloadedFrom;

    ShardScan(
            Path directory,
            long journalId,
            int shard,
            SequenceCheck.Counted counted,
            Consumer<JournalScanner.Problem> problems,
            Visitor visitor,
            LongConsumer progress) {
        this.journalId = journalId;
        this.directory = directory;
        this.tally = new JournalSummary.Tally(shard);
        this.problems = problems;
        this.visitor = visitor;
        this.progress = progress;
        this.numbers = new SequenceCheck(shard, counted, this::problem, this::missing);
    }

    /** Checks Chronicle's metadata file, if there are journal files. */
    void checkMetadata() throws IOException {
        String wrong = MetadataCheck.of(directory);
        if (wrong != null) {
            problem(directory.resolve(ChronicleFiles.METADATA), 0, wrong);
        }
    }

    /** Scans a file; to be called for the oldest file first. */
    void scan(Path file, boolean isLast) throws IOException {
        try (FileWindow window = new FileWindow(file)) {
            chronicle = new ChronicleCheck(window, isLast);
            numbers.enter(file);
            whole = true;
            batches = 0;
            used = 0;
            reloadedFrom = NONE;
            String wrong = chronicle.header();
            if (wrong != null) {
                problem(file, 0, wrong);
            }
            scan(file, window);
            report();
            finish(file, window, isLast);
        } catch (NoSuchFileException e) {
            // Deleted after it was listed: by retention if all earlier files were deleted too.
            if (reports.stream().noneMatch(before -> Disk.of(before.file()).exists(before.file()))) {
                numbers.reset();
            }
        }
    }

    /** True if a file contains the magic number of a batch. */
    static boolean mayHoldBatches(Path file) throws IOException {
        try (FileWindow window = new FileWindow(file)) {
            long position = LENGTH_WORD_BYTES;
            while (window.load(position - LENGTH_WORD_BYTES, LENGTH_WORD_BYTES + BatchView.headerBytes())) {
                if (BatchView.isMagicAt(window.memory(), window.at(position))) {
                    return true;
                }
                position = nextMagic(window, position);
            }
            return false;
        }
    }

    /** Skips a file that was scanned before and is intact. */
    void pass(FileReport known) throws IOException {
        settleUncommitted(known.firstSequence());
        numbers.enter(known.file());
        numbers.pass(known);
        reports.add(known);
    }

    private void scan(Path file, FileWindow window) throws IOException {
        long size = window.size();
        long position = LENGTH_WORD_BYTES;
        while (position + BatchView.headerBytes() <= size
                && window.load(position - LENGTH_WORD_BYTES, LENGTH_WORD_BYTES + BatchView.headerBytes())) {
            if (BatchView.isMagicAt(window.memory(), window.at(position))) {
                long length = examine(file, window, position, size);
                if (length == NONE) {
                    found.clear();
                    uncommitted.removeIf(it -> it.file().equals(file));
                    reloadedFrom = used;
                    window.forget();
                    position = Math.max(used, LENGTH_WORD_BYTES);
                    continue;
                }
                position += Math.max(ALIGNMENT, length);
            } else {
                position = nextMagic(window, position);
            }
            progress.accept(Math.min(position, size));
        }
    }

    /** The next position of a magic number in the window, or the first position that the window does not contain. */
    static long nextMagic(FileWindow window, long position) {
        int at = window.at(position);
        int last = at + window.loadedFrom(position) - BatchView.headerBytes();
        int next = at + ALIGNMENT;
        while (next <= last && !BatchView.isMagicAt(window.memory(), next)) {
            // The magic number is four bytes after the position, so positions followed by zeros can be skipped.
            int begin = next + Integer.BYTES;
            boolean zeros = window.memory().getLong(begin) == 0;
            int passed = zeros ? Zeros.count(window.memory(), begin, last + Long.BYTES) : ALIGNMENT;
            next += passed / ALIGNMENT * ALIGNMENT;
        }
        return position + (next - at);
    }

    /**
     * Examines a possible batch; returns its length if it is intact, 0 if not, {@link #NONE} to read the window again.
     */
    private long examine(Path file, FileWindow window, long position, long size) throws IOException {
        int available = (int) Math.min(size - position, BatchView.MAX_BYTES);
        BatchView.Health health =
                batch.wrap(window.memory(), window.at(position), available).checkHeader();
        long from = position - LENGTH_WORD_BYTES;
        if (batch.journalId() != journalId) {
            // A payload that looks like a batch: senders do not know the journal's id. But readers follow the length
            // words.
            if (chronicle != null && chronicle.isExcerptAt(from)) {
                found.add(new JournalScanner.Problem(file, position, "damaged batch: its journal id is another"));
                numbers.sawDamage();
            }
            return 0;
        }
        if (hasLength(health, available) && window.load(from, LENGTH_WORD_BYTES + batch.length())) {
            health = batch.wrap(window.memory(), window.at(position), window.loadedFrom(position))
                    .check();
        }
        int lengthWord = window.memory().getInt(window.at(from));
        if (health != BatchView.Health.OK) {
            if (lengthWord != 0) {
                found.add(new JournalScanner.Problem(file, position, "damaged batch: " + health));
                unknownVersion |= health == BatchView.Health.UNKNOWN_VERSION;
                numbers.sawDamaged(batch);
            }
            return 0; // With the length word 0, it is an append that was interrupted or is still running.
        }
        int length = batch.length();
        if (lengthWord == 0) {
            uncommitted.add(new Uncommitted(file, position, length, batch.startSequence(), batch.nextSequence()));
            return length;
        }
        if ((numbers.isMissingBefore(batch) || !uncommitted.isEmpty()) && reloadedFrom != used) {
            return NONE;
        }
        settleUncommitted(batch.startSequence());
        batch.wrap(window.memory(), window.at(position), window.loadedFrom(position));
        report();
        accept(file, position, lengthWord);
        return length;
    }

    /** True if the header has a usable length; the checksum then distinguishes damage from an unknown version. */
    private boolean hasLength(BatchView.Health header, int available) {
        return header == BatchView.Health.OK
                || (header == BatchView.Health.UNKNOWN_VERSION
                        && batch.length() >= BatchView.headerBytes()
                        && batch.length() <= available);
    }

    /** Reports damage, once an intact batch follows or the file ends. */
    private void report() {
        found.forEach(this::problem);
        found.clear();
    }

    /** Accepts uncommitted batches that are followed by a batch with later numbers: these were committed after all. */
    private void settleUncommitted(long before) throws IOException {
        List<Uncommitted> waiting = List.copyOf(uncommitted);
        uncommitted.clear();
        for (Uncommitted each : waiting) {
            if (each.nextSequence() > before || each.startSequence() < numbers.expected(0)) {
                continue;
            }
            try (FileWindow window = new FileWindow(each.file())) {
                if (window.load(each.position(), each.length())
                        && batch.wrap(window.memory(), 0, each.length()).check() == BatchView.Health.OK) {
                    accept(each.file(), each.position(), 0);
                }
            }
        }
    }

    private void accept(Path file, long position, int lengthWord) throws IOException {
        boolean here = chronicle != null && numbers.isIn(file);
        if (lengthWord != batch.length()) {
            problem(
                    file,
                    position,
                    String.format(
                            "damaged length word 0x%08x before an intact batch of %,d bytes with datagrams %d to %d:"
                                    + " readers cannot find this batch and later ones in the file",
                            lengthWord, batch.length(), batch.firstSequence(), batch.nextSequence() - 1));
        }
        if (here && chronicle != null) {
            String wrong = chronicle.batchAt(position, batch.length());
            if (wrong != null) {
                numbers.sawDamage();
                problem(file, position, wrong);
            }
            if (chronicle.sawOther()) {
                numbers.sawDamage();
                whole = false;
            }
        }
        boolean continues = numbers.add(file, position, batch);
        if (here) {
            used = position + batch.length();
        }
        if (continues) {
            if (!here) {
                amend(file);
            } else if (batches++ == 0) {
                fileFirst = batch.startSequence();
            }
            tally.add(batch);
            largestBatch = Math.max(largestBatch, batch.length());
            visitor.batch(file, batch);
        }
    }

    /** Adds a batch to the report of an earlier file. */
    private void amend(Path file) {
        reports.replaceAll(it -> !it.file().equals(file)
                ? it
                : new FileReport(
                        file,
                        false,
                        it.batches() + 1,
                        it.batches() == 0 ? batch.startSequence() : it.firstSequence(),
                        batch.nextSequence(),
                        it.usedBytes(),
                        batch.maxTimeNs()));
    }

    private void finish(Path file, FileWindow window, boolean isLast) throws IOException {
        if (isLast) {
            // Committed batches are counted, and the counters were read before the files.
            settleUncommitted(numbers.counted().next());
        }
        if (chronicle != null) {
            String wrong = chronicle.end();
            if (wrong != null) {
                problem(file, chronicle.position(), wrong);
            }
            whole &= !chronicle.sawOther();
        }
        progress.accept(window.size());
        tally.file(used);
        reports.add(new FileReport(file, whole, batches, fileFirst, numbers.expected(0), used, numbers.lastTimeNs()));
    }

    /** Reports a gap; a gap before a file's first batch does not make that file damaged. */
    private void missing(JournalScanner.Problem problem) {
        if (batches == 0) {
            problems.accept(problem);
        } else {
            problem(problem);
        }
    }

    private void problem(Path file, long offset, String what) {
        problem(new JournalScanner.Problem(file, offset, what));
    }

    private void problem(JournalScanner.Problem problem) {
        if (numbers.isIn(problem.file())) {
            whole = false;
        }
        problems.accept(problem);
    }

    /** The summary of the shard, after all files were scanned. */
    JournalSummary.Shard summary() {
        numbers.end(
                reports.isEmpty() ? directory : reports.get(reports.size() - 1).file(), used);
        return tally.summary();
    }

    boolean sawUnknownVersion() {
        return unknownVersion;
    }

    int largestBatch() {
        return largestBatch;
    }

    SequenceCheck.Counted counted() {
        return numbers.counted();
    }

    List<JournalGap> gaps() {
        return numbers.gaps();
    }

    List<FileReport> files() {
        return List.copyOf(reports);
    }

    /** The next sequence number of the shard, according to the journal and the counters. */
    long nextSequence() {
        return Math.max(numbers.expected(0), numbers.counted().next());
    }
}
