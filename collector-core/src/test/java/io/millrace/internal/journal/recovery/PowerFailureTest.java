package io.millrace.internal.journal.recovery;

import static io.millrace.internal.journal.JournalChecks.numbered;
import static io.millrace.internal.journal.JournalChecks.problems;
import static io.millrace.internal.journal.JournalChecks.readAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.collector.HostCounters;
import io.millrace.collector.Ledger;
import io.millrace.collector.SyncSettings;
import io.millrace.internal.counters.LedgerAccounting;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.journal.JournalBytes;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.journal.write.Syncer;
import io.millrace.journal.GapReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A start after a loss of power, which keeps what was synced and some of the rest. */
class PowerFailureTest {
    private static final long OTHER_HOST = 1;

    @TempDir
    private Path root;

    /** Begins a process as on a host that is not this one. */
    private static void begin(TestJournal journal) {
        LedgerAccounting.open(journal.counters(), HostCounters.of(Map.of()));
        journal.counters().noteHost(OTHER_HOST);
        journal.counters(0).noteRecovered(OTHER_HOST);
    }

    /** What the next process does once it is open. */
    private static void proceed(TestJournal journal) {
        journal.directory().noteHost(journal.counters());
        LedgerAccounting.open(journal.counters(), HostCounters.of(Map.of()));
    }

    private Path file() throws IOException {
        return JournalBytes.files(root, 0).get(0);
    }

    private List<JournalGap> gaps() throws IOException {
        return new JournalScanner(root, problem -> {}, (done, total) -> {})
                .scan()
                .gaps();
    }

    private static void assertCloses(TestJournal journal, long journaled, long lost) {
        Ledger.Lifetime lifetime =
                LedgerAccounting.ofOther(journal.counters()).read().lifetime();
        assertThat(lifetime.journaled()).isEqualTo(journaled);
        assertThat(lifetime.dropped(DropReason.POWER_FAILURE)).isEqualTo(lost);
        assertThat(lifetime.dropped(DropReason.CRASH)).isZero();
        assertThat(lifetime.received()).isEqualTo(journaled + lost);
    }

    @Test
    void endThatIsNotOnTheDiskIsAGapAndItsNumbersAreNotUsedAgain() throws IOException {
        byte[] synced;
        try (TestJournal journal = TestJournal.open(root)) {
            begin(journal);
            journal.appendNumbered(0, 2, 5);
            synced = Files.readAllBytes(file());
            journal.appendNumbered(0, 3, 5);
        }
        Files.write(file(), synced);
        long next;
        try (TestJournal journal = TestJournal.open(root)) {
            next = journal.nextSequence(0);
            assertThat(next)
                    .isEqualTo(journal.counters(0).get(Counter.RECEIVED_DATAGRAMS))
                    .isGreaterThan(25);
            assertCloses(journal, 10, next - 10);
            assertThat(problems(root)).isEmpty();
            proceed(journal);
            journal.appendNumbered(0, 1, 2);
        }
        assertThat(problems(root)).isEmpty();
        assertThat(gaps()).singleElement().satisfies(gap -> {
            assertThat(gap.reason()).isEqualTo(GapReason.POWER_FAILURE);
            assertThat(gap.firstSequence()).isEqualTo(10);
            assertThat(gap.count()).isEqualTo(next - 10);
        });
        assertThat(readAll(root, 0))
                .startsWith(numbered(0, 0, 10).toArray(new String[0]))
                .endsWith(next + "=0:" + next, (next + 1) + "=0:" + (next + 1))
                .hasSize(12);
        // This process is killed, and its host goes on: nothing is lost.
        try (TestJournal journal = TestJournal.open(root)) {
            assertThat(journal.nextSequence(0)).isEqualTo(next + 2);
            assertCloses(journal, 12, next - 10);
        }
    }

    @Test
    void damageBeforeTheEndBecomesAMarkedGap() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            begin(journal);
            journal.appendNumbered(0, 4, 5);
        }
        JournalBytes.damage(JournalBytes.batches(root, 0).get(1));
        try (TestJournal journal = TestJournal.open(root)) {
            long lost = 5 + journal.nextSequence(0) - 20;
            assertCloses(journal, 15, lost);
        }
        assertThat(problems(root)).isEmpty();
        assertThat(gaps()).extracting(JournalGap::reason).containsOnly(GapReason.POWER_FAILURE);
        assertThat(gaps()).extracting(JournalGap::firstSequence).containsExactly(5L, 20L);
        assertThat(Files.exists(JournalPaths.journalPath(root).resolve("recovering")))
                .isFalse();
    }

    @Test
    void damageIsRecoveredInAllFilesUpToOneThatIsWhole() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            begin(journal);
            journal.appendNumbered(0, 6, 5);
        }
        List<JournalBytes.Place> places = JournalBytes.batches(root, 0);
        for (JournalBytes.Place place : places.subList(2, 6)) {
            JournalBytes.damage(place);
        }
        long next;
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            next = journal.nextSequence(0);
            assertCloses(journal, 10, next - 10);
            journal.appendNumbered(0, 2, 1);
        }
        assertThat(problems(root)).isEmpty();
        assertThat(readAll(root, 0)).endsWith(next + "=0:" + next, (next + 1) + "=0:" + (next + 1));
    }

    /** Another shard failed, for example: the host is not noted, and this shard is opened again. */
    @Test
    void secondStartOnTheHostCountsNothingAgain() throws IOException {
        byte[] synced;
        try (TestJournal journal = TestJournal.open(root)) {
            begin(journal);
            journal.appendNumbered(0, 2, 5);
            synced = Files.readAllBytes(file());
            journal.appendNumbered(0, 3, 5);
        }
        Files.write(file(), synced);
        long next = 0;
        for (int start = 0; start < 3; start++) {
            try (TestJournal journal = TestJournal.open(root)) {
                assertThat(next).isIn(0L, journal.nextSequence(0));
                next = journal.nextSequence(0);
                assertCloses(journal, 10, next - 10);
            }
        }
        assertThat(gaps()).hasSize(1);
    }

    /** The start was killed after it had marked the gap, and before it had counted it. */
    @Test
    void gapThatIsMarkedAndNotCountedIsCounted() throws IOException {
        byte[] synced;
        try (TestJournal journal = TestJournal.open(root)) {
            begin(journal);
            journal.appendNumbered(0, 2, 5);
            synced = Files.readAllBytes(file());
            journal.appendNumbered(0, 1, 5);
        }
        byte[] counters = Files.readAllBytes(JournalPaths.countersFile(root));
        Files.write(file(), synced);
        long next;
        try (TestJournal journal = TestJournal.open(root)) {
            next = journal.nextSequence(0);
        }
        Files.write(JournalPaths.countersFile(root), counters);
        try (TestJournal journal = TestJournal.open(root)) {
            assertThat(journal.nextSequence(0)).isEqualTo(next);
            assertCloses(journal, 10, next - 10);
        }
        assertThat(gaps()).hasSize(1);
    }

    /** Not the damage of an older file, which has another cause: that is for a repair, which keeps the file. */
    @Test
    void damageIsRecoveredInFilesSinceTheLastSync() throws IOException {
        SyncSettings hourly = SyncSettings.interval(Duration.ofHours(1));
        try (TestJournal journal = TestJournal.openSynced(root, 1, hourly)) {
            begin(journal);
            Syncer syncer = new Syncer(journal.writer(0), journal.appends(), Duration.ofHours(1));
            journal.appendNumbered(0, 3, 5);
            assertThat(syncer.doWork()).isEqualTo(1);
            journal.appendNumbered(0, 4, 5);
        }
        List<JournalBytes.Place> places = JournalBytes.batches(root, 0);
        JournalBytes.damage(places.get(0));
        JournalBytes.damage(places.get(3));
        try (TestJournal journal = TestJournal.openSynced(root, 1, hourly)) {
            assertThat(gaps())
                    .filteredOn(gap -> gap.reason() == GapReason.POWER_FAILURE)
                    .extracting(JournalGap::firstSequence)
                    .containsExactly(15L, 35L);
            assertThat(journal.nextSequence(0)).isGreaterThan(35);
        }
        assertThat(problems(root)).isNotEmpty();
    }

    @Test
    void journalOfWhichNothingIsOnTheDisk() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            begin(journal);
            journal.appendNumbered(0, 2, 5);
        }
        Files.write(file(), new byte[(int) Files.size(file())]);
        try (TestJournal journal = TestJournal.open(root)) {
            assertCloses(journal, 0, journal.nextSequence(0));
            journal.appendNumbered(0, 1, 1);
        }
        assertThat(problems(root)).isEmpty();
        assertThat(readAll(root, 0)).hasSize(1);
    }

    /** The kernel writes pages when it likes, so the counters on the disk may be older than the journal. */
    @Test
    void countersThatAreOlderThanTheJournalLoseNothing() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            begin(journal);
            journal.appendNumbered(0, 2, 5);
            ShardCells counters = journal.counters(0);
            counters.set(Counter.JOURNALED_DATAGRAMS, 5);
            counters.set(Counter.RECEIVED_DATAGRAMS, 3);
        }
        try (TestJournal journal = TestJournal.open(root)) {
            assertCloses(journal, 10, journal.nextSequence(0) - 10);
        }
        assertThat(problems(root)).isEmpty();
    }

    @Test
    void killOnTheSameHostIsNoPowerFailure() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            proceed(journal);
            journal.appendNumbered(0, 2, 5);
        }
        try (TestJournal journal = TestJournal.open(root)) {
            assertThat(journal.nextSequence(0)).isEqualTo(10);
            assertCloses(journal, 10, 0);
        }
    }
}
