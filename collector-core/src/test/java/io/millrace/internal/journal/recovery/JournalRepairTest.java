package io.millrace.internal.journal.recovery;

import static io.millrace.internal.journal.JournalChecks.numbered;
import static io.millrace.internal.journal.JournalChecks.problems;
import static io.millrace.internal.journal.JournalChecks.readAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.millrace.collector.DropReason;
import io.millrace.internal.journal.JournalBytes;
import io.millrace.internal.journal.JournalChecks;
import io.millrace.internal.journal.TestJournal;
import io.millrace.journal.GapReason;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JournalRepairTest {
    /** An error that aborts a repair, as a kill would. */
    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    @TempDir
    Path root;

    @Test
    void intactJournalIsNotChanged() throws IOException {
        write(4);
        List<String> before = names();
        assertThat(repair().aside()).isNull();
        assertThat(names()).isEqualTo(before);
    }

    @Test
    void otherDirectoryIsNotChanged() throws IOException {
        assertThatIOException().isThrownBy(this::repair);
        assertThat(names()).isEmpty();
    }

    @Test
    void damagedBatchBecomesAGapWithItsCount() throws IOException {
        write(4);
        JournalBytes.Place damaged = JournalBytes.batches(root, 0).get(1);
        byte[] before = Files.readAllBytes(damaged.file());
        JournalBytes.damage(damaged);
        byte[] after = Files.readAllBytes(damaged.file());

        JournalRepair.Report report = repair();
        assertThat(report.writtenFiles()).isEqualTo(1);
        assertThat(report.before().missing()).isEqualTo(10);
        assertThat(report.before().gaps()).singleElement().satisfies(gap -> {
            assertThat(gap.firstSequence()).isEqualTo(10);
            assertThat(gap.count()).isEqualTo(10);
            assertThat(gap.file()).isEqualTo(damaged.file());
            assertThat(gap.offset()).isEqualTo(damaged.end() + 4);
            assertThat(gap.reason()).isNull();
        });
        assertThat(report.aside()).isNotNull();
        assertThat(Files.readAllBytes(
                        report.aside().resolve("shard-0").resolve(damaged.file().getFileName())))
                .as("what was there before")
                .isEqualTo(after)
                .isNotEqualTo(before);
        assertThat(problems(root)).isEmpty();
        JournalSummary summary = JournalChecks.cleanSummary(root);
        assertThat(summary.datagrams()).isEqualTo(30);
        assertThat(summary.missing()).isZero();
        assertThat(summary.gaps()).singleElement().satisfies(gap -> {
            assertThat(gap.firstSequence()).isEqualTo(10);
            assertThat(gap.count()).isEqualTo(10);
            assertThat(gap.reason()).isEqualTo(GapReason.LOST);
        });
    }

    @Test
    void onlyDamagedFilesAreRewritten() throws IOException {
        writeFiles(5);
        List<JournalBytes.Place> batches = JournalBytes.batches(root, 0);
        JournalBytes.damage(batches.get(2));
        JournalRepair.Report report = repair();
        // The newest file is copied too, because later appends must not change the old journal.
        assertThat(report.linkedFiles()).isEqualTo(3);
        assertThat(report.writtenFiles()).isEqualTo(2);
        assertThat(problems(root)).isEmpty();
        assertThat(readAll(root, 0)).isEqualTo(without(5, 2));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void missingFileBecomesAGap(int missing) throws IOException {
        writeFiles(5);
        Files.delete(JournalBytes.batches(root, 0).get(missing).file());
        JournalRepair.Report report = repair();
        assertThat(report.before().missing()).isEqualTo(10);
        assertThat(report.linkedFiles()).isEqualTo(3);
        assertThat(problems(root)).isEmpty();
        assertThat(readAll(root, 0)).isEqualTo(without(5, missing));
        appendsFrom(50);
    }

    @Test
    void missingFilesOfAWholeShardBecomeOneGap() throws IOException {
        writeFiles(3);
        for (Path file : JournalBytes.files(root, 0)) {
            Files.delete(file);
        }
        assertThat(repair().before().missing()).isEqualTo(30);
        assertThat(problems(root)).isEmpty();
        appendsFrom(30);
    }

    @Test
    void filesDeletedByRetentionAreNotDamage() throws IOException {
        writeFiles(5);
        Files.delete(JournalBytes.files(root, 0).get(0));
        JournalChecks.noteDeleted(root, 0, 10);
        assertThat(repair().aside()).isNull();
    }

    @Test
    void missingOldestFileBecomesAGap() throws IOException {
        writeFiles(5);
        Files.delete(JournalBytes.files(root, 0).get(0));
        assertThat(repair().before().missing()).isEqualTo(10);
        assertThat(problems(root)).isEmpty();
        assertThat(readAll(root, 0)).isEqualTo(numbered(0, 10, 50));
        appendsFrom(50);
    }

    @Test
    void tornTailIsRemovedAndTheNumberingContinues() throws IOException {
        write(4);
        JournalBytes.Place last = JournalBytes.batches(root, 0).get(3);
        try (FileChannel channel = FileChannel.open(last.file(), StandardOpenOption.WRITE)) {
            channel.truncate(last.offset() + 100);
        }
        assertThat(repair().before().missing()).isEqualTo(10);
        assertThat(problems(root)).isEmpty();
        assertThat(readAll(root, 0)).isEqualTo(numbered(0, 0, 30));
        appendsFrom(40);
    }

    @Test
    void withoutCountersTheHeaderOfADamagedLastBatchIsUsed() throws IOException {
        write(4);
        JournalBytes.damage(JournalBytes.batches(root, 0).get(3));
        Files.delete(root.resolve("counters"));
        assertThat(repair().before().missing()).isEqualTo(10);
        assertThat(problems(root)).isEmpty();
    }

    @Test
    void numbersThatAnOutputHasSeenAreNotReused() throws IOException {
        write(4);
        JournalRepair.Report report = new JournalRepair(root, new long[] {55}, (bytes, total) -> {}).run();
        assertThat(report.before().missing()).isEqualTo(15);
        assertThat(problems(root)).isEmpty();
        appendsFrom(55);
    }

    @Test
    void intactBatchesAfterZeroedLengthWordsAreKept() throws IOException {
        write(5);
        for (int batch : new int[] {1, 2, 4}) {
            JournalBytes.Place place = JournalBytes.batches(root, 0).get(batch == 4 ? 2 : 1);
            JournalBytes.write(place.file(), place.offset() - 4, new byte[4]);
        }
        JournalRepair.Report report = repair();
        assertThat(report.aside()).isNotNull();
        assertThat(report.before().missing()).isZero();
        assertThat(problems(root)).isEmpty();
        assertThat(readAll(root, 0)).isEqualTo(numbered(0, 0, 50));
    }

    @Test
    void zeroedBeginningOfAFileLosesNoBatch() throws IOException {
        write(3);
        JournalBytes.Place first = JournalBytes.batches(root, 0).get(0);
        JournalBytes.write(first.file(), 0, new byte[4096]);
        assertThatIOException()
                .isThrownBy(() -> TestJournal.open(root))
                .withMessageContaining("millrace journal repair");
        assertThat(repair().before().missing()).isZero();
        assertThat(readAll(root, 0)).isEqualTo(numbered(0, 0, 30));
    }

    @Test
    void firstBatchWithADamagedJournalIdIsMissing() throws IOException {
        write(3);
        JournalBytes.Place first = JournalBytes.batches(root, 0).get(0);
        JournalBytes.flip(first.file(), first.offset() + 25, 1);
        assertThat(repair().before().missing()).isEqualTo(10);
        assertThat(problems(root)).isEmpty();
        assertThat(readAll(root, 0)).isEqualTo(numbered(0, 10, 30));
    }

    @Test
    void twoRepairsKeepTheGapsOfBoth() throws IOException {
        write(6);
        JournalBytes.damage(JournalBytes.batches(root, 0).get(1));
        assertThat(repair().before().missing()).isEqualTo(10);
        JournalBytes.Place fourth = JournalBytes.batches(root, 0).stream()
                .filter(batch -> batch.firstSequence() == 20 && batch.count() > 0)
                .findFirst()
                .orElseThrow();
        JournalBytes.damage(fourth);
        JournalRepair.Report second = repair();
        assertThat(second.before().missing()).isEqualTo(10);
        assertThat(problems(root)).isEmpty();
        assertThat(JournalChecks.cleanSummary(root).gaps())
                .extracting(gap -> gap.firstSequence() + "+" + gap.count())
                .containsExactly("10+10", "20+10");
        assertThat(names())
                .filteredOn(name -> name.startsWith("journal.before-repair-"))
                .hasSize(2);
    }

    @Test
    void journalInUseIsNotRepaired() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 2, 10);
            assertThatIOException().isThrownBy(this::repair).withMessageContaining("in use by another Millrace");
        }
        assertThat(problems(root)).isEmpty();
    }

    @Test
    void batchOfALaterVersionIsNotRemoved() throws IOException {
        write(4);
        JournalBytes.Place second = JournalBytes.batches(root, 0).get(1);
        JournalBytes.change(second, bytes -> bytes.put(8, (byte) 9));
        assertThatIOException().isThrownBy(this::repair).withMessageContaining("version");
        assertThat(names()).noneMatch(name -> name.startsWith("journal.before"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cleaned", "shard 0", "written", "checked", "complete", "aside", "finished"})
    void killAtAnyStepLeavesOneUsableJournal(String step) throws IOException {
        for (boolean serviceFirst : new boolean[] {true, false}) {
            Path data = root.resolve(step.replace(' ', '-') + serviceFirst);
            try (TestJournal journal = TestJournal.open(data)) {
                journal.appendNumbered(0, 4, 10);
            }
            JournalBytes.damage(JournalBytes.batches(data, 0).get(1));
            JournalRepair killed = new JournalRepair(data, new long[0], (bytes, total) -> {}, reached -> {
                if (reached.equals(step)) {
                    throw new Killed();
                }
            });
            assertThatExceptionOfType(Killed.class).isThrownBy(killed::run);
            long end = 40;
            if (serviceFirst) {
                // The service finishes a repair that was interrupted in its last step.
                try (TestJournal journal = TestJournal.open(data)) {
                    assertThat(journal.nextSequence(0)).isEqualTo(40);
                    // Hard links to files, so that deleting the journal's files would free nothing.
                    assertThat(data.resolve("journal.repair")).doesNotExist();
                    journal.appendNumbered(0, 1, 10);
                    end = 50;
                }
            }
            var unused = new JournalRepair(data, new long[0], (bytes, total) -> {}).run();
            assertThat(problems(data)).isEmpty();
            List<String> expected = new ArrayList<>(numbered(0, 0, 10));
            expected.addAll(numbered(0, 20, end));
            assertThat(readAll(data, 0)).isEqualTo(expected);
            assertThat(data.resolve("journal.repair")).doesNotExist();
            assertThat(data.resolve("journal.repaired")).doesNotExist();
        }
    }

    private JournalRepair.Report repair() throws IOException {
        return new JournalRepair(root, new long[0], (bytes, total) -> {}).run();
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(root)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    private void write(int batches) throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, batches, 10);
        }
    }

    /** Writes files with one batch each. */
    private void writeFiles(int files) throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            journal.appendNumbered(0, files, 10);
        }
    }

    private static List<String> without(int batches, int missing) {
        List<String> expected = new ArrayList<>(numbered(0, 0, missing * 10L));
        expected.addAll(numbered(0, missing * 10L + 10, batches * 10L));
        return expected;
    }

    private void appendsFrom(long next) throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            assertThat(journal.nextSequence(0)).isEqualTo(next);
            journal.appendNumbered(0, 1, 10);
            assertThat(journal.counters(0).get(DropReason.CRASH.counter())).isZero();
        }
        assertThat(problems(root)).isEmpty();
        assertThat(readAll(root, 0)).endsWith(numbered(0, next, next + 10).toArray(new String[0]));
    }
}
