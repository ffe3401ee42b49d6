package io.millrace.internal.journal.recovery;

import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.disk.Disk;
import io.millrace.internal.journal.DataDirectory;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.file.BatchAppender;
import io.millrace.internal.journal.file.ChronicleFiles;
import io.millrace.internal.journal.file.DiskReserve;
import io.millrace.internal.journal.read.ShardReader;
import io.millrace.journal.GapReason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recovery of a shard after the power or the kernel failed. Pages reach the disk in any order, so what was not synced may be missing or
 * damaged anywhere in the files since the last sync. If it is damaged, the files are written again with all intact batches, and with a gap batch for
 * each gap, as by {@link JournalRepair}: then no reader meets the damage, and nobody has to repair the journal. The caller marks the
 * gap at the end. One thread, before anything else opens the shard. A failure at any step leaves files that it recovers at the next
 * start.
 */
public final class PowerFailure {
    private static final Logger LOG = LoggerFactory.getLogger(PowerFailure.class);
    /** If nothing is synced: the newest, and the one before it, and all before them up to the first that is whole. */
    private static final int MIN_FILES = 2;

    private PowerFailure() {}

    /**
     * Recovers the newest files of a shard, and counts what is missing in them.
     *
     * @throws IOException if the disk fails
     */
    public static void recover(DataDirectory directory, int shard, ShardCells counters) throws IOException {
        Path path = JournalPaths.shardPath(directory.root(), shard);
        long journalId = directory.meta().journalId();
        Path unfinished = JournalPaths.journalPath(directory.root()).resolve("recovering");
        delete(unfinished);
        List<Path> files = JournalPaths.files(path);
        int first = firstUnsynced(files, path, journalId, shard, counters.syncedCycle());
        List<Path> newest = files.subList(first, files.size());
        List<Path> earlier = files.subList(0, first);
        long before = earlier.isEmpty() ? counters.get(Counter.EXPIRED_DATAGRAMS) : ShardReader.endSequence(earlier);
        SequenceCheck.Counted counted = new SequenceCheck.Counted(-1, () -> before);
        List<JournalScanner.Problem> problems = new ArrayList<>();
        ShardScan scan =
                new ShardScan(path, journalId, shard, counted, problems::add, (file, batch) -> {}, bytes -> {});
        for (Path file : newest) {
            scan.scan(file, file.equals(newest.get(newest.size() - 1)));
        }
        countMarked(scan, counters);
        if (scan.sawUnknownVersion()) {
            return;
        }
        if (problems.isEmpty()) {
            deleteEmpty(scan);
            return;
        }
        RepairPlan plan = RepairPlan.of(scan, false);
        long needed = plan.bytesToWrite() + plan.filesToWrite() * BatchAppender.bytesAhead(scan.largestBatch());
        if (DiskReserve.usableBytes(directory.root()) < needed) {
            LOG.warn(
                    "Shard {}: the newest files were damaged by a power failure, and there is no room for {} bytes to write them again;"
                            + " 'millrace journal repair' does so later",
                    shard,
                    needed);
            return;
        }
        ShardRewrite rewrite =
                new ShardRewrite(plan, unfinished, shard, journalId, scan.largestBatch(), GapReason.POWER_FAILURE);
        rewrite.run(
                new ShardScan(path, journalId, shard, counted, problem -> {}, rewrite.visitor(), bytes -> {}),
                bytes -> {});
        replace(newest, unfinished);
        JournalPaths.sync(path);
        delete(unfinished);
        long lost = scan.gaps().stream()
                .filter(gap -> gap.reason() == null)
                .mapToLong(JournalGap::count)
                .sum();
        counters.add(DropReason.POWER_FAILURE.counter(), lost);
        LOG.warn(
                "Shard {}: power failure: the newest files were incomplete. They were written again with all intact batches; {}"
                        + " datagrams are missing in them",
                shard,
                lost);
    }

    /** Counts gaps that an interrupted start has marked, and not counted: they end after the counted datagrams. */
    private static void countMarked(ShardScan scan, ShardCells counters) {
        long counted = counters.get(Counter.JOURNALED_DATAGRAMS);
        long marked = scan.gaps().stream()
                .filter(gap -> gap.reason() == GapReason.POWER_FAILURE && gap.firstSequence() + gap.count() > counted)
                .mapToLong(JournalGap::count)
                .sum();
        counters.add(DropReason.POWER_FAILURE.counter(), marked);
    }

    /** The index of the oldest file that may not be on the disk. */
    private static int firstUnsynced(List<Path> files, Path shard, long journalId, int number, long syncedCycle)
            throws IOException {
        int first = files.size();
        while (first > 0) {
            Path next = files.get(first - 1);
            boolean isSynced = syncedCycle > 0
                    ? ChronicleFiles.cycleOf(next) < syncedCycle
                    : files.size() - first >= MIN_FILES && isWhole(next, shard, journalId, number);
            if (isSynced) {
                break;
            }
            first--;
        }
        return first;
    }

    private static boolean isWhole(Path file, Path shard, long journalId, int number) throws IOException {
        ShardScan scan = new ShardScan(
                shard,
                journalId,
                number,
                new SequenceCheck.Counted(-1, () -> -1),
                problem -> {},
                (path, batch) -> {},
                bytes -> {});
        scan.scan(file, false);
        return scan.files().stream().allMatch(report -> report.whole() && report.batches() > 0);
    }

    /** Deletes files of which nothing but their length is on the disk. */
    private static void deleteEmpty(ShardScan scan) throws IOException {
        for (FileReport report : scan.files()) {
            if (report.batches() == 0) {
                Disk.of(report.file()).deleteIfExists(report.file());
            }
        }
    }

    /** The oldest first: a failure in between leaves one that is intact, and one that is not recovered yet. */
    private static void replace(List<Path> files, Path unfinished) throws IOException {
        for (Path file : files) {
            Path written = unfinished.resolve(ChronicleFiles.nameOf(ChronicleFiles.cycleOf(file)));
            if (Disk.of(written).exists(written)) {
                Disk.of(written).rename(written, file);
            } else {
                // It has no batch.
                Disk.of(file).deleteIfExists(file);
            }
        }
    }

    private static void delete(Path unfinished) throws IOException {
        if (!Disk.of(unfinished).isDirectory(unfinished)) {
            return;
        }
        for (Path file : Disk.of(unfinished).list(unfinished)) {
            Disk.of(file).delete(file);
        }
        Disk.of(unfinished).delete(unfinished);
    }
}
