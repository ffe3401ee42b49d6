package io.millrace.internal.journal.recovery;

import static io.millrace.internal.journal.JournalChecks.cleanSummary;
import static io.millrace.internal.journal.JournalChecks.numbered;
import static io.millrace.internal.journal.JournalChecks.problems;
import static io.millrace.internal.journal.JournalChecks.readAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.millrace.internal.journal.DataDirectory;
import io.millrace.internal.journal.JournalBytes;
import io.millrace.internal.journal.JournalChecks;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.record.TestDatagram;
import io.millrace.journal.UnknownVersionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalScannerTest {
    @TempDir
    Path root;

    @Test
    void cleanJournalHasNoProblemsAndCorrectCounts() throws IOException {
        long journalId;
        long time = TestDatagram.TIME_NS;
        try (TestJournal journal = TestJournal.open(root, 2)) {
            journalId = journal.directory().meta().journalId();
            journal.append(
                    0, TestDatagram.of("123").at(time + 5), TestDatagram.of("").at(time - 7));
            journal.append(0, TestDatagram.of(new byte[1000]).at(time + 9));
            journal.append(1, TestDatagram.of("12345").at(time));
        }
        JournalSummary summary = cleanSummary(root);
        List<JournalBytes.Place> first = JournalBytes.batches(root, 0);
        List<JournalBytes.Place> second = JournalBytes.batches(root, 1);
        assertThat(summary.shards())
                .containsExactly(
                        new JournalSummary.Shard(0, 1, 3, 1003, 2, first.get(1).end(), 0, 3, time - 7, time + 9),
                        new JournalSummary.Shard(1, 1, 1, 5, 1, second.get(0).end(), 0, 1, time, time));
        assertThat(summary)
                .isEqualTo(new JournalSummary(
                        journalId,
                        4,
                        1008,
                        3,
                        first.get(1).end() + second.get(0).end(),
                        summary.shards(),
                        List.of()));
    }

    /** A loss of power in the header of the last batch: the next start and verify took it for a payload. */
    @Test
    void lastBatchWithoutItsJournalIdIsDamaged() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 2, 3);
        }
        Files.delete(JournalPaths.countersFile(root));
        JournalBytes.Place last = JournalBytes.batches(root, 0).get(1);
        JournalBytes.write(last.file(), last.offset() + 8, new byte[last.length() - 8]);
        assertThat(problems(root)).anyMatch(problem -> problem.what().contains("journal id"));
    }

    /** Chronicle's own documents are before it. Found by the simulation. */
    @Test
    void onlyBatchWithAnotherJournalIdIsDamaged() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 1, 3);
        }
        Files.delete(JournalPaths.countersFile(root));
        JournalBytes.Place only = JournalBytes.batches(root, 0).get(0);
        JournalBytes.write(only.file(), only.offset() + 29, new byte[] {0x55});
        assertThat(problems(root)).anyMatch(problem -> problem.what().contains("journal id"));
    }

    @Test
    void shardThatWasNeverWrittenIsEmpty() throws IOException {
        try (DataDirectory directory = DataDirectory.open(root)) {
            directory.register(List.of("syslog"), 2);
            directory.saveMeta();
        }
        assertThat(cleanSummary(root).shards())
                .containsExactly(
                        new JournalSummary.Shard(0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
                        new JournalSummary.Shard(1, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    }

    @Test
    void directoryWithoutAJournalIsAnError() {
        assertThatIOException().isThrownBy(() -> problems(root)).withMessageContaining(root.toString());
    }

    @Test
    void scanOfAJournalInUseReportsNoProblems() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            for (int i = 1; i < 4; i++) {
                journal.appendNumbered(0, 1, 10);
                assertThat(cleanSummary(root).datagrams()).isEqualTo(10L * i);
            }
        }
    }

    @Test
    void progressEndsAtTheTotal() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            journal.appendNumbered(0, 3, 1);
        }
        List<Long> seen = new ArrayList<>();
        long[] totals = new long[1];
        new JournalScanner(root, problem -> {}, (bytes, total) -> {
                    seen.add(bytes);
                    totals[0] = total;
                })
                .scan();
        assertThat(seen).isSorted().endsWith(totals[0]);
    }

    @Test
    void flippedPayloadBitIsFoundAtItsBatch() throws IOException {
        write(4);
        JournalBytes.Place damaged = JournalBytes.batches(root, 0).get(1);
        JournalBytes.damage(damaged);
        List<JournalScanner.Problem> problems = problems(root);
        assertThat(problems).hasSize(2);
        assertIs(problems.get(0), damaged.file(), damaged.offset(), "damaged batch", "BAD_CHECKSUM");
        assertIs(problems.get(1), damaged.file(), damaged.end() + 4, "10 datagrams are missing", "10 to 19");
        assertThat(readAll(root, 0)).hasSize(31).contains("damaged");
    }

    @Test
    void flippedBitInTheHeaderIsFound() throws IOException {
        write(4);
        JournalBytes.Place damaged = JournalBytes.batches(root, 0).get(1);
        // The highest byte of the body's length: the batch seems to end far after the end of the file.
        JournalBytes.flip(damaged.file(), damaged.offset() + 19, 6);
        assertThat(problems(root))
                .first()
                .satisfies(problem -> assertIs(problem, damaged.file(), damaged.offset(), "damaged batch", "CUT_OFF"));
    }

    @Test
    void damagedVersionAndLengthAreReportedAsDamage() throws IOException {
        write(3);
        JournalBytes.Place damaged = JournalBytes.batches(root, 0).get(1);
        for (int body : new int[] {-100, Integer.MIN_VALUE, 1 << 30, Integer.MAX_VALUE}) {
            byte[] version = {3};
            JournalBytes.write(damaged.file(), damaged.offset() + 8, version);
            byte[] length = ByteBuffer.allocate(4)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(body)
                    .array();
            JournalBytes.write(damaged.file(), damaged.offset() + 16, length);
            List<JournalScanner.Problem> problems = problems(root);
            assertThat(problems).as("body %d", body).hasSize(2);
            assertIs(problems.get(0), damaged.file(), damaged.offset(), "damaged batch");
            assertIs(problems.get(1), damaged.file(), damaged.end() + 4, "10 datagrams are missing");
        }
    }

    @Test
    void unknownVersionIsReportedByAllReaders() throws IOException {
        write(2);
        JournalBytes.Place last = JournalBytes.batches(root, 0).get(1);
        JournalBytes.change(last, batch -> batch.put(8, (byte) 9));
        assertThat(problems(root)).hasSize(2);
        assertIs(problems(root).get(0), last.file(), last.offset(), "UNKNOWN_VERSION");
        assertThatExceptionOfType(UnknownVersionException.class)
                .isThrownBy(() -> readAll(root, 0))
                .withMessageContaining("version 9");
        // A writer that continued would reuse sequence numbers.
        assertThatExceptionOfType(UnknownVersionException.class)
                .isThrownBy(() -> TestJournal.open(root))
                .withMessageContaining("version 9");
    }

    @Test
    void flippedLengthWordHidesNothingFromTheScan() throws IOException {
        write(4);
        for (int bit : new int[] {3, 20, 30}) {
            JournalBytes.Place damaged = JournalBytes.batches(root, 0).get(1);
            JournalBytes.flip(damaged.file(), damaged.offset() - 4 + bit / 8, bit % 8);
            List<JournalScanner.Problem> problems = problems(root);
            assertThat(problems).as("bit %d", bit).hasSize(1);
            assertIs(problems.get(0), damaged.file(), damaged.offset(), "damaged length word", "10 to 19");
            JournalBytes.flip(damaged.file(), damaged.offset() - 4 + bit / 8, bit % 8);
        }
        assertThat(cleanSummary(root).datagrams()).isEqualTo(40);
    }

    @Test
    void removedMiddleFileIsAGapWithItsCount() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            journal.appendNumbered(0, 5, 10);
        }
        List<JournalBytes.Place> batches = JournalBytes.batches(root, 0);
        Files.delete(batches.get(1).file());
        Files.delete(batches.get(2).file());
        List<JournalScanner.Problem> problems = problems(root);
        assertThat(problems).hasSize(1);
        JournalBytes.Place after = batches.get(3);
        assertIs(problems.get(0), after.file(), after.offset(), "20 datagrams are missing", "10 to 29");
    }

    @Test
    void removedOldestFileIsAGapWithItsCount() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            journal.appendNumbered(0, 5, 10);
        }
        Files.delete(JournalBytes.files(root, 0).get(0));
        assertThat(problems(root)).singleElement().asString().contains("10 datagrams are missing", "0 to 9");
    }

    @Test
    void filesDeletedByRetentionAreNotAProblem() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            journal.appendNumbered(0, 5, 10);
        }
        Files.delete(JournalBytes.files(root, 0).get(0));
        JournalChecks.noteDeleted(root, 0, 10);
        JournalSummary summary = cleanSummary(root);
        assertThat(summary.datagrams()).isEqualTo(40);
        assertThat(summary.shards().get(0).firstSequence()).isEqualTo(10);
    }

    @Test
    void repeatedBatchIsFound() throws IOException {
        write(3);
        List<JournalBytes.Place> batches = JournalBytes.batches(root, 0);
        JournalBytes.Place second = batches.get(1);
        JournalBytes.Place third = batches.get(2);
        assertThat(second.length()).isEqualTo(third.length());
        JournalBytes.write(
                third.file(), third.offset(), JournalBytes.read(second.file(), second.offset(), second.length()));
        List<JournalScanner.Problem> problems = problems(root);
        assertThat(problems).hasSize(2);
        assertIs(problems.get(0), third.file(), third.offset(), "begins at datagram 10 again", "expected 20");
        assertThat(problems.get(1).what()).contains("10 datagrams are missing");
    }

    @Test
    void batchOfAnotherShardIsFound() throws IOException {
        try (TestJournal journal = TestJournal.open(root, 2)) {
            journal.appendNumbered(0, 1, 10);
            journal.appendNumbered(1, 1, 10);
        }
        JournalBytes.Place zero = JournalBytes.batches(root, 0).get(0);
        JournalBytes.Place one = JournalBytes.batches(root, 1).get(0);
        JournalBytes.write(one.file(), one.offset(), JournalBytes.read(zero.file(), zero.offset(), zero.length()));
        assertThat(problems(root)).hasSize(2);
        assertIs(problems(root).get(0), one.file(), one.offset(), "batch of shard 0 among those of shard 1");
    }

    @Test
    void payloadThatLooksLikeABatchIsNotAProblem() throws IOException {
        write(2);
        JournalBytes.Place real = JournalBytes.batches(root, 0).get(0);
        byte[] ours = JournalBytes.read(real.file(), real.offset(), real.length());
        byte[] damaged = ours.clone();
        damaged[70] ^= 1;
        ByteBuffer foreign = ByteBuffer.wrap(new byte[ours.length + 4]).order(ByteOrder.LITTLE_ENDIAN);
        foreign.putInt(ours.length).put(ours).putLong(4 + 24, 99);
        try (TestJournal journal = TestJournal.open(root)) {
            for (byte[] payload : List.of(ours, damaged, foreign.array())) {
                journal.append(0, TestDatagram.of(payload), TestDatagram.of(payload));
            }
            journal.appendNumbered(0, 1, 10);
        }
        assertThat(cleanSummary(root).datagrams()).isEqualTo(36);

        // Nor in a damaged batch, because a sender does not know the journal's id.
        JournalBytes.Place around = JournalBytes.batches(root, 0).get(4);
        JournalBytes.flip(around.file(), around.offset() + 65, 0);
        assertThat(problems(root)).hasSize(2);
        assertIs(problems(root).get(0), around.file(), around.offset(), "damaged batch");
        assertIs(problems(root).get(1), around.file(), around.end() + 4, "2 datagrams are missing");
    }

    @Test
    void batchesAcrossWindowBoundariesAreFound() throws IOException {
        TestDatagram[] large = new TestDatagram[2];
        Arrays.fill(large, TestDatagram.of(new byte[TestDatagram.MAX_PAYLOAD - 6000]));
        try (TestJournal journal = TestJournal.open(root)) {
            // More than the window of the scanner.
            for (int i = 0; i < 90; i++) {
                journal.append(0, large);
            }
            journal.appendNumbered(0, 1, 3);
        }
        assertThat(cleanSummary(root).datagrams()).isEqualTo(183);
        assertThat(readAll(root, 0)).endsWith(numbered(0, 180, 183).toArray(new String[0]));
    }

    private void write(int batches) throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, batches, 10);
        }
    }

    private static void assertIs(JournalScanner.Problem problem, Path file, long offset, String... words) {
        assertThat(problem.file()).isEqualTo(file);
        assertThat(problem.offset()).isEqualTo(offset);
        assertThat(problem.what()).contains(words);
    }
}
