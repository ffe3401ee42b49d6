package io.millrace.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.Counter;
import io.millrace.collector.RetentionSettings;
import io.millrace.collector.SyncSettings;
import io.millrace.internal.disk.Disks;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.journal.file.DiskReserve;
import io.millrace.internal.journal.file.FileAllocation;
import io.millrace.internal.journal.read.ShardReader;
import io.millrace.internal.journal.write.Retention;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the simulation has found: each loss of power as a test of its own. */
class PowerFailureTest {
    private static final int LOST = 0;
    private static final int KEPT = 1;

    @TempDir
    Path base;

    private Path root;
    private SimulatedDisk disk;

    @BeforeEach
    void begin() throws IOException {
        root = Files.createDirectory(base.resolve("before"));
        disk = new SimulatedDisk(root, new DiskFaults(new SplittableRandom(1), new SimulatedClock()), 1, () -> {});
        Disks.register(root, disk);
    }

    @AfterEach
    void end() {
        Disks.remove(root);
    }

    /** What the disk has after a loss of power, in another directory. */
    private Path cut(int pages, int nameChanges) throws IOException {
        Path after = Files.createDirectory(base.resolve("after"));
        disk.afterPowerFailure(new SplittableRandom(1), pages, nameChanges).writeTo(after);
        return after;
    }

    private static long readable(Path directory) {
        long next = 0;
        try (ShardReader reader = new ShardReader(directory, 0)) {
            while (reader.next() == ShardReader.Found.BATCH) {
                next = reader.batch().nextSequence();
            }
        }
        return next;
    }

    /** Readers stopped at the end of the file, although all later batches were on the disk. */
    @Test
    void endMarkOfAnEarlierRunIsSynced() throws IOException {
        try (TestJournal journal = TestJournal.openSynced(root, 1, SyncSettings.BATCH)) {
            journal.appendNumbered(0, 1, 3);
        }
        try (TestJournal journal = TestJournal.openSynced(root, 1, SyncSettings.BATCH)) {
            journal.appendNumbered(0, 2, 3);
            assertThat(readable(cut(LOST, LOST))).isEqualTo(9);
        }
    }

    /** It had batches, because the disk knew a journal file only by this name. */
    @Test
    void preparedFileOfAnEarlierRunIsNotUsed() throws IOException {
        Path spare = root.resolve("next.spare");
        Files.write(spare, new byte[] {1, 2, 3});
        Path file = root.resolve("19700102F.cq4");
        try (FileAllocation allocation =
                new FileAllocation(root, 1 << 20, new DiskReserve(root), FileAllocation.Method.WRITE)) {
            allocation.begin(file);
        }
        assertThat(Files.readAllBytes(file)).containsOnly(0);
    }

    /** The recovery counted deleted datagrams as lost by the power failure. */
    @Test
    void deletionIsCountedOnTheDiskFirst() throws IOException {
        try (TestJournal journal = TestJournal.openSynced(root, 1, SyncSettings.BATCH)) {
            journal.appendNumbered(0, 3, 5);
            journal.counters().sync();
            int deleted = new Retention(
                            journal.directory(),
                            journal.counters(),
                            new RetentionSettings(
                                    null, 1, 0, RetentionSettings.Unread.KEEP, RetentionSettings.WhenFull.BLOCK),
                            List::of,
                            shard -> {},
                            () -> 0)
                    .doWork();
            assertThat(deleted).isPositive();
            Path after = cut(LOST, KEPT);
            assertThat(JournalPaths.files(JournalPaths.shardPath(after, 0))).hasSize(3 - deleted);
            try (TestJournal next = TestJournal.openSynced(after, 1, SyncSettings.BATCH)) {
                assertThat(next.counters(0).get(Counter.EXPIRED_DATAGRAMS)).isEqualTo(5L * deleted);
            }
        }
    }
}
