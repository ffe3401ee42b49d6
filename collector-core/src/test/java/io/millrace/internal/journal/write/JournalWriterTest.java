package io.millrace.internal.journal.write;

import static io.millrace.internal.journal.JournalChecks.cleanSummary;
import static io.millrace.internal.journal.JournalChecks.numbered;
import static io.millrace.internal.journal.JournalChecks.readAll;
import static io.millrace.internal.journal.JournalChecks.readOn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.millrace.collector.Counter;
import io.millrace.internal.journal.JournalBytes;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.journal.read.ShardReader;
import io.millrace.internal.record.TestDatagram;
import io.millrace.journal.DatagramView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalWriterTest {
    @TempDir
    Path root;

    @Test
    void batchesAreReadBackAsTheyWereAppended() throws IOException {
        TestDatagram[] datagrams = {
            TestDatagram.of("one"), TestDatagram.of("").input(7), TestDatagram.of(new byte[TestDatagram.MAX_PAYLOAD])
        };
        try (TestJournal journal = TestJournal.open(root)) {
            journal.append(0, datagrams);
            assertThat(journal.writer(0).isDrained()).isTrue();
            assertThat(journal.writer(0).problem()).isNull();
            assertThat(journal.writer(0).doWork()).isZero();
            assertThat(journal.writer(0).roleName()).isEqualTo("journal-0");
            assertThat(journal.counters(0).get(Counter.JOURNALED_DATAGRAMS)).isEqualTo(3);
            assertThat(journal.counters(0).get(Counter.JOURNALED_BATCHES)).isEqualTo(1);
            assertThat(journal.nextSequence(0)).isEqualTo(3);

            try (ShardReader reader = new ShardReader(root, 0)) {
                assertThat(reader.next()).isEqualTo(ShardReader.Found.BATCH);
                assertThat(reader.batch().journalId())
                        .isEqualTo(journal.directory().meta().journalId());
                assertThat(journal.counters(0).get(Counter.JOURNALED_BYTES))
                        .isEqualTo(reader.batch().length());
                DatagramView view = new DatagramView();
                reader.batch().first(view);
                for (TestDatagram datagram : datagrams) {
                    datagram.assertIs(view);
                    view.next();
                }
                assertThat(reader.next()).isEqualTo(ShardReader.Found.NOTHING);
            }
        }
    }

    /** Its own tools can read a journal: each batch is an excerpt. */
    @Test
    void chronicleReadsEachBatch() throws IOException {
        for (int run = 0; run < 3; run++) {
            try (TestJournal journal = TestJournal.openRolling(root, 100_000)) {
                journal.appendNumbered(0, 20, 7);
                journal.append(0, TestDatagram.of(new byte[TestDatagram.MAX_PAYLOAD]));
            }
        }
        List<byte[]> batches = new ArrayList<>();
        try (ShardReader reader = new ShardReader(root, 0)) {
            while (reader.next() == ShardReader.Found.BATCH) {
                ByteBuffer copy = ByteBuffer.allocate(reader.batch().length());
                reader.batch().copyTo(copy);
                batches.add(copy.array());
            }
        }
        List<byte[]> excerpts = new ArrayList<>();
        try (ChronicleQueue queue = SingleChronicleQueueBuilder.single(
                                JournalPaths.shardPath(root, 0).toFile())
                        .readOnly(true)
                        .build();
                ExcerptTailer tailer = queue.createTailer()) {
            Bytes<byte[]> bytes = Bytes.allocateElasticOnHeap();
            while (tailer.readBytes(bytes.clear())) {
                excerpts.add(bytes.toByteArray());
            }
        }
        assertThat(JournalPaths.files(JournalPaths.shardPath(root, 0))).hasSizeGreaterThan(1);
        assertThat(excerpts).hasSize(batches.size()).hasSizeGreaterThan(60);
        for (int i = 0; i < batches.size(); i++) {
            assertThat(excerpts.get(i)).as("batch " + i).isEqualTo(batches.get(i));
        }
    }

    @Test
    void oneCallAppendsAllWaitingSlabs() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            for (int batch = 0; batch < 4; batch++) {
                journal.submit(0, TestJournal.numbered(0, 2L * batch, 2));
            }
            assertThat(journal.writer(0).isDrained()).isFalse();
            assertThat(journal.writer(0).doWork()).isEqualTo(4);
            assertThat(journal.writer(0).isDrained()).isTrue();
        }
        assertThat(readAll(root, 0)).isEqualTo(numbered(0, 0, 8));
    }

    @Test
    void sequenceNumbersContinueWithoutGapAfterAReopen() throws IOException {
        for (int run = 0; run < 4; run++) {
            try (TestJournal journal = TestJournal.open(root)) {
                assertThat(journal.nextSequence(0)).isEqualTo(6L * run);
                journal.appendNumbered(0, 2, 3);
            }
        }
        assertThat(readAll(root, 0)).isEqualTo(numbered(0, 0, 24));
        assertThat(cleanSummary(root).datagrams()).isEqualTo(24);
        assertThat(JournalBytes.files(root, 0)).hasSize(1);
    }

    @Test
    void openAndCloseWithoutDatagramsLeavesAnEmptyJournal() throws IOException {
        TestJournal.open(root).close();
        assertThat(readAll(root, 0)).isEmpty();
        assertThat(cleanSummary(root).datagrams()).isZero();
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 1, 1);
        }
        assertThat(readAll(root, 0)).isEqualTo(numbered(0, 0, 1));
    }

    @Test
    void filesRollBySizeAndReadersCrossThem() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 64 * 1024);
                ShardReader live = new ShardReader(root, 0)) {
            TestDatagram[] big = new TestDatagram[5];
            Arrays.fill(big, TestDatagram.of(new byte[5000]));
            journal.appendNumbered(0, 1, 1);
            assertThat(readOn(live)).isEqualTo(numbered(0, 0, 1));
            for (int batch = 0; batch < 10; batch++) {
                journal.append(0, big);
                // A reader that was open before a roll sees each batch at once: before, at and after the roll.
                assertThat(readOn(live)).hasSize(5);
            }
            journal.appendNumbered(0, 1, 2);
            assertThat(readOn(live)).isEqualTo(numbered(0, 51, 53));
            assertThat(JournalBytes.files(root, 0)).hasSize(5);
            for (Path file : JournalBytes.files(root, 0)) {
                assertThat(JournalBytes.batches(root, 0).stream()
                                .filter(batch -> batch.file().equals(file))
                                .mapToLong(JournalBytes.Place::length)
                                .sum())
                        .isBetween(1L, 64 * 1024L);
            }
            journal.writer(0).sync();
        }
        assertThat(readAll(root, 0)).hasSize(53);
        assertThat(cleanSummary(root).shards().get(0).files()).isEqualTo(5);
    }

    @Test
    void readerAtTheEndBeforeARollSeesOnlyLaterBatches() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1);
                ShardReader reader = new ShardReader(root, 0)) {
            journal.appendNumbered(0, 3, 1);
            reader.toEnd();
            assertThat(readOn(reader)).isEmpty();
            journal.appendNumbered(0, 3, 1);
            assertThat(readOn(reader)).isEqualTo(numbered(0, 3, 6));
            assertThat(JournalBytes.files(root, 0)).hasSize(6);
        }
    }

    @Test
    void numbersAndFilesContinueAfterARolledJournalIsReopened() throws IOException {
        for (int run = 0; run < 3; run++) {
            try (TestJournal journal = TestJournal.openRolling(root, 1)) {
                journal.appendNumbered(0, 2, 2);
            }
        }
        assertThat(readAll(root, 0)).isEqualTo(numbered(0, 0, 12));
        assertThat(JournalBytes.files(root, 0)).hasSize(6).isSorted();
        assertThat(cleanSummary(root).datagrams()).isEqualTo(12);
    }

    @Test
    void readerWaitsForAShardThatDoesNotExistYet() throws IOException {
        try (ShardReader reader = new ShardReader(root, 0)) {
            reader.toEnd();
            reader.seekFile(5);
            assertThat(reader.next()).isEqualTo(ShardReader.Found.NOTHING);
            try (TestJournal journal = TestJournal.open(root)) {
                assertThat(reader.next()).isEqualTo(ShardReader.Found.NOTHING);
                journal.appendNumbered(0, 2, 2);
                assertThat(readOn(reader)).isEqualTo(numbered(0, 0, 4));
            }
        }
    }

    @Test
    void failedBatchIsKeptAndCountedAsAnError() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 1, 1);
            journal.writer(0).close(); // Simulates a disk failure.
            journal.submit(0, TestJournal.numbered(0, 1, 3));
            assertThat(journal.writer(0).doWork()).isZero();
            assertThat(journal.writer(0).isDrained()).isFalse();
            assertThat(journal.writer(0).problem()).contains("shard 0").contains("cannot append to the journal");
            assertThat(journal.counters(0).get(Counter.JOURNAL_ERRORS)).isEqualTo(1);
            assertThat(journal.counters(0).get(Counter.JOURNALED_DATAGRAMS)).isEqualTo(1);
            // The append is retried, and the batch is still not lost.
            await().until(() ->
                    journal.writer(0).doWork() == 0 && journal.counters(0).get(Counter.JOURNAL_ERRORS) == 2);
            assertThat(journal.writer(0).isDrained()).isFalse();
            long startNs = System.nanoTime();
            // A sleep may end early.
            for (int i = 0; i < 3; i++) {
                assertTimeoutPreemptively(
                        Duration.ofSeconds(10), () -> journal.writer(0).idle(0));
            }
            assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isGreaterThan(Duration.ofMillis(50));
        }
    }

    @Test
    void writerAndReaderCanBeClosedTwice() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 1, 1);
            ShardReader reader = new ShardReader(root, 0);
            assertThat(reader.next()).isEqualTo(ShardReader.Found.BATCH);
            reader.close();
            reader.close();
            journal.writer(0).close();
        }
    }
}
