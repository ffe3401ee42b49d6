package io.millrace.internal.journal.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.journal.JournalBytes;
import io.millrace.internal.journal.JournalChecks;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.journal.read.ShardReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damages a closed journal at random in one to four places. Verify must report all damaged batches and the number of
 * missing datagrams. A repair must keep every intact batch, and its journal can be read and appended to.
 * {@code -Dmillrace.it.corruptions=40} sets the number of cases; {@code -Dmillrace.test.seed=SEED} with 1 repeats one
 * case.
 */
@Tag("once")
class CorruptionTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    Path temporary;

    private int touched;
    private int lost;
    private int repaired;

    @Test
    void damageIsReportedAndIntactBatchesAreKept() throws IOException {
        int cases = Integer.getInteger("millrace.it.corruptions", 10);
        long seed = Long.getLong("millrace.test.seed", System.nanoTime());
        System.out.println("CorruptionTest seed " + seed + ", " + cases + " cases");
        CorruptJournal journal = CorruptJournal.write(temporary.resolve("journal"), new Random(1));
        journal.copyTo(temporary.resolve("whole"));
        assertThat(JournalChecks.problems(temporary.resolve("whole")))
                .as("problems without damage")
                .isEmpty();
        List<String> failures = new ArrayList<>();
        for (int i = 0; i < cases; i++) {
            long caseSeed = seed + i;
            Path copy = temporary.resolve("case");
            List<String> done = new ArrayList<>();
            try {
                assertTimeoutPreemptively(LIMIT, () -> run(journal, copy, new Random(caseSeed), done));
            } catch (Throwable e) {
                failures.add("seed " + caseSeed + ": " + done + ": " + e);
                if (failures.size() == 1) {
                    e.printStackTrace();
                }
            }
            delete(copy);
        }
        System.out.printf(
                "CorruptionTest: %d cases, %d touched a batch, %d were repaired, %d datagrams lost in all, %d failures%n",
                cases, touched, repaired, lost, failures.size());
        assertThat(failures).isEmpty();
    }

    private void run(CorruptJournal journal, Path copy, Random random, List<String> done) throws IOException {
        journal.copyTo(copy);
        int places = 1 + random.nextInt(4);
        for (int i = 0; i < places; i++) {
            done.add(journal.damage(copy, random).replace(copy.toString(), ""));
        }
        if (random.nextInt(10) == 0) {
            Files.writeString(copy.resolve("LOCK"), "1\n");
            done.add("stale lock");
        }
        List<List<JournalBytes.Place>> whole = new ArrayList<>();
        for (int shard = 0; shard < CorruptJournal.SHARDS; shard++) {
            whole.add(journal.wholeIn(copy, shard));
        }
        boolean touches = isTouched(journal, whole);

        List<JournalScanner.Problem> problems = new ArrayList<>();
        JournalSummary summary = new JournalScanner(copy, problems::add, (bytes, total) -> {}).scan();
        if (touches) {
            touched++;
            assertThat(problems).as("problems").isNotEmpty();
        }
        assertGaps(journal, whole, summary);

        JournalRepair.Report report = new JournalRepair(copy, new long[0], (bytes, total) -> {}).run();
        assertThat(report.aside() != null).as("repaired").isEqualTo(!problems.isEmpty());
        repaired += report.aside() == null ? 0 : 1;
        lost += (int) report.before().missing();
        assertThat(JournalChecks.problems(copy)).as("problems after the repair").isEmpty();
        JournalRepair.Report again = new JournalRepair(copy, new long[0], (bytes, total) -> {}).run();
        assertThat(again.aside()).as("nothing left to do").isNull();

        assertReads(journal, copy, whole);
        assertCanAppend(journal, copy);
    }

    private static boolean isTouched(CorruptJournal journal, List<List<JournalBytes.Place>> whole) {
        for (int shard = 0; shard < whole.size(); shard++) {
            if (whole.get(shard).size() < journal.batchCount(shard)) {
                return true;
            }
        }
        return false;
    }

    /** Asserts that the gaps are exactly the numbers of the damaged batches. */
    private static void assertGaps(
            CorruptJournal journal, List<List<JournalBytes.Place>> whole, JournalSummary summary) {
        List<String> expected = new ArrayList<>();
        for (int shard = 0; shard < whole.size(); shard++) {
            long next = 0;
            for (JournalBytes.Place batch : whole.get(shard)) {
                if (batch.firstSequence() > next) {
                    expected.add(shard + ":" + next + "+" + (batch.firstSequence() - next));
                }
                next = batch.firstSequence() + batch.count();
            }
            if (journal.datagrams(shard) > next) {
                expected.add(shard + ":" + next + "+" + (journal.datagrams(shard) - next));
            }
        }
        assertThat(summary.gaps())
                .extracting(gap -> gap.shard() + ":" + gap.firstSequence() + "+" + gap.count())
                .containsExactlyElementsOf(expected);
    }

    private static void assertReads(CorruptJournal journal, Path copy, List<List<JournalBytes.Place>> whole) {
        for (int shard = 0; shard < whole.size(); shard++) {
            List<String> expected = new ArrayList<>();
            for (JournalBytes.Place batch : whole.get(shard)) {
                expected.addAll(
                        JournalChecks.numbered(shard, batch.firstSequence(), batch.firstSequence() + batch.count()));
            }
            assertThat(JournalChecks.readAll(copy, shard))
                    .as("what is read of shard %d", shard)
                    .isEqualTo(expected);
            try (ShardReader reader = new ShardReader(copy, shard)) {
                assertThat(reader.endSequence()).isEqualTo(journal.datagrams(shard));
            }
        }
    }

    /** Asserts that a writer continues the numbering, and that the loss ledger is balanced. */
    private static void assertCanAppend(CorruptJournal journal, Path copy) throws IOException {
        try (TestJournal writer = TestJournal.openSmall(copy, CorruptJournal.SHARDS, 100_000)) {
            for (int shard = 0; shard < CorruptJournal.SHARDS; shard++) {
                assertThat(writer.nextSequence(shard)).isEqualTo(journal.datagrams(shard));
                writer.appendNumbered(shard, 2, 10);
            }
        }
        assertThat(JournalChecks.problems(copy)).as("problems after writing on").isEmpty();
        CounterFile counters = CounterFile.openReadOnly(copy.resolve("counters"));
        assertThat(counters.sum(Counter.RECEIVED_DATAGRAMS)).isEqualTo(counters.sum(Counter.JOURNALED_DATAGRAMS));
        assertThat(counters.sum(DropReason.CRASH.counter())).isZero();
        for (int shard = 0; shard < CorruptJournal.SHARDS; shard++) {
            long end = journal.datagrams(shard);
            assertThat(JournalChecks.readAll(copy, shard))
                    .endsWith(JournalChecks.numbered(shard, end, end + 20).toArray(new String[0]));
        }
    }

    private static void delete(Path directory) throws IOException {
        if (Files.exists(directory)) {
            List<Path> all;
            try (Stream<Path> files = Files.walk(directory)) {
                all = files.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path file : all) {
                Files.delete(file);
            }
        }
    }
}
