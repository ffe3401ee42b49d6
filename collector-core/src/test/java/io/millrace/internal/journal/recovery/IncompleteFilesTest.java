package io.millrace.internal.journal.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.SyncSettings;
import io.millrace.collector.WriterSettings;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.journal.DataDirectory;
import io.millrace.internal.journal.JournalBytes;
import io.millrace.internal.journal.JournalChecks;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.journal.file.ChronicleFiles;
import io.millrace.internal.journal.write.JournalWriter;
import io.millrace.internal.ring.Slab;
import io.millrace.internal.ring.SlabRing;
import io.millrace.transport.StagedDatagram;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that was killed while it created files must not prevent or delay the next start. */
@Timeout(9) // Chronicle would wait ten seconds for the writer of an incomplete header.
class IncompleteFilesTest {
    private static final int NOT_COMPLETE_META_DATA = 0xc0000000;

    @TempDir
    private Path directory;

    /** Opens a journal, because the first one in a JVM takes long, which must not count as a wait. */
    @BeforeAll
    @Timeout(60)
    static void warmUp(@TempDir Path other) throws IOException {
        var unused = appendOne(other, 0);
    }

    @Test
    void incompleteMetadataIsCreatedAgain() throws IOException {
        Path shard = Files.createDirectories(JournalPaths.shardPath(directory, 0));
        for (int length : new int[] {0, 4, 4096}) {
            Files.write(shard.resolve("metadata.cq4t"), new byte[length]);
            assertThat(appendOne(0)).isPositive();
            deleteAll(shard);
        }
    }

    @Test
    void firstFileWithoutAHeaderIsCreatedAgain() throws IOException {
        assertThat(appendOne(0)).isPositive();
        Path shard = JournalPaths.shardPath(directory, 0);
        Path file = JournalPaths.files(shard).get(0);
        for (int header : new int[] {0, NOT_COMPLETE_META_DATA}) {
            ByteBuffer bytes =
                    ByteBuffer.allocate(8192).order(ByteOrder.LITTLE_ENDIAN).putInt(0, header);
            Files.write(file, bytes.array());
            // One datagram was counted before: the numbering continues, and the datagram is missing.
            appendOne(0);
            assertThat(problems()).singleElement().asString().contains("datagrams are missing before this batch");
        }
    }

    @Test
    void rolledFileWithoutAHeaderDoesNotAffectEarlierFiles() throws IOException {
        assertThat(appendOne(0)).isPositive();
        Path shard = JournalPaths.shardPath(directory, 0);
        Files.write(shard.resolve("19700103F.cq4"), new byte[4096]);
        appendOne(0);
        assertThat(scan().datagrams()).isEqualTo(2);
        assertThat(scan().shards().get(0).nextSequence()).isEqualTo(2);
    }

    /** Chronicle opens this file too. Fuzzing found that the start then waited. */
    @Test
    void incompleteHeaderOfTheFileBeforeTheLastIsCorrected() throws IOException {
        for (int header : new int[] {0, NOT_COMPLETE_META_DATA}) {
            Path data = Files.createDirectory(directory.resolve("header-" + header));
            try (TestJournal journal = TestJournal.openRolling(data, 1)) {
                journal.appendNumbered(0, 3, 1);
            }
            ByteBuffer word = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            JournalBytes.write(
                    JournalBytes.files(data, 0).get(1), 0, word.putInt(header).array());
            try (TestJournal journal = TestJournal.openRolling(data, 1)) {
                journal.appendNumbered(0, 1, 1);
            }
            assertThat(JournalChecks.readAll(data, 0)).containsExactly("0=0:0", "1=0:1", "2=0:2", "3=0:3");
        }
    }

    /** A kill or a power failure after the end mark of a file and before the next file. */
    @Test
    void appendContinuesAfterAnEndMarkWithoutANextFile() throws IOException {
        assertThat(appendOne(0)).isPositive();
        Path shard = JournalPaths.shardPath(directory, 0);
        ChronicleFiles.markEnd(JournalPaths.files(shard).get(0));
        appendOne(0);
        appendOne(0);
        assertThat(JournalPaths.files(shard)).hasSize(2);
        assertThat(scan().datagrams()).isEqualTo(3);
        assertThat(JournalChecks.readAll(directory, 0)).hasSize(3);
    }

    @Test
    void incompleteCountersAreCreatedAgain() throws IOException {
        for (int length : new int[] {0, 100, 4096, 12_288}) {
            Path file = directory.resolve("counters");
            Files.write(file, new byte[length]);
            assertThat(CounterFile.open(file, 7, 2).shardCount()).isEqualTo(2);
        }
    }

    private List<JournalScanner.Problem> problems() throws IOException {
        List<JournalScanner.Problem> problems = new ArrayList<>();
        new JournalScanner(directory, problems::add, (done, total) -> {}).scan();
        return problems;
    }

    private JournalSummary scan() throws IOException {
        return new JournalScanner(
                        directory,
                        problem -> {
                            throw new AssertionError(problem);
                        },
                        (done, total) -> {})
                .scan();
    }

    /** Starts a writer, appends one datagram, and closes it; returns the number of appended bytes. */
    private long appendOne(int shard) throws IOException {
        return appendOne(directory, shard);
    }

    private static long appendOne(Path directory, int shard) throws IOException {
        try (DataDirectory data = DataDirectory.open(directory)) {
            var unused = data.register(List.of("it"), 1);
            data.saveMeta();
            ShardCells counters = CounterFile.open(
                            data.countersFile(), data.meta().journalId(), 1)
                    .shard(shard);
            SlabRing ring = new SlabRing(4, 128 << 10);
            long startNs = System.nanoTime();
            try (JournalWriter writer = JournalWriter.open(
                    data, shard, ring, counters, new WriterSettings(1 << 20, 4 << 20, null, SyncSettings.PAGE_CACHE))) {
                assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(Duration.ofSeconds(9));
                StagedDatagram datagram = new StagedDatagram(100);
                datagram.source(new byte[] {10, 0, 0, 1}, 0, 514);
                datagram.received(50);
                Slab slab = ring.takeFree();
                slab.batch().append(datagram, 0);
                long bytes = slab.batch().length();
                ring.submit(slab);
                assertThat(writer.doWork()).isEqualTo(1);
                return bytes;
            }
        }
    }

    private static void deleteAll(Path shard) throws IOException {
        try (var files = Files.list(shard)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.deleteIfExists(shard.getParent().resolveSibling("counters"));
    }
}
