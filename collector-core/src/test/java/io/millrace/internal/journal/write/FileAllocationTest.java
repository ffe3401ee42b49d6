package io.millrace.internal.journal.write;

import static io.millrace.internal.journal.JournalChecks.cleanSummary;
import static io.millrace.internal.journal.JournalChecks.numbered;
import static io.millrace.internal.journal.JournalChecks.readAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.millrace.internal.journal.JournalBytes;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.journal.file.DiskReserve;
import io.millrace.internal.journal.file.FileAllocation;
import io.millrace.internal.linux.LibC;
import io.millrace.internal.record.TestDatagram;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Disk blocks are allocated before Chronicle maps them. */
class FileAllocationTest {
    private static final long BLOCK = 1 << 20;
    private static final Pattern WORDS = Pattern.compile(" +");

    @TempDir
    Path root;

    private FileAllocation allocation(Path directory) throws IOException {
        return new FileAllocation(directory, BLOCK, new DiskReserve(root), FileAllocation.Method.RESERVE);
    }

    /** The allocated bytes of a file. */
    private static long allocated(Path file) throws IOException {
        Process stat = new ProcessBuilder("stat", "-c", "%b %B", file.toString()).start();
        List<String> words = List.of(
                WORDS.split(new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip(), -1));
        Assumptions.assumeTrue(words.size() == 2, "stat does not tell blocks here");
        return Long.parseLong(words.get(0)) * Long.parseLong(words.get(1));
    }

    private static void assertFullyAllocated(Path file) throws IOException {
        assertThat(allocated(file)).isGreaterThanOrEqualTo(Files.size(file));
    }

    @Test
    void journalFilesAreFullyAllocatedAndChronicleNeverExtendsThem() throws IOException {
        TestDatagram[] big = new TestDatagram[2];
        Arrays.fill(big, TestDatagram.of(new byte[50_000]));
        try (TestJournal journal = TestJournal.openRolling(root, 9 << 20)) {
            for (int batch = 0; batch < 300; batch++) {
                journal.append(0, big);
                if (batch % 7 == 0) {
                    journal.writer(0).allocateAhead();
                }
            }
            assertThat(JournalBytes.files(root, 0)).hasSize(4);
            for (Path file : JournalBytes.files(root, 0)) {
                assertFullyAllocated(file);
                long over = Files.size(file) % TestJournal.BLOCK_BYTES;
                assertThat(over)
                        .describedAs("made longer here, not by Chronicle")
                        .isEqualTo(FileAllocation.lengthFor(0, TestJournal.BLOCK_BYTES) - TestJournal.BLOCK_BYTES);
            }
            assertFullyAllocated(JournalPaths.shardPath(root, 0).resolve("metadata.cq4t"));
        }
        assertThat(cleanSummary(root).datagrams()).isEqualTo(600);
        assertThat(JournalPaths.shardPath(root, 0).resolve("next.spare")).doesNotExist();
    }

    @Test
    void blocksReadAsZerosAndDataStays() throws IOException {
        Path file = Files.write(root.resolve("file"), new byte[] {1, 2, 3});
        Assumptions.assumeTrue(LibC.allocate(file, 3, 1_000_000), "no fallocate on this file system");
        assertFullyAllocated(file);
        byte[] expected = new byte[1_000_003];
        System.arraycopy(new byte[] {1, 2, 3}, 0, expected, 0, 3);
        assertThat(Files.readAllBytes(file)).isEqualTo(expected);
    }

    @Test
    void moreThanTheDiskHasIsAnOrdinaryError() throws IOException {
        Path file = Files.createFile(root.resolve("file"));
        assertThatIOException()
                .isThrownBy(() -> LibC.allocate(file, 0, Long.MAX_VALUE))
                .withMessageContaining(file.toString());
    }

    @Test
    void holesOfACopyAreAllocatedAndNothingElseChanges() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 20, 50);
        }
        Path file = JournalBytes.files(root, 0).get(0);
        byte[] before = Files.readAllBytes(file);
        Path copy = root.resolve("copy");
        assertThat(new ProcessBuilder("cp", "--sparse=always", file.toString(), copy.toString())
                        .start()
                        .onExit()
                        .join()
                        .exitValue())
                .isZero();
        Assumptions.assumeTrue(allocated(copy) < Files.size(copy), "no holes on this file system");
        Files.move(copy, file, StandardCopyOption.REPLACE_EXISTING);
        try (TestJournal journal = TestJournal.open(root)) {
            assertFullyAllocated(file);
            assertThat(Files.readAllBytes(file)).isEqualTo(before);
            journal.appendNumbered(0, 1, 1);
        }
        assertThat(readAll(root, 0)).isEqualTo(numbered(0, 0, 1001));
    }

    /** Not even if another thread extends the file at the same time. */
    @ParameterizedTest
    @EnumSource
    void allocationNeverOverwritesData(FileAllocation.Method method) throws Exception {
        Path directory = Files.createDirectory(root.resolve("shard"));
        FileAllocation allocation = new FileAllocation(directory, BLOCK, new DiskReserve(root), method);
        Path file = directory.resolve("a.cq4");
        allocation.begin(file);
        AtomicBoolean stop = new AtomicBoolean();
        Thread other = new Thread(() -> {
            while (!stop.get()) {
                try {
                    allocation.allocateAhead();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        });
        other.start();
        Random random = new Random(7);
        byte[] data = new byte[100_000];
        random.nextBytes(data);
        long end = 0;
        try (RandomAccessFile writer = new RandomAccessFile(file.toFile(), "rw")) {
            for (int i = 0; i < 300; i++) {
                if (i % 3 == 0) {
                    // Extend the file as Chronicle would.
                    long longer = FileAllocation.lengthFor(end + data.length, BLOCK);
                    if (writer.length() < longer) {
                        writer.setLength(longer);
                    }
                } else if (!allocation.covers(end + data.length)) {
                    allocation.extend(end + data.length);
                }
                writer.seek(end);
                writer.write(data);
                end += data.length;
                allocation.appended(end, i % 10 == 0);
            }
        } finally {
            stop.set(true);
            other.join();
        }
        byte[] all = Files.readAllBytes(file);
        for (int i = 0; i < 300; i++) {
            assertThat(Arrays.equals(all, i * data.length, (i + 1) * data.length, data, 0, data.length))
                    .isTrue();
        }
    }

    @Test
    void existingFileIsNeverReplaced() throws IOException {
        Path directory = Files.createDirectory(root.resolve("shard"));
        Path file = Files.write(directory.resolve("a.cq4"), new byte[] {1});
        assertThatIOException()
                .isThrownBy(() -> allocation(directory).begin(file))
                .withMessageContaining("exists already");
        assertThat(Files.readAllBytes(file)).containsExactly(1);
    }

    @Test
    void nextFileIsCreatedIfACrashPreventedIt() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            journal.appendNumbered(0, 2, 1);
        }
        Files.delete(JournalBytes.files(root, 0).get(1));
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            journal.appendNumbered(0, 2, 1);
        }
        assertThat(readAll(root, 0)).containsExactly("0=0:0", "2=0:2", "3=0:3");
    }
}
