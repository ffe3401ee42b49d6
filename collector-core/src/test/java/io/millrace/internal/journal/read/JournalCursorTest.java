package io.millrace.internal.journal.read;

import static io.millrace.internal.journal.read.Reading.joined;
import static io.millrace.internal.journal.read.Reading.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.internal.journal.DataDirectory;
import io.millrace.internal.journal.JournalBytes;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.record.TestDatagram;
import io.millrace.journal.CursorBuilder;
import io.millrace.journal.CursorPosition;
import io.millrace.journal.DatagramView;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor;
import io.millrace.journal.JournalCursor.DatagramHandler;
import io.millrace.journal.Position;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalCursorTest {
    @TempDir
    Path root;

    private final Reading reading = new Reading();

    private CursorBuilder cursor() throws IOException {
        return Journal.open(root).cursor().onGap(reading);
    }

    @Test
    void readsFromTheBeginningAndThenAppendedDatagrams() throws IOException {
        try (TestJournal journal = TestJournal.open(root);
                JournalCursor cursor = cursor().open()) {
            assertThat(reading.poll(cursor, 10)).isZero();
            journal.appendNumbered(0, 3, 4);
            assertThat(reading.all(cursor).found).isEqualTo(numbered(0, 0, 12));
            journal.appendNumbered(0, 1, 1);
            assertThat(reading.all(cursor).found).isEqualTo(numbered(0, 0, 13));
            assertThat(cursor.damagedBatches()).isZero();
        }
    }

    @Test
    void readsFromTheEndOnlyLaterDatagrams() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 3, 4);
            try (JournalCursor cursor = cursor().fromEnd().open()) {
                assertThat(reading.poll(cursor, 10)).isZero();
                journal.appendNumbered(0, 2, 4);
                assertThat(reading.all(cursor).found).isEqualTo(numbered(0, 12, 20));
            }
        }
    }

    @Test
    void handlerEndsThePoll() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 2, 10);
        }
        for (boolean byTime : new boolean[] {false, true}) {
            List<String> found = new ArrayList<>();
            DatagramHandler threeEach = new DatagramHandler() {
                @Override
                public void onDatagram(DatagramView datagram, CursorPosition position) {
                    found.add(datagram.payloadText());
                }

                @Override
                public boolean wantsMore() {
                    return found.size() % 3 != 0;
                }
            };
            CursorBuilder builder = Journal.open(root).cursor();
            try (JournalCursor cursor = (byTime ? builder.byTime(false) : builder).open()) {
                assertThat(cursor.poll(threeEach)).isEqualTo(3);
                assertThat(cursor.poll(threeEach)).isEqualTo(3);
                while (cursor.poll(threeEach) > 0) {
                    // All of it.
                }
            }
            assertThat(found).hasSize(20).startsWith("0:0", "0:1").endsWith("0:18", "0:19");
        }
    }

    @Test
    void truncatedFileIsReportedWithPositionAndLength() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 20_000)) {
            journal.appendNumbered(0, 200, 40);
        }
        Path file = JournalBytes.files(root, 0).get(2);
        for (int length : new int[] {(int) end(file) - 10, 60_000, 8192, 100, 0}) {
            truncate(file, length);
            Reading found = new Reading();
            try (JournalCursor cursor = cursor().onGap(found).open()) {
                assertTruncated(() -> found.all(cursor), file, length);
                assertTruncated(() -> found.all(cursor), file, length);
            }
            assertThat(found.found).isNotEmpty();
            assertThat(found.found).isEqualTo(numbered(0, 0, found.found.size()));
        }
    }

    /** Access to mapped memory beyond the end of a file is a SIGBUS, which the JVM reports later in unrelated code. */
    @Test
    void truncationDuringAReadIsNotAnErrorOfTheHandler() throws IOException {
        for (int length : new int[] {0, 4096, 100_000, 1_000_000}) {
            Path data = root.resolve("truncate-at-" + length);
            Files.createDirectories(data);
            try (TestJournal journal = TestJournal.open(data)) {
                journal.appendNumbered(0, 500, 100);
            }
            Path file = JournalBytes.files(data, 0).get(0);
            long[] sum = {0};
            try (JournalCursor cursor = Journal.open(data).cursor().open()) {
                assertThat(cursor.poll((datagram, position) -> sum[0]++)).isEqualTo(100);
                truncate(file, length);
                assertTruncated(
                        () -> {
                            while (cursor.poll((datagram, position) -> sum[0] += datagram.payloadByte(0) < 0 ? 2 : 1)
                                    > 0) {
                                // Read to the truncation.
                            }
                        },
                        file,
                        length);
            }
            assertThat(sum[0]).isBetween(100L, 40_000L);
        }
    }

    /** The JDK closes the file if a thread is interrupted during a read. */
    @Test
    void interruptedThreadContinuesToReadAndStaysInterrupted() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 20_000)) {
            journal.appendNumbered(0, 50, 40);
        }
        try (JournalCursor cursor = cursor().open()) {
            Thread.currentThread().interrupt();
            assertThat(reading.all(cursor).found).isEqualTo(numbered(0, 0, 2000));
            assertThat(Journal.open(root).endSequences()).containsExactly(2000);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private static long end(Path file) throws IOException {
        return JournalBytes.batches(file.getParent().getParent().getParent(), 0).stream()
                .filter(batch -> batch.file().equals(file))
                .mapToLong(JournalBytes.Place::end)
                .max()
                .orElseThrow();
    }

    @Test
    void missingEndMarkIsReported() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 20_000)) {
            journal.appendNumbered(0, 200, 40);
        }
        Path file = JournalBytes.files(root, 0).get(1);
        long markAt = end(file) + 3 & -4;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(4), markAt);
        }
        Reading found = new Reading();
        try (JournalCursor cursor = cursor().onGap(found).open()) {
            await().pollDelay(Duration.ZERO)
                    .untilAsserted(() -> assertThatThrownBy(() -> found.all(cursor))
                            .isInstanceOf(UncheckedIOException.class)
                            .hasMessageContaining(file + " is truncated or damaged at byte " + markAt)
                            .hasMessageContaining("repair"));
        }
        assertThat(found.found).isEqualTo(numbered(0, 0, found.found.size())).hasSizeGreaterThan(100);
    }

    private static void truncate(Path file, long length) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(length);
        }
    }

    private static void assertTruncated(ThrowingCallable reading, Path file, long length) {
        assertThatThrownBy(reading)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(file + " is truncated")
                .hasMessageMatching(
                        length == 0 ? "(?s).*verify.*" : "(?s).*it has " + length + " bytes.*at byte [0-9]+.*verify.*");
    }

    @Test
    void readsFromAPositionInAnyFile() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 600)) {
            journal.appendNumbered(0, 10, 5);
        }
        for (long sequence = 0; sequence < 50; sequence++) {
            Reading found = new Reading();
            try (JournalCursor cursor =
                    cursor().onGap(found).from(new Position(0, sequence)).open()) {
                assertThat(found.all(cursor).found).isEqualTo(numbered(0, sequence, 50));
            }
        }
    }

    @Test
    void readsFromAFuturePosition() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1);
                JournalCursor cursor = cursor().from(new Position(0, 7)).open()) {
            journal.appendNumbered(0, 2, 3);
            assertThat(reading.all(cursor).found).isEmpty();
            journal.appendNumbered(0, 1, 3);
            assertThat(reading.all(cursor).found).isEqualTo(numbered(0, 7, 9));
        }
    }

    @Test
    void readsFromAPositionOnlyItsShard() throws IOException {
        try (TestJournal journal = TestJournal.open(root, 3)) {
            for (int shard = 0; shard < 3; shard++) {
                journal.appendNumbered(shard, 2, 3);
            }
        }
        try (JournalCursor cursor = cursor().from(new Position(1, 2)).open()) {
            assertThat(reading.all(cursor).found).isEqualTo(numbered(1, 2, 6));
        }
    }

    @Test
    void limitStopsInsideABatchAndTheNextPollContinues() throws IOException {
        try (TestJournal journal = TestJournal.open(root, 2)) {
            journal.appendNumbered(0, 1, 7);
            journal.appendNumbered(1, 1, 2);
            journal.appendNumbered(0, 1, 2);
        }
        try (JournalCursor cursor = cursor().open()) {
            List<Integer> counts = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                counts.add(reading.poll(cursor, 3));
            }
            assertThat(counts).containsExactly(3, 3, 1, 2, 2, 0);
            assertThat(reading.found).isEqualTo(joined(numbered(0, 0, 7), numbered(1, 0, 2), numbered(0, 7, 9)));
        }
    }

    @Test
    void limitOfZeroIsRefused() throws IOException {
        try (TestJournal journal = TestJournal.open(root);
                JournalCursor cursor = cursor().open()) {
            journal.appendNumbered(0, 1, 1);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> reading.poll(cursor, 0))
                    .withMessageContaining("limit");
            assertThat(reading.poll(cursor, 1)).isEqualTo(1);
        }
    }

    @Test
    void shardsAreReadRoundRobinByBatch() throws IOException {
        try (TestJournal journal = TestJournal.open(root, 2)) {
            journal.appendNumbered(0, 3, 2);
            journal.appendNumbered(1, 1, 2);
        }
        try (JournalCursor cursor = cursor().open()) {
            assertThat(reading.all(cursor).found)
                    .isEqualTo(joined(numbered(0, 0, 2), numbered(1, 0, 2), numbered(0, 2, 6)));
        }
    }

    @Test
    void timesAreFromInclusiveToExclusiveAndNeedNotBeInOrder() throws IOException {
        Instant start = Instant.parse("2026-11-21T00:00:00.000000001Z");
        long startNs = start.getEpochSecond() * 1_000_000_000L + 1;
        long[][] batches = {{0, 10, 20}, {500, 501}, {30, 5, 25}, {-40}, {19, 20}};
        try (TestJournal journal = TestJournal.open(root)) {
            for (long[] times : batches) {
                TestDatagram[] datagrams = new TestDatagram[times.length];
                for (int i = 0; i < times.length; i++) {
                    datagrams[i] = TestDatagram.of("t" + times[i]).at(startNs + times[i]);
                }
                journal.append(0, datagrams);
            }
        }
        try (JournalCursor cursor = cursor().fromTime(start.plusNanos(5))
                .toTime(start.plusNanos(20))
                .open()) {
            assertThat(reading.all(cursor).found).containsExactly("0:1=t10", "0:6=t5", "0:9=t19");
        }
        Reading before = new Reading();
        try (JournalCursor cursor = cursor().toTime(start).open()) {
            assertThat(before.all(cursor).found).containsExactly("0:8=t-40");
        }
        Reading after = new Reading();
        try (JournalCursor cursor = cursor().fromTime(start.plusNanos(502)).open()) {
            assertThat(after.all(cursor).found).isEmpty();
        }
    }

    @Test
    void throwingHandlerLosesNoOtherDatagram() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 2, 3);
        }
        List<String> seen = new ArrayList<>();
        int thrown = 0;
        try (JournalCursor cursor = cursor().open()) {
            // Throws at the first, a middle and the last datagram of a batch.
            for (int i = 0; i < 20; i++) {
                try {
                    cursor.poll((datagram, position) -> {
                        seen.add(position.toString());
                        if (position.sequence() != 4) {
                            throw new IllegalStateException("thrown by the test");
                        }
                    });
                } catch (IllegalStateException e) {
                    assertThat(e).hasMessage("thrown by the test");
                    thrown++;
                }
            }
        }
        assertThat(thrown).isEqualTo(5);
        assertThat(seen).containsExactly("0:0", "0:1", "0:2", "0:3", "0:4", "0:5");
    }

    @Test
    void toPositionReturnsACopy() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 1, 3);
        }
        List<Position> kept = new ArrayList<>();
        try (JournalCursor cursor = cursor().open()) {
            assertThat(cursor.poll((datagram, position) -> kept.add(position.toPosition())))
                    .isEqualTo(3);
        }
        assertThat(kept).containsExactly(new Position(0, 0), new Position(0, 1), new Position(0, 2));
    }

    @Test
    void laterShardIsFound() throws IOException {
        TestJournal.open(root).close();
        try (JournalCursor cursor = cursor().open();
                JournalCursor atEnd = cursor().fromEnd().open();
                JournalCursor atPosition = cursor().from(new Position(1, 1)).open()) {
            Reading end = new Reading();
            Reading position = new Reading();
            assertThat(reading.all(cursor).found).isEmpty();
            assertThat(end.all(atEnd).found).isEmpty();
            assertThat(position.all(atPosition).found).isEmpty();
            try (TestJournal journal = TestJournal.open(root, 2)) {
                journal.appendNumbered(1, 2, 2);
                await().until(() -> reading.all(cursor).found.size() == 4);
                await().until(() -> end.all(atEnd).found.size() == 4);
                await().until(() -> position.all(atPosition).found.size() == 3);
            }
            assertThat(reading.found).isEqualTo(numbered(1, 0, 4));
            assertThat(end.found).as("all of it came after the open").isEqualTo(numbered(1, 0, 4));
            assertThat(position.found).isEqualTo(numbered(1, 1, 4));
        }
    }

    @Test
    void cursorOpenedBeforeAnyShardReadsThemAll() throws IOException {
        DataDirectory.open(root).close();
        try (JournalCursor cursor = cursor().fromEnd().open()) {
            assertThat(reading.all(cursor).found).isEmpty();
            try (TestJournal journal = TestJournal.open(root)) {
                journal.appendNumbered(0, 2, 2);
                await().until(() -> reading.all(cursor).found.size() == 4);
            }
        }
        assertThat(reading.found).isEqualTo(numbered(0, 0, 4));
    }

    @Test
    void closeCanBeCalledTwice() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 1, 1);
        }
        JournalCursor cursor = cursor().open();
        assertThat(reading.all(cursor).found).hasSize(1);
        cursor.close();
        cursor.close();
    }

    @Test
    void directoryWithoutAJournalIsReported() throws IOException {
        Path missing = root.resolve("missing");
        assertThatIOException()
                .isThrownBy(() -> Journal.open(missing))
                .withMessage("there is no data directory " + missing);
        assertThatIOException()
                .isThrownBy(() -> Journal.open(root))
                .withMessageContaining(root + " is not a Millrace data directory");
        assertThat(missing).doesNotExist();
        assertThat(root).isEmptyDirectory();
    }
}
