package io.millrace.internal.journal.recovery;

import io.millrace.internal.disk.Disk;
import io.millrace.internal.journal.DataDirectory;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.JournalSwap;
import io.millrace.internal.journal.MetaFile;
import io.millrace.internal.journal.PrivateFiles;
import io.millrace.internal.journal.file.BatchAppender;
import io.millrace.internal.journal.file.DiskReserve;
import io.millrace.journal.GapReason;
import io.millrace.journal.JournalMeta;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A repair of a damaged journal. It writes a new journal with all intact batches and their sequence numbers, and a gap
 * batch for each gap. It keeps the old files. A kill at any moment leaves the old or the new journal, and the repair
 * can be run again. One thread.
 */
public final class JournalRepair {
    /**
     * Bytes that must be free in addition to the new files, so that the journal writer does not stop for lack of space.
     */
    private static final long RESERVE_BYTES = 128L << 20;

    /**
     * The result of a repair.
     *
     * @param before the summary of the old journal, with its gaps
     * @param problems the problems; if there are none, nothing was changed
     * @param writtenFiles the number of rewritten files
     * @param linkedFiles the number of unchanged files
     * @param aside the directory of the old files; null if nothing was changed
     */
    public record Report(
            JournalSummary before,
            List<JournalScanner.Problem> problems,
            int writtenFiles,
            int linkedFiles,
            @Nullable Path aside) {}

    private final Path root;
    private final long[] numberedTo;
    private final JournalScanner.Progress progress;
    private final Consumer<String> steps;

    /**
     * Creates a repair.
     *
     * @param dataDirectory the data directory
     * @param numberedTo the sequence numbers that outputs have seen, by shard: see {@link JournalScanner#numberedTo}
     * @throws IOException if there is no journal
     */
    public JournalRepair(Path dataDirectory, long[] numberedTo, JournalScanner.Progress progress) throws IOException {
        this(dataDirectory, numberedTo, progress, step -> {});
    }

    /** Creates a repair that reports its steps; a test can abort it at any step. */
    JournalRepair(Path dataDirectory, long[] numberedTo, JournalScanner.Progress progress, Consumer<String> steps)
            throws IOException {
        this.root = dataDirectory;
        this.numberedTo = numberedTo.clone();
        this.progress = progress;
        this.steps = steps;
        // First of all: a directory that is not a data directory must not be changed.
        var unused = MetaFile.load(dataDirectory);
    }

    /**
     * Runs the repair; does nothing if there are no problems.
     *
     * @throws IOException if a process holds the data directory, the disk is full or fails, or the journal holds
     *     batches of a later version; the journal is then unchanged
     */
    public Report run() throws IOException {
        try (DataDirectory held = DataDirectory.open(root)) {
            JournalSwap.clean(root);
            // Otherwise a wrong count of journaled datagrams would become a gap of that length.
            held.quarantineDamagedCounters();
            steps.accept("cleaned");
            List<JournalScanner.Problem> problems = new ArrayList<>();
            JournalScanner scanner = new JournalScanner(root, problems::add, progress).numberedTo(numberedTo);
            JournalSummary before = scanner.scan();
            if (problems.isEmpty()) {
                return new Report(before, problems, 0, 0, null);
            }
            if (scanner.sawUnknownVersion()) {
                throw new IOException(
                        "the journal holds batches of a version that this Millrace does not support: repair it"
                                + " with the version that wrote it, or a later one; nothing was changed");
            }
            checkOwner();
            List<RepairPlan> plans = plan(scanner);
            checkFreeSpace(scanner, plans);
            try {
                write(held.meta(), scanner, plans);
                steps.accept("written");
                check(before);
                JournalPaths.sync(JournalSwap.unfinished(root));
                steps.accept("checked");
            } catch (IOException e) {
                JournalSwap.clean(root);
                throw e;
            }
            JournalSwap.complete(root);
            steps.accept("complete");
            Path aside = JournalSwap.putAside(root, Instant.now());
            steps.accept("aside");
            JournalSwap.takePlace(root);
            steps.accept("finished");
            int linked = (int) plans.stream()
                    .flatMap(plan -> plan.steps().stream())
                    .filter(RepairPlan.Step::stays)
                    .count();
            int all = plans.stream().mapToInt(plan -> plan.steps().size()).sum();
            return new Report(before, problems, all - linked, linked, aside);
        }
    }

    /** Checks that this user owns the journal; otherwise the service could not write to the new files. */
    private void checkOwner() throws IOException {
        Path journal = JournalPaths.journalPath(root);
        UserPrincipal owner = Disk.of(root).owner(journal);
        UserPrincipal mine = Disk.of(root)
                .owner(Disk.of(root).createDirectories(JournalSwap.unfinished(root), PrivateFiles.DIRECTORY));
        if (!owner.equals(mine)) {
            JournalSwap.clean(root);
            throw new IOException(String.format(
                    "%s belongs to %s, and a repair by %s would create files that the service cannot write: run it as"
                            + " %s, with sudo -u %s; nothing was changed",
                    journal, owner.getName(), mine.getName(), owner.getName(), owner.getName()));
        }
    }

    private List<RepairPlan> plan(JournalScanner scanner) throws IOException {
        boolean canLink = canLink(scanner);
        List<RepairPlan> plans = new ArrayList<>();
        for (ShardScan shard : scanner.shards()) {
            plans.add(RepairPlan.of(shard, canLink));
        }
        return plans;
    }

    /** True if the file system has hard links; without them, all files are rewritten. */
    private boolean canLink(JournalScanner scanner) throws IOException {
        Path unfinished = Disk.of(root).createDirectories(JournalSwap.unfinished(root), PrivateFiles.DIRECTORY);
        Path probe = unfinished.resolve("probe");
        for (ShardScan shard : scanner.shards()) {
            for (FileReport file : shard.files()) {
                try {
                    Disk.of(probe).link(probe, file.file());
                    Disk.of(probe).delete(probe);
                    return true;
                } catch (IOException | UnsupportedOperationException e) {
                    return false;
                }
            }
        }
        return false;
    }

    private void checkFreeSpace(JournalScanner scanner, List<RepairPlan> plans) throws IOException {
        long needed = RESERVE_BYTES;
        for (int shard = 0; shard < plans.size(); shard++) {
            long ahead = BatchAppender.bytesAhead(scanner.shards().get(shard).largestBatch());
            needed += plans.get(shard).bytesToWrite() + plans.get(shard).filesToWrite() * ahead;
        }
        long free = DiskReserve.usableBytes(root);
        if (free < needed) {
            JournalSwap.clean(root);
            throw new IOException(String.format(
                    "a repair needs %,d MiB free for %s, but only %,d MiB are: it writes new files before it renames"
                            + " the old ones; nothing was changed",
                    (needed >> 20) + 1, root, free >> 20));
        }
    }

    private void write(JournalMeta meta, JournalScanner scanner, List<RepairPlan> plans) throws IOException {
        long total = plans.stream().mapToLong(RepairPlan::bytesToWrite).sum();
        long[] done = {0};
        for (int shard = 0; shard < plans.size(); shard++) {
            Path directory = JournalPaths.shardIn(JournalSwap.unfinished(root), shard);
            ShardRewrite rewrite = new ShardRewrite(
                    plans.get(shard),
                    directory,
                    shard,
                    meta.journalId(),
                    scanner.shards().get(shard).largestBatch(),
                    GapReason.LOST);
            ShardScan again = new ShardScan(
                    JournalPaths.shardPath(root, shard),
                    meta.journalId(),
                    shard,
                    scanner.shards().get(shard).counted(),
                    problem -> {},
                    rewrite.visitor(),
                    bytes -> progress.at(Math.min(done[0] + bytes, total), total));
            rewrite.run(again, bytes -> done[0] += bytes);
            steps.accept("shard " + shard);
        }
    }

    /** Verifies that the new journal is intact and has all datagrams of the old one, before the old one is renamed. */
    private void check(JournalSummary before) throws IOException {
        List<JournalScanner.Problem> problems = new ArrayList<>();
        JournalSummary after = new JournalScanner(root, JournalSwap.unfinished(root), problems::add, progress)
                .numberedTo(numberedTo)
                .scan();
        if (!problems.isEmpty() || after.datagrams() != before.datagrams() || after.batches() != before.batches()) {
            throw new IOException(String.format(
                    "the new journal is wrong: it holds %d datagrams in %d batches, the old one %d in %d%s; nothing was"
                            + " changed",
                    after.datagrams(),
                    after.batches(),
                    before.datagrams(),
                    before.batches(),
                    problems.isEmpty()
                            ? ""
                            : ", and " + problems.get(0).file() + " at byte "
                                    + problems.get(0).offset() + ": "
                                    + problems.get(0).what()));
        }
    }
}
