package io.millrace.internal.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.journal.recovery.JournalRepair;
import io.millrace.internal.journal.recovery.JournalScanner;
import io.millrace.internal.journal.recovery.JournalSummary;
import io.millrace.journal.Journal;
import io.millrace.sink.Positions;
import io.millrace.sink.SinkPositions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PositionCheckTest {
    @TempDir
    Path root;

    private Journal journal;

    @BeforeEach
    void write() throws IOException {
        try (TestJournal written = TestJournal.openRolling(root, 1)) {
            written.appendNumbered(0, 4, 10);
        }
        journal = Journal.open(root);
    }

    @Test
    void positionsWithinTheJournalAreValid() throws IOException {
        stand("first", 0);
        stand("last", 40);
        assertThat(problems()).isEmpty();
        assertThat(notes()).isEmpty();
    }

    @Test
    void positionBeyondTheEndIsAProblemUntilARepair() throws IOException {
        stand("archive", 55);
        assertThat(problems()).anySatisfy(what -> assertThat(what).contains("15 datagrams are missing"));
        assertThat(problems())
                .anySatisfy(what -> assertThat(what).contains("output archive stands at datagram 55 of shard 0"));
        var unused = new JournalRepair(root, new PositionCheck(journal).highest(), (bytes, total) -> {}).run();
        assertThat(problems()).isEmpty();
    }

    @Test
    void positionBeforeTheBeginningIsANoteAndNoProblem() throws IOException {
        stand("archive", 3);
        try (Stream<Path> files = Files.list(root.resolve("journal/shard-0"))) {
            Files.delete(files.filter(it -> it.toString().endsWith(".cq4"))
                    .sorted()
                    .findFirst()
                    .orElseThrow());
        }
        assertThat(notes()).singleElement().asString().contains("begins at 10", "7 will be missing");
    }

    @Test
    void whatLiesAfterTheEndIsNotMissing() throws IOException {
        stand("done", 3, 3);
        stand("replay", 3, 5);
        try (Stream<Path> files = Files.list(root.resolve("journal/shard-0"))) {
            Files.delete(files.filter(it -> it.toString().endsWith(".cq4"))
                    .sorted()
                    .findFirst()
                    .orElseThrow());
        }
        assertThat(notes()).singleElement().asString().contains("output replay", "begins at 10", "2 will be missing");
    }

    /** Otherwise, datagrams that are received later would be part of the range. */
    @Test
    void sequencesOfARangeThatWasLostAreNotReused() throws IOException {
        stand("replay", 3, 55);
        assertThat(SinkPositions.highest(root, journal.meta().journalId())).containsExactly(55);
        assertThat(problems()).anySatisfy(what -> assertThat(what).contains("15 datagrams are missing"));
    }

    private void stand(String sink, long next, long end) throws IOException {
        PositionFile.of(root, sink)
                .write(new Positions(
                        journal.meta().journalId(),
                        new long[] {next},
                        Positions.Counts.NONE,
                        new Positions.Range(Instant.EPOCH, new long[] {end})));
    }

    @Test
    void damagedAndForeignPositionsAreProblems() throws IOException {
        stand("archive", 3);
        Path file = root.resolve("positions/archive");
        Files.writeString(file, Files.readString(file).replace("next 3", "next 4"));
        PositionFile.of(root, "other").write(new Positions(99, new long[] {7}, Positions.Counts.NONE));
        assertThat(problems()).hasSize(2);
        assertThat(problems().get(0)).contains("archive is damaged", "positions --set");
        assertThat(problems().get(1)).contains("output other", "of journal 0000000000000063");
    }

    private void stand(String sink, long next) throws IOException {
        PositionFile.of(root, sink)
                .write(new Positions(journal.meta().journalId(), new long[] {next}, Positions.Counts.NONE));
    }

    private List<String> problems() throws IOException {
        PositionCheck check = new PositionCheck(journal);
        List<JournalScanner.Problem> problems = new ArrayList<>();
        problems.addAll(check.problems(scan(check, problems)));
        return problems.stream().map(JournalScanner.Problem::what).toList();
    }

    private List<String> notes() throws IOException {
        PositionCheck check = new PositionCheck(journal);
        return check.notes(scan(check, new ArrayList<>()));
    }

    private JournalSummary scan(PositionCheck check, List<JournalScanner.Problem> problems) throws IOException {
        return new JournalScanner(root, problems::add, (bytes, total) -> {})
                .numberedTo(check.highest())
                .scan();
    }
}
