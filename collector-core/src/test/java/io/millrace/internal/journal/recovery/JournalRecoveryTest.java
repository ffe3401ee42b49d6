package io.millrace.internal.journal.recovery;

import static io.millrace.internal.journal.JournalChecks.cleanSummary;
import static io.millrace.internal.journal.JournalChecks.numbered;
import static io.millrace.internal.journal.JournalChecks.problems;
import static io.millrace.internal.journal.JournalChecks.readAll;
import static io.millrace.internal.journal.JournalChecks.readOn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.journal.JournalBytes;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.MetaFile;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.journal.file.ChronicleIndex;
import io.millrace.internal.journal.read.ShardReader;
import io.millrace.internal.record.FrameWriter;
import io.millrace.internal.record.TestDatagram;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import net.openhft.chronicle.queue.impl.TableStore;
import net.openhft.chronicle.queue.impl.single.TableStoreWriteLock;
import net.openhft.chronicle.queue.impl.table.Metadata;
import net.openhft.chronicle.queue.impl.table.SingleTableBuilder;
import net.openhft.chronicle.threads.BusyTimedPauser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A start after a crash of the last process. */
class JournalRecoveryTest {
    /** Less than Chronicle waits for a lock or a header of a crashed writer, which is at least ten seconds. */
    private static final Duration NO_WAIT = Duration.ofSeconds(9);

    @TempDir
    Path root;

    @Test
    void tornAppendIsIgnoredAndOverwrittenByTheNextRun() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 3, 4);
        }
        // A long batch, so that the appends of the next run fit into its bytes.
        TestDatagram[] lost = new TestDatagram[100];
        for (int i = 0; i < lost.length; i++) {
            lost[i] = TestDatagram.of("lost".repeat(250));
        }
        tear(batch(12, lost), 90_000);

        assertThat(problems(root)).isEmpty();
        assertThat(readAll(root, 0)).isEqualTo(numbered(0, 0, 12));
        try (TestJournal journal = TestJournal.open(root)) {
            assertThat(journal.nextSequence(0)).isEqualTo(12);
            journal.appendNumbered(0, 1, 1);
            assertThat(readAll(root, 0)).isEqualTo(numbered(0, 0, 13));
            journal.appendNumbered(0, 5, 3);
        }
        assertThat(readAll(root, 0)).isEqualTo(numbered(0, 0, 28));
        assertThat(cleanSummary(root).datagrams()).isEqualTo(28);
    }

    @Test
    void completeAppendThatWasNotCommittedIsNotRead() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 1, 2);
        }
        byte[] whole = batch(2, TestDatagram.of("never committed"));
        tear(whole, whole.length);
        assertThat(problems(root)).isEmpty();
        assertThat(cleanSummary(root).datagrams()).isEqualTo(2);
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 1, 2);
        }
        assertThat(readAll(root, 0)).isEqualTo(numbered(0, 0, 4));
        assertThat(problems(root)).isEmpty();
    }

    /** A sealed batch of this journal, as bytes. */
    private byte[] batch(long firstSequence, TestDatagram... datagrams) throws IOException {
        FrameWriter batch = new FrameWriter(ByteBuffer.allocateDirect(TestJournal.SLAB_BYTES));
        for (TestDatagram datagram : datagrams) {
            assertThat(datagram.appendTo(batch)).isTrue();
        }
        batch.seal(0, MetaFile.load(root).journalId(), firstSequence);
        byte[] bytes = new byte[batch.length()];
        batch.buffer().get(0, bytes);
        return bytes;
    }

    /** Writes the beginning of a batch after the last one, as a kill during an append does. */
    private void tear(byte[] batch, int written) throws IOException {
        List<JournalBytes.Place> places = JournalBytes.batches(root, 0);
        JournalBytes.Place last = places.get(places.size() - 1);
        byte[] torn = new byte[written];
        System.arraycopy(batch, 0, torn, 0, written);
        assertThat(ByteBuffer.wrap(JournalBytes.read(last.file(), last.end(), 4))
                        .getInt())
                .as("the length word of the next batch")
                .isZero();
        JournalBytes.write(last.file(), last.end() + 4, torn);
    }

    @Test
    void chronicleLocksWithTheSameProcessIdAreReleasedAtOpen() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 1, 2);
        }
        for (String key : List.of(TableStoreWriteLock.APPEND_LOCK_KEY, "chronicle.write.lock")) {
            lockAndForget(key);
        }
        assertTimeoutPreemptively(NO_WAIT, () -> {
            try (TestJournal journal = TestJournal.open(root)) {
                journal.appendNumbered(0, 1, 2);
            }
        });
        assertThat(readAll(root, 0)).isEqualTo(numbered(0, 0, 4));
    }

    private void lockAndForget(String key) {
        File metadata = JournalPaths.shardPath(root, 0).resolve("metadata.cq4t").toFile();
        try (TableStore<?> store = SingleTableBuilder.binary(metadata, Metadata.NoMeta.INSTANCE)
                        .readOnly(false)
                        .build();
                TableStoreWriteLock lock = new TableStoreWriteLock(store, BusyTimedPauser::new, 1000L, key)) {
            lock.lock();
            assertThat(lock.lockedBy() & 0xffff_ffffL)
                    .isEqualTo(ProcessHandle.current().pid());
        }
    }

    @Test
    void incompleteFileDoesNotBlockReadersAndIsReadOnceItIsComplete() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            journal.appendNumbered(0, 3, 1);
        }
        Path last = JournalBytes.files(root, 0).get(2);
        byte[] finished = Files.readAllBytes(last);
        for (byte[] halfMade : new byte[][] {new byte[0], new byte[4096], {0, 0, 0, (byte) 0xc0, 0, 0, 0, 0}}) {
            Files.write(last, halfMade);
            assertTimeoutPreemptively(NO_WAIT, () -> {
                try (ShardReader reader = new ShardReader(root, 0)) {
                    assertThat(readOn(reader)).containsExactly("0=0:0", "1=0:1");
                    Files.write(last, finished);
                    assertThat(readOn(reader)).containsExactly("2=0:2");
                }
            });
        }
    }

    /** Fuzzing found that the start waited ten seconds, and then failed without naming the file. */
    @Test
    void fileTruncatedToZeroDoesNotDelayTheStart() throws IOException {
        for (int cut = 0; cut < 3; cut++) {
            Path data = root.resolve("cut-" + cut);
            Files.createDirectories(data);
            try (TestJournal journal = TestJournal.openRolling(data, 1)) {
                journal.appendNumbered(0, 3, 1);
            }
            Path file = JournalBytes.files(data, 0).get(cut);
            Files.write(file, new byte[0]);
            assertTimeoutPreemptively(NO_WAIT, () -> {
                try (TestJournal journal = TestJournal.openRolling(data, 1)) {
                    assertThat(journal.nextSequence(0)).isEqualTo(3);
                    journal.appendNumbered(0, 2, 1);
                }
            });
            assertThat(JournalBytes.batches(data, 0))
                    .extracting(JournalBytes.Place::firstSequence)
                    .contains(3L, 4L);
        }
    }

    @Test
    void datagramsReceivedButNotJournaledAreCountedAsCrash() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 2, 5);
            journal.submit(0, TestJournal.numbered(0, 10, 7));
            // Crashes with seven datagrams in the ring.
        }
        for (int start = 0; start < 2; start++) {
            try (TestJournal journal = TestJournal.open(root)) {
                ShardCells counters = journal.counters(0);
                assertThat(counters.get(DropReason.CRASH.counter())).isEqualTo(7);
                assertThat(counters.get(Counter.RECEIVED_DATAGRAMS)).isEqualTo(17);
                assertThat(counters.get(Counter.JOURNALED_DATAGRAMS)).isEqualTo(10);
                assertThat(journal.nextSequence(0)).isEqualTo(10);
            }
        }
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 1, 3);
            journal.submit(0, TestJournal.numbered(0, 13, 1));
        }
        try (TestJournal journal = TestJournal.open(root)) {
            assertThat(journal.counters(0).get(DropReason.CRASH.counter())).isEqualTo(8);
            assertThat(journal.counters(0).get(Counter.JOURNALED_DATAGRAMS)).isEqualTo(13);
        }
    }

    @Test
    void rejectedAndMergedDatagramsAreNotCountedAsCrash() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 2, 5);
            journal.counters(0).add(Counter.RECEIVED_DATAGRAMS, 12);
            journal.counters(0).add(DropReason.DENIED.counter(), 4);
            journal.counters(0).add(Counter.MERGED_CHUNKS, 3);
            journal.counters(0).add(Counter.DUPLICATE_CHUNKS, 2);
            journal.counters(0).add(DropReason.RATE_LIMITED.counter(), 2);
            // Crashes with one received datagram that was not counted otherwise.
        }
        for (int start = 0; start < 2; start++) {
            try (TestJournal journal = TestJournal.open(root)) {
                assertThat(journal.counters(0).get(DropReason.CRASH.counter())).isEqualTo(1);
                assertThat(journal.counters(0).get(Counter.RECEIVED_DATAGRAMS)).isEqualTo(22);
                assertThat(journal.nextSequence(0)).isEqualTo(10);
            }
        }
    }

    @Test
    void countersBehindTheJournalAreCorrected() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 2, 5);
            // Crashes after the append of the second batch, before it updates the counters.
            journal.counters(0).add(Counter.JOURNALED_DATAGRAMS, -5);
        }
        try (TestJournal journal = TestJournal.open(root)) {
            ShardCells counters = journal.counters(0);
            assertThat(counters.get(Counter.RECEIVED_DATAGRAMS)).isEqualTo(10);
            assertThat(counters.get(Counter.JOURNALED_DATAGRAMS)).isEqualTo(10);
            assertThat(counters.get(DropReason.CRASH.counter())).isZero();
            assertThat(journal.nextSequence(0)).isEqualTo(10);
        }
    }

    @Test
    void newCountersStartAtTheEndOfTheJournal() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 2, 5);
        }
        Files.delete(JournalPaths.countersFile(root));
        try (TestJournal journal = TestJournal.open(root)) {
            assertThat(journal.counters(0).get(Counter.RECEIVED_DATAGRAMS)).isEqualTo(10);
            assertThat(journal.counters(0).get(Counter.JOURNALED_DATAGRAMS)).isEqualTo(10);
            assertThat(journal.counters(0).get(DropReason.CRASH.counter())).isZero();
            journal.appendNumbered(0, 1, 5);
        }
        assertThat(readAll(root, 0)).isEqualTo(numbered(0, 0, 15));
    }

    @Test
    void numbersLostInAPowerFailureAreNotReused() throws IOException {
        long journalId;
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 1, 5);
            journalId = journal.directory().meta().journalId();
        }
        // The counters were on disk, the last batches of the journal were not.
        CounterFile counters = CounterFile.open(JournalPaths.countersFile(root), journalId, 1);
        counters.shard(0).add(Counter.RECEIVED_DATAGRAMS, 20);
        counters.shard(0).add(Counter.JOURNALED_DATAGRAMS, 20);

        try (TestJournal journal = TestJournal.open(root)) {
            assertThat(journal.nextSequence(0)).isEqualTo(25);
            journal.appendNumbered(0, 1, 2);
            assertThat(journal.counters(0).get(DropReason.CRASH.counter())).isZero();
        }
        assertThat(readAll(root, 0))
                .startsWith(numbered(0, 0, 5).toArray(new String[0]))
                .endsWith("25=0:25", "26=0:26")
                .hasSize(7);
        assertThat(problems(root))
                .singleElement()
                .satisfies(problem -> assertThat(problem.what())
                        .contains("20 datagrams are missing")
                        .contains("5 to 24"));
    }

    @Test
    void numbersOfADamagedLastBatchAreNotReused() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 3, 5);
        }
        JournalBytes.damage(JournalBytes.batches(root, 0).get(2));
        try (TestJournal journal = TestJournal.open(root)) {
            assertThat(journal.nextSequence(0)).isEqualTo(15);
            journal.appendNumbered(0, 1, 1);
        }
        assertThat(readAll(root, 0)).endsWith("9=0:9", "damaged", "15=0:15");
    }

    /** After a power failure, the header can be on disk, but not the batches. Fuzzing found this. */
    @Test
    void headerThatPointsToALostBatchDoesNotCauseAppendsAfterAHole() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 4, 5);
        }
        List<JournalBytes.Place> batches = JournalBytes.batches(root, 0);
        JournalBytes.Place third = batches.get(2);
        JournalBytes.write(
                third.file(), third.offset() - 4, new byte[(int) (batches.get(3).end() - third.offset() + 4)]);
        try (TestJournal journal = TestJournal.open(root)) {
            assertThat(journal.nextSequence(0)).isEqualTo(20);
            journal.appendNumbered(0, 2, 1);
        }
        assertThat(JournalBytes.files(root, 0)).hasSize(1);
        assertThat(readAll(root, 0))
                .startsWith(numbered(0, 0, 10).toArray(new String[0]))
                .endsWith("20=0:20", "21=0:21")
                .hasSize(12);
        assertThat(problems(root))
                .singleElement()
                .satisfies(problem -> assertThat(problem.what()).contains("10 datagrams are missing"));
    }

    /** Chronicle would use the header, and overwrite batches or append at a wrong position. */
    @Test
    void damagedHeaderIsCorrectedAndNothingIsOverwritten() throws IOException {
        for (int what = 0; what < 9; what++) {
            Path data = root.resolve("header-" + what);
            Files.createDirectories(data);
            try (TestJournal journal = TestJournal.open(data)) {
                journal.appendNumbered(0, 5, 50);
            }
            JournalBytes.Place batch = JournalBytes.batches(data, 0).get(2);
            damageHeader(batch, what);
            assertTimeoutPreemptively(NO_WAIT, () -> {
                try (TestJournal journal = TestJournal.open(data)) {
                    assertThat(journal.nextSequence(0)).isEqualTo(250);
                    journal.appendNumbered(0, 300, 1);
                }
            });
            assertThat(readAll(data, 0)).as("case %d", what).isEqualTo(numbered(0, 0, 550));
            assertThat(JournalBytes.files(data, 0)).hasSize(1);
            if (what < 8) {
                assertThat(problems(data)).as("case %d", what).isEmpty();
            }
        }
    }

    private static void damageHeader(JournalBytes.Place batch, int what) throws IOException {
        Path file = batch.file();
        long end = ChronicleIndex.WRITE_POSITION;
        switch (what) {
            case 0 -> JournalBytes.write(file, end, number(batch.offset() + 100));
            case 1 -> JournalBytes.write(file, end, number(1L << 50));
            case 2 -> JournalBytes.write(file, end, number(batch.offset() - 4));
            case 3 -> JournalBytes.write(file, end, number(0));
            case 4 -> JournalBytes.write(file, end, number(Long.MIN_VALUE));
            case 5 -> JournalBytes.write(file, ChronicleIndex.SEQUENCE, number(12345));
            case 6 -> JournalBytes.flip(file, 10, 3);
            case 7 -> JournalBytes.write(file, 1, new byte[ChronicleIndex.HEADER_BYTES - 1]);
            // The index of indexes, which no reader needs.
            default -> JournalBytes.write(file, ChronicleIndex.HEADER_BYTES + 4, new byte[100]);
        }
    }

    private static byte[] number(long value) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
    }

    /** Readers stop at the hole. A repair recovers the batches after it, so they must not be overwritten. */
    @Test
    void batchesAfterAHoleAreKeptAndTheJournalContinuesInANewFile() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 5, 2);
        }
        JournalBytes.Place second = JournalBytes.batches(root, 0).get(1);
        JournalBytes.write(second.file(), second.offset() - 4, new byte[4]);
        JournalBytes.write(second.file(), ChronicleIndex.WRITE_POSITION, number(second.offset() - 4));
        Files.delete(JournalPaths.countersFile(root));
        for (int start = 0; start < 2; start++) {
            try (TestJournal journal = TestJournal.open(root)) {
                assertThat(journal.nextSequence(0)).isEqualTo(10 + start);
                journal.appendNumbered(0, 1, 1);
            }
            assertThat(JournalBytes.files(root, 0)).hasSize(2);
        }
        assertThat(readAll(root, 0)).containsExactly("0=0:0", "1=0:1", "10=0:10", "11=0:11");
        new JournalRepair(root, new long[0], (bytes, total) -> {}).run();
        assertThat(readAll(root, 0)).isEqualTo(numbered(0, 0, 12));
    }

    @Test
    void tailRecoveryDoesNotChangeAnIntactJournal() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1000)) {
            journal.appendNumbered(0, 20, 10);
        }
        long journalId = MetaFile.load(root).journalId();
        for (Path file : JournalBytes.files(root, 0)) {
            byte[] before = Files.readAllBytes(file);
            assertThat(TailRecovery.check(JournalPaths.shardPath(root, 0), journalId, 200))
                    .isZero();
            assertThat(Files.readAllBytes(file)).isEqualTo(before);
        }
    }
}
