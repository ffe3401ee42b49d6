package io.millrace.internal.journal.write;

import static io.millrace.internal.journal.JournalChecks.cleanSummary;
import static io.millrace.internal.journal.JournalChecks.numbered;
import static io.millrace.internal.journal.JournalChecks.readAll;
import static io.millrace.internal.journal.JournalChecks.readOn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.collector.Counter;
import io.millrace.collector.RetentionSettings;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.journal.JournalBytes;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.OutputProgress;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.journal.read.ShardReader;
import io.millrace.internal.record.TestDatagram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deletions and counters of retention. In most of these journals, each batch has its own file. */
class RetentionTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final Duration AGE = Duration.ofSeconds(10);

    @TempDir
    Path root;

    private final List<OutputProgress> outputs = new ArrayList<>();
    private long nowNs = TestDatagram.TIME_NS;

    private Retention retention(TestJournal journal, RetentionSettings settings) throws IOException {
        return new Retention(
                journal.directory(),
                journal.counters(),
                settings,
                () -> outputs,
                shard -> journal.writer(shard).refreshListing(),
                () -> nowNs);
    }

    private static RetentionSettings age(RetentionSettings.Unread unread) {
        return new RetentionSettings(AGE, 0, 0, unread, RetentionSettings.WhenFull.BLOCK);
    }

    private static RetentionSettings size(long bytes) {
        return new RetentionSettings(null, bytes, 0, RetentionSettings.Unread.KEEP, RetentionSettings.WhenFull.BLOCK);
    }

    /** A file with one datagram per second. */
    private void append(TestJournal journal, int shard, int files) {
        for (int i = 0; i < files; i++) {
            nowNs += SECOND_NS;
            journal.append(
                    shard,
                    TestDatagram.of(shard + ":" + journal.nextSequence(shard)).at(nowNs));
        }
    }

    private long accounted(Counter counter) throws IOException {
        return CounterFile.openReadOnly(JournalPaths.countersFile(root)).sum(counter);
    }

    @Test
    void filesWhoseLastDatagramIsTooOldAreDeleted() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            append(journal, 0, 6);
            Retention retention = retention(journal, age(RetentionSettings.Unread.KEEP));
            assertThat(retention.pass()).isZero();
            assertThat(retention.status().files()).isEqualTo(6);
            assertThat(retention.status().oldestNs()).isEqualTo(TestDatagram.TIME_NS + SECOND_NS);

            // A file is as old as the beginning of the next one: the third is at the limit, the second is older.
            nowNs = TestDatagram.TIME_NS + 3 * SECOND_NS + AGE.toNanos() + 1;
            assertThat(retention.pass()).isEqualTo(2);
            assertThat(retention.pass()).isZero();
            assertThat(retention.status().files()).isEqualTo(4);
            assertThat(retention.status().oldestNs()).isEqualTo(TestDatagram.TIME_NS + 3 * SECOND_NS);
            assertThat(readAll(root, 0)).isEqualTo(numbered(0, 2, 6));
            assertThat(journal.counters(0).get(Counter.EXPIRED_DATAGRAMS)).isEqualTo(2);
            assertThat(journal.counters(0).get(Counter.EXPIRED_UNREAD_DATAGRAMS))
                    .isZero();
        }
    }

    @Test
    void newestFileIsKeptAtAnyAgeAndTheNumberingContinues() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            append(journal, 0, 4);
            nowNs += 100 * AGE.toNanos();
            Retention retention = retention(journal, age(RetentionSettings.Unread.KEEP));
            assertThat(retention.pass()).isEqualTo(3);
            assertThat(JournalBytes.files(root, 0)).hasSize(1);
            append(journal, 0, 2);
            assertThat(readAll(root, 0)).isEqualTo(numbered(0, 3, 6));
        }
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            assertThat(journal.nextSequence(0)).isEqualTo(6);
            append(journal, 0, 1);
            assertThat(readAll(root, 0)).isEqualTo(numbered(0, 3, 7));
        }
        assertThat(cleanSummary(root).shards().get(0).firstSequence()).isEqualTo(3);
    }

    @Test
    void oldestFilesOfAllShardsAreDeletedUntilTheSizeIsBelowTheLimit() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1L, 2)) {
            append(journal, 0, 3);
            append(journal, 1, 3);
            append(journal, 0, 2);
            long each = Files.size(JournalBytes.files(root, 0).get(0));
            Retention retention = retention(journal, size(4 * each));
            assertThat(retention.pass()).isEqualTo(4);
            assertThat(retention.status().bytes()).isEqualTo(4 * each);
            assertThat(readAll(root, 0)).isEqualTo(numbered(0, 3, 5));
            assertThat(readAll(root, 1)).isEqualTo(numbered(1, 1, 3));
        }
    }

    @Test
    void retentionIncludesUnusedShards() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1L, 2)) {
            append(journal, 1, 3);
        }
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            append(journal, 0, 1);
            nowNs += 2 * AGE.toNanos();
            Retention retention = new Retention(
                    journal.directory(),
                    journal.counters(),
                    age(RetentionSettings.Unread.KEEP),
                    () -> outputs,
                    shard -> assertThat(shard).isEqualTo(1),
                    () -> nowNs);
            assertThat(retention.pass()).isEqualTo(2);
        }
        assertThat(readAll(root, 1)).isEqualTo(numbered(1, 2, 3));
    }

    @Test
    void unacknowledgedFilesAreKeptUntilTheOutputAcknowledgesOrIsRemoved() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            append(journal, 0, 6);
            nowNs += 2 * AGE.toNanos();
            Retention retention = retention(journal, age(RetentionSettings.Unread.KEEP));
            outputs.add(new OutputProgress("fast", new long[] {6}));
            outputs.add(new OutputProgress("slow", new long[] {}));
            assertThat(retention.pass()).isZero();
            outputs.set(1, new OutputProgress("slow", new long[] {2}));
            assertThat(retention.pass()).isEqualTo(2);
            outputs.remove(1);
            assertThat(retention.pass()).isEqualTo(3);
            assertThat(journal.counters(0).get(Counter.EXPIRED_UNREAD_DATAGRAMS))
                    .isZero();
        }
    }

    @Test
    void damagedFileIsReadOnlyWhileItIsNew() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            append(journal, 0, 6);
            Path oldest = JournalPaths.files(JournalPaths.shardPath(root, 0)).get(0);
            byte[] intact = Files.readAllBytes(oldest);
            Files.write(oldest, new byte[intact.length]);
            Retention retention = retention(journal, age(RetentionSettings.Unread.KEEP));
            assertThat(retention.pass()).isZero();
            assertThat(retention.status().oldestNs()).isEqualTo(TestDatagram.TIME_NS + 2 * SECOND_NS);

            // The directory changes, so it is listed again: a read of the file would find its batch.
            Files.write(oldest, intact);
            append(journal, 0, 1);
            assertThat(retention.pass()).isZero();
            assertThat(retention.status().files()).isEqualTo(7);
            assertThat(retention.status().oldestNs()).isEqualTo(TestDatagram.TIME_NS + 2 * SECOND_NS);

            nowNs = TestDatagram.TIME_NS + 2 * SECOND_NS + AGE.toNanos() + 1;
            assertThat(retention.pass()).isEqualTo(1);
        }
    }

    @Test
    void unreadDatagramsAreCountedOnceEvenAfterARestart() throws IOException {
        outputs.add(new OutputProgress("slow", new long[] {1}));
        outputs.add(new OutputProgress("slower", new long[] {0}));
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            append(journal, 0, 6);
            nowNs = TestDatagram.TIME_NS + 4 * SECOND_NS + AGE.toNanos() + 1;
            assertThat(retention(journal, age(RetentionSettings.Unread.EXPIRE)).pass())
                    .isEqualTo(3);
        }
        assertThat(accounted(Counter.EXPIRED_UNREAD_DATAGRAMS)).isEqualTo(3);
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            Retention retention = retention(journal, age(RetentionSettings.Unread.EXPIRE));
            assertThat(retention.pass()).isZero();
            nowNs += SECOND_NS;
            assertThat(retention.pass()).isEqualTo(1);
        }
        assertThat(accounted(Counter.EXPIRED_UNREAD_DATAGRAMS)).isEqualTo(4);
        assertThat(accounted(Counter.EXPIRED_DATAGRAMS)).isEqualTo(4);
    }

    @Test
    void whatLiesAfterTheEndOfAnOutputIsNeitherHeldNorUnread() throws IOException {
        // Of shard 0 it needs datagram 1, of shard 1 nothing more.
        outputs.add(new OutputProgress("range", new long[] {1, 2}, new long[] {2, 2}, true));
        try (TestJournal journal = TestJournal.openRolling(root, 1, 2)) {
            append(journal, 0, 4);
            append(journal, 1, 4);
            nowNs += 2 * AGE.toNanos();
            assertThat(retention(journal, age(RetentionSettings.Unread.KEEP)).pass())
                    .describedAs("datagram 0 of shard 0, and all closed files of shard 1")
                    .isEqualTo(4);
            assertThat(retention(journal, age(RetentionSettings.Unread.EXPIRE)).pass())
                    .isEqualTo(2);
        }
        assertThat(accounted(Counter.EXPIRED_UNREAD_DATAGRAMS)).isEqualTo(1);
    }

    @Test
    void nothingIsDeletedBeforeEveryOutputKnowsItsPositions() throws IOException {
        outputs.add(new OutputProgress("starting", new long[] {}, null, false));
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            append(journal, 0, 3);
            nowNs += 2 * AGE.toNanos();
            Retention retention = retention(journal, age(RetentionSettings.Unread.EXPIRE));
            assertThat(retention.pass()).isZero();
            outputs.set(0, new OutputProgress("starting", new long[] {3}));
            assertThat(retention.pass()).isPositive();
        }
        assertThat(accounted(Counter.EXPIRED_UNREAD_DATAGRAMS)).isZero();
    }

    @Test
    void crashBetweenCountingAndDeletingCountsNothingTwice() throws IOException {
        outputs.add(new OutputProgress("slow", new long[] {0}));
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            append(journal, 0, 3);
            journal.counters(0).set(Counter.EXPIRED_DATAGRAMS, 1);
            journal.counters(0).set(Counter.EXPIRED_UNREAD_DATAGRAMS, 1);
            nowNs += 2 * AGE.toNanos();
            assertThat(retention(journal, age(RetentionSettings.Unread.EXPIRE)).pass())
                    .isEqualTo(2);
        }
        assertThat(accounted(Counter.EXPIRED_UNREAD_DATAGRAMS)).isEqualTo(2);
    }

    @Test
    void fullDiskDeletesTheOldestFileEvenIfItIsUnread() throws IOException {
        outputs.add(new OutputProgress("slow", new long[] {0}));
        RetentionSettings settings = new RetentionSettings(
                null, 0, 0, RetentionSettings.Unread.KEEP, RetentionSettings.WhenFull.DROP_OLDEST);
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            append(journal, 0, 3);
            Retention retention = retention(journal, settings);
            assertThat(retention.pass()).isZero();
            journal.counters(0).set(Counter.JOURNAL_FULL, 1);
            assertThat(retention.pass()).isEqualTo(1);
            assertThat(retention.pass()).isEqualTo(1);
            assertThat(retention.pass()).isZero();
            assertThat(journal.counters(0).get(Counter.EXPIRED_UNREAD_DATAGRAMS))
                    .isEqualTo(2);
        }
    }

    @Test
    void tooLittleFreeSpaceDeletesOneFilePerPass() throws IOException {
        RetentionSettings settings = new RetentionSettings(
                null, 0, Long.MAX_VALUE, RetentionSettings.Unread.KEEP, RetentionSettings.WhenFull.BLOCK);
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            append(journal, 0, 4);
            Retention retention = retention(journal, settings);
            assertThat(retention.doWork()).isEqualTo(1);
            assertThat(retention.doWork())
                    .describedAs("a second has not passed")
                    .isZero();
        }
        assertThat(readAll(root, 0)).isEqualTo(numbered(0, 1, 4));
    }

    @Test
    void openReadersContinueAfterADeletedFile() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1);
                ShardReader first = new ShardReader(root, 0);
                ShardReader atEnd = new ShardReader(root, 0)) {
            append(journal, 0, 3);
            assertThat(first.next()).isEqualTo(ShardReader.Found.BATCH);
            assertThat(readOn(atEnd)).isEqualTo(numbered(0, 0, 3));
            append(journal, 0, 3);
            nowNs += 2 * AGE.toNanos();
            assertThat(retention(journal, age(RetentionSettings.Unread.KEEP)).pass())
                    .isEqualTo(5);
            append(journal, 0, 2);
            assertThat(readOn(first)).endsWith("5=0:5", "6=0:6", "7=0:7");
            assertThat(readOn(atEnd)).endsWith("5=0:5", "6=0:6", "7=0:7");
            assertThat(readAll(root, 0)).isEqualTo(numbered(0, 5, 8));
        }
    }

    @Test
    void filesRollByAge() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1 << 20, Duration.ofSeconds(3))) {
            append(journal, 0, 6);
        }
        assertThat(JournalBytes.files(root, 0)).hasSize(2);
        try (TestJournal journal = TestJournal.openRolling(root, 1 << 20, Duration.ofSeconds(3))) {
            append(journal, 0, 4);
            // If the clock was set back, the file does not roll.
            nowNs -= 100 * SECOND_NS;
            append(journal, 0, 1);
        }
        assertThat(JournalBytes.files(root, 0)).hasSize(3);
    }

    @Test
    void invalidSettingsAreReported() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RetentionSettings(
                        Duration.ofMillis(999), 0, 0, RetentionSettings.Unread.KEEP, RetentionSettings.WhenFull.BLOCK))
                .withMessageContaining(
                        "retention age accepts a time such as 500ms, 10s, 2m, 1h or 7d, at least 1s, not 999ms");
    }
}
