package io.millrace.internal.journal.read;

import static io.millrace.internal.journal.read.Reading.joined;
import static io.millrace.internal.journal.read.Reading.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.journal.JournalBytes;
import io.millrace.internal.journal.TestJournal;
import io.millrace.journal.CursorBuilder;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor;
import io.millrace.journal.Position;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cursor reports missing datagrams as gaps. */
class CursorGapTest {
    @TempDir
    Path root;

    private final Reading reading = new Reading();

    private CursorBuilder cursor() throws IOException {
        return Journal.open(root).cursor().onGap(reading);
    }

    /** Five batches of three datagrams. */
    private List<JournalBytes.Place> write(long rollBytes) throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, rollBytes)) {
            journal.appendNumbered(0, 5, 3);
        }
        return JournalBytes.batches(root, 0);
    }

    @Test
    void damagedBatchIsSkippedCountedAndReportedAsAGap() throws IOException {
        List<JournalBytes.Place> batches = write(1 << 20);
        JournalBytes.damage(batches.get(1));
        JournalBytes.damage(batches.get(3));
        try (JournalCursor cursor = cursor().open()) {
            assertThat(reading.all(cursor).found)
                    .isEqualTo(joined(
                            numbered(0, 0, 3),
                            List.of("gap 0:3+3"),
                            numbered(0, 6, 9),
                            List.of("gap 0:9+3"),
                            numbered(0, 12, 15)));
            assertThat(cursor.damagedBatches()).isEqualTo(2);
        }
    }

    @Test
    void missingFilesAreReportedAsOneGap() throws IOException {
        List<JournalBytes.Place> batches = write(1);
        Files.delete(batches.get(1).file());
        Files.delete(batches.get(2).file());
        try (JournalCursor cursor = cursor().open()) {
            assertThat(reading.all(cursor).found)
                    .isEqualTo(joined(numbered(0, 0, 3), List.of("gap 0:3+6"), numbered(0, 9, 15)));
            assertThat(cursor.damagedBatches()).isZero();
        }
    }

    @Test
    void positionInAMissingFileContinuesAfterItAndReportsTheGapFromThere() throws IOException {
        List<JournalBytes.Place> batches = write(1);
        Files.delete(batches.get(1).file());
        try (JournalCursor cursor = cursor().from(new Position(0, 4)).open()) {
            assertThat(reading.all(cursor).found).isEqualTo(joined(List.of("gap 0:4+2"), numbered(0, 6, 15)));
        }
    }

    @Test
    void positionBeforeTheOldestFileReportsTheGap() throws IOException {
        List<JournalBytes.Place> batches = write(1);
        Files.delete(batches.get(0).file());
        Files.delete(batches.get(1).file());
        try (JournalCursor cursor = cursor().from(new Position(0, 2)).open()) {
            assertThat(reading.all(cursor).found).isEqualTo(joined(List.of("gap 0:2+4"), numbered(0, 6, 15)));
        }
    }

    @Test
    void beginningIsTheOldestDatagram() throws IOException {
        List<JournalBytes.Place> batches = write(1);
        Files.delete(batches.get(0).file());
        try (JournalCursor cursor = cursor().open()) {
            assertThat(reading.all(cursor).found).isEqualTo(numbered(0, 3, 15));
        }
    }

    @Test
    void damagedFirstBatchOfAFileDoesNotHideEarlierDatagrams() throws IOException {
        List<JournalBytes.Place> batches = write(300);
        JournalBytes.Place first = batches.stream()
                .filter(batch -> batch.firstSequence() > 0
                        && !batch.file().equals(batches.get(0).file()))
                .findFirst()
                .orElseThrow();
        // The lowest byte of its first sequence number, which then is lower than the real one.
        for (int bit = 0; bit < 8; bit++) {
            if ((first.firstSequence() & (1L << bit)) != 0) {
                JournalBytes.flip(first.file(), first.offset() + 32, bit);
            }
        }
        long wanted = first.firstSequence() - 1;
        try (JournalCursor cursor = cursor().from(new Position(0, wanted)).open()) {
            assertThat(reading.all(cursor).found)
                    .isEqualTo(joined(
                            numbered(0, wanted, wanted + 1),
                            List.of("gap 0:" + first.firstSequence() + "+" + first.count()),
                            numbered(0, first.firstSequence() + first.count(), 15)));
        }
    }
}
