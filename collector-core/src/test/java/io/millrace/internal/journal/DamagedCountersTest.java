package io.millrace.internal.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.Counter;
import io.millrace.internal.journal.recovery.JournalRepair;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A flipped bit in the counters must not change the next sequence number. */
class DamagedCountersTest {
    @TempDir
    private Path root;

    @BeforeEach
    void flipABit() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 5, 10);
        }
        try (TestJournal journal = TestJournal.open(root)) {
            journal.counters(0).set(Counter.JOURNALED_DATAGRAMS, 50 | 1L << 62);
        }
    }

    @Test
    void numberingContinuesAtTheEndOfTheJournalAndTheFileIsKept() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            assertThat(journal.nextSequence(0)).isEqualTo(50);
            assertThat(journal.counters(0).get(Counter.RECEIVED_DATAGRAMS)).isEqualTo(50);
            journal.appendNumbered(0, 1, 10);
        }
        assertThat(kept()).hasSize(1);
        assertThat(JournalChecks.cleanSummary(root).datagrams()).isEqualTo(60);
    }

    @Test
    void verifyNamesTheFile() throws IOException {
        assertThat(JournalChecks.problems(root)).singleElement().satisfies(problem -> {
            assertThat(problem.file()).isEqualTo(JournalPaths.countersFile(root));
            assertThat(problem.what()).contains("damaged counters", Long.toString(50 | 1L << 62));
        });
    }

    @Test
    void repairAddsNoGapForDatagramsThatWereNeverJournaled() throws IOException {
        var unused = new JournalRepair(root, new long[0], (bytes, total) -> {}).run();
        assertThat(JournalChecks.cleanSummary(root).gaps()).isEmpty();
        assertThat(kept()).hasSize(1);
    }

    private List<Path> kept() throws IOException {
        try (var files = Files.list(root)) {
            return files.filter(file -> file.toString().contains("counters.damaged-"))
                    .toList();
        }
    }
}
