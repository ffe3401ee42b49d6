package io.millrace.internal.journal.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.Counter;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.journal.DataDirectory;
import io.millrace.internal.journal.JournalBytes;
import io.millrace.internal.journal.JournalChecks;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.TestJournal;
import io.millrace.journal.GapReason;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A journal file that was truncated to zero while no service ran is kept in quarantine, and its datagrams are reported
 * as missing.
 */
class EmptyFilesTest {
    @TempDir
    private Path root;

    @Test
    void onlyFileTruncatedToZeroIsKeptAndItsDatagramsAreMissing() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 5, 10);
        }
        truncate(0, 0);
        for (int start = 0; start < 2; start++) {
            appendOne();
            assertThat(missing()).containsExactly("0 to 49: null");
            assertThat(kept()).hasSize(1);
        }
        new JournalRepair(root, new long[0], (bytes, total) -> {}).run();
        assertThat(problems()).isEmpty();
        assertThat(missing()).containsExactly("0 to 49: " + GapReason.LOST);
        assertThat(JournalChecks.readAll(root, 0)).containsExactly("50=0:50", "51=0:51");
    }

    @Test
    void oldestFileTruncatedToZeroIsKeptAndItsDatagramsAreMissing() throws IOException {
        writeFourFiles();
        truncate(0, 0);
        appendOne();
        assertThat(missing()).containsExactly("0 to 0: null");
        assertThat(kept()).hasSize(1);
    }

    @Test
    void middleFileTruncatedToZeroIsKeptAndItsDatagramsAreMissing() throws IOException {
        writeFourFiles();
        truncate(1, 0);
        appendOne();
        assertThat(missing()).containsExactly("1 to 1: null");
        assertThat(kept()).hasSize(1);
    }

    @Test
    void newestFileTruncatedToZeroIsKeptAndItsDatagramsAreMissing() throws IOException {
        writeFourFiles();
        truncate(3, 0);
        appendOne();
        assertThat(missing()).containsExactly("3 to 3: null");
        assertThat(kept()).hasSize(1);
    }

    @Test
    void fileTruncatedToItsHeaderIsKept() throws IOException {
        writeFourFiles();
        truncate(3, 512);
        appendOne();
        assertThat(missing()).containsExactly("3 to 3: null");
        assertThat(kept()).hasSize(1);
    }

    @Test
    void truncatedFileOfAnUnusedShardIsKept() throws IOException {
        try (TestJournal journal = TestJournal.open(root, 2)) {
            journal.appendNumbered(1, 5, 10);
        }
        Path file = JournalBytes.files(root, 1).get(0);
        setLength(file, 0);
        try (DataDirectory directory = DataDirectory.open(root)) {
            var counters =
                    CounterFile.open(directory.countersFile(), directory.meta().journalId(), 2);
            CrashAccounting.accountUnused(directory, 1, counters.shard(1));
        }
        assertThat(file.resolveSibling(""))
                .isDirectoryContaining(
                        kept -> kept.getFileName().toString().startsWith(file.getFileName() + ".damaged-"));
        assertThat(missing()).containsExactly("0 to 49: null");
    }

    @Test
    void newFileOfAKilledProcessIsDeletedAndNothingIsMissing() throws IOException {
        writeFourFiles();
        Files.write(JournalPaths.shardPath(root, 0).resolve("19700106F.cq4"), new byte[64 << 10]);
        appendOne();
        assertThat(problems()).isEmpty();
        assertThat(kept()).isEmpty();
    }

    @Test
    void datagramsDeletedByRetentionAreNotMissing() throws IOException {
        writeFourFiles();
        Files.delete(JournalBytes.files(root, 0).get(0));
        assertThat(missing()).containsExactly("0 to 0: null");
        try (TestJournal journal = TestJournal.open(root)) {
            journal.counters(0).set(Counter.EXPIRED_DATAGRAMS, 1);
        }
        assertThat(problems()).isEmpty();
    }

    @Test
    void newCountersStartAtTheBeginningOfTheJournal() throws IOException {
        writeFourFiles();
        Files.delete(JournalBytes.files(root, 0).get(0));
        Files.delete(JournalPaths.countersFile(root));
        appendOne();
        assertThat(problems()).isEmpty();
    }

    private void writeFourFiles() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            journal.appendNumbered(0, 4, 1);
        }
    }

    private void appendOne() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            journal.appendNumbered(0, 1, 1);
        }
    }

    private void truncate(int file, long length) throws IOException {
        setLength(JournalBytes.files(root, 0).get(file), length);
    }

    private static void setLength(Path file, long length) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.setLength(length);
        }
    }

    private List<Path> kept() throws IOException {
        try (var files = Files.list(JournalPaths.shardPath(root, 0))) {
            return files.filter(file -> file.toString().contains(".cq4.damaged-"))
                    .toList();
        }
    }

    private List<JournalScanner.Problem> problems() throws IOException {
        List<JournalScanner.Problem> problems = new ArrayList<>();
        new JournalScanner(root, problems::add, (bytes, total) -> {}).scan();
        return problems;
    }

    private List<String> missing() throws IOException {
        return new JournalScanner(root, problem -> {}, (bytes, total) -> {})
                .scan().gaps().stream()
                        .map(gap -> gap.firstSequence() + " to " + (gap.nextSequence() - 1) + ": " + gap.reason())
                        .toList();
    }
}
