package io.millrace.internal.journal.read;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.record.TestDatagram;
import io.millrace.journal.CursorBuilder;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reader of a time range reads only the files that may have datagrams of it. */
class FileTimesTest {
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);
    private static final long SECOND = 1_000_000_000L;
    private static final long START = TestDatagram.TIME_NS;

    @TempDir
    Path root;

    /** Appends a file for each hour. */
    private void write(int fromHour, int toHour) throws IOException {
        try (TestJournal journal = TestJournal.openSmall(root, 1, 1)) {
            for (int hour = fromHour; hour < toHour; hour++) {
                journal.append(
                        0,
                        TestDatagram.of("early " + hour).at(START + hour * HOUR),
                        TestDatagram.of("late " + hour).at(START + hour * HOUR + SECOND));
            }
        }
    }

    private List<Path> files() throws IOException {
        return JournalPaths.files(JournalPaths.shardPath(root, 0));
    }

    private Path times() {
        return JournalPaths.shardPath(root, 0).resolve("times");
    }

    /** Overwrites a file with zeros, so that reading it is an error. */
    private void damage(int file) throws IOException {
        Path path = files().get(file);
        Files.write(path, new byte[(int) Files.size(path)]);
    }

    private List<String> read(CursorBuilder builder) throws IOException {
        List<String> found = new ArrayList<>();
        try (JournalCursor cursor = builder.onGap((shard, first, count) -> found.add("gap " + first + " " + count))
                .open()) {
            while (cursor.poll((datagram, position) -> found.add(datagram.payloadText())) > 0) {
                // Read everything.
            }
        }
        return found;
    }

    private CursorBuilder range(int fromHour, int toHour) throws IOException {
        return Journal.open(root)
                .cursor()
                .fromTime(Instant.EPOCH.plusNanos(START + fromHour * HOUR))
                .toTime(Instant.EPOCH.plusNanos(START + toHour * HOUR));
    }

    @Test
    void otherFilesAreNotRead() throws IOException {
        write(0, 8);
        assertThat(files()).hasSize(8);
        assertThat(Files.readAllLines(times()))
                .hasSize(7)
                .first()
                .asString()
                .endsWith(" " + START + " " + (START + SECOND));
        for (int file : new int[] {0, 1, 2, 5, 6}) {
            damage(file);
        }
        assertThat(read(range(3, 5))).containsExactly("early 3", "late 3", "early 4", "late 4");
        assertThat(read(range(3, 5).byTime(false))).containsExactly("early 3", "late 3", "early 4", "late 4");
        assertThat(Journal.open(root).sequencesAt(Instant.EPOCH.plusNanos(START + 4 * HOUR)))
                .containsExactly(8);
    }

    @Test
    void fileInWhichARestartFellIsRead() throws IOException {
        write(0, 3);
        write(3, 6);
        String restarted = files().get(2).getFileName() + " ";
        assertThat(Files.readAllLines(times())).hasSize(4).noneMatch(line -> line.startsWith(restarted));
        assertThat(read(range(2, 4))).containsExactly("early 2", "late 2", "early 3", "late 3");
    }

    @Test
    void incompleteAndWrongLinesAreIgnored() throws IOException {
        write(0, 4);
        List<Path> files = files();
        Files.writeString(
                times(),
                files.get(0).getFileName() + " 1 2\n" + files.get(1).getFileName() + " x 1 2\n\n../etc 1 1 2\n"
                        + files.get(2).getFileName() + " " + (Files.size(files.get(2)) - 1) + " 0 1\n"
                        + files.get(3).getFileName() + " " + Files.size(files.get(3)) + " 0 1",
                US_ASCII);
        assertThat(read(range(0, 4))).hasSize(8);
        write(4, 5);
        assertThat(read(range(0, 5))).hasSize(10);
        Files.deleteIfExists(times());
        assertThat(read(range(3, 4))).containsExactly("early 3", "late 3");
    }

    /** After a loss of power; the name was an exception, and the collector did not start. */
    @Test
    void zerosInsteadOfALineAreIgnored() throws IOException {
        write(0, 2);
        byte[] line = Files.readAllBytes(times());
        Arrays.fill(line, 0, 3, (byte) 0);
        Files.write(times(), line);
        write(2, 4);
        assertThat(read(range(0, 4))).hasSize(8);
    }

    @Test
    void deletedFilesAreForgotten() throws IOException {
        write(0, 4);
        Files.delete(files().get(0));
        write(4, 5);
        assertThat(Files.readAllLines(times())).hasSize(2);
        assertThat(read(range(0, 9))).first().isEqualTo("early 1");
    }
}
