package io.millrace.app.command.journal;

import io.millrace.app.report.JournalJson;
import io.millrace.app.report.Terminal;
import io.millrace.internal.deliver.PositionCheck;
import io.millrace.internal.journal.recovery.JournalScanner;
import io.millrace.internal.journal.recovery.JournalSummary;
import io.millrace.journal.Journal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code millrace journal verify}: checks a journal. Read-only; the service may run. */
@Command(
        name = "verify",
        description = {
            "Check each batch of the journal (checksum, structure, place in its file), the sequences for gaps,"
                    + " and the positions of outputs. Read-only; the service may run.",
            "",
            "Exit codes: 0 intact; 1 damaged, or the journal cannot be read; 2 bad usage."
        })
final class JournalVerifyCommand implements Callable<Integer> {
    @Mixin
    private JournalCommand.Options options = new JournalCommand.Options();

    @Override
    public Integer call() throws IOException {
        Journal journal = options.openJournal();
        PositionCheck positions = new PositionCheck(journal);
        List<JournalScanner.Problem> problems = new ArrayList<>();
        JournalSummary summary;
        try {
            summary = new JournalScanner(options.data(), problems::add, Terminal.progress("Reading the journal:"))
                    .numberedTo(positions.highest())
                    .scan();
        } finally {
            Terminal.endProgress();
        }
        problems.addAll(positions.problems(summary));
        List<String> notes = positions.notes(summary);
        if (options.json) {
            System.out.println(JournalJson.verify(summary, problems, notes).json());
            return problems.isEmpty() ? 0 : 1;
        }
        JournalText.problems(options.data(), problems);
        JournalText.gaps(options.data(), summary);
        notes.forEach(System.out::println);
        System.out.printf(
                "%s: %s%n",
                problems.isEmpty()
                        ? "clean"
                        : problems.size() + (problems.size() == 1 ? " problem" : " problems") + "; intact",
                JournalText.counts(summary));
        if (!problems.isEmpty()) {
            System.err.println(
                    "millrace: stop the service and run 'millrace journal repair', which keeps intact batches"
                            + " (docs/operate/repair.md)");
        }
        return problems.isEmpty() ? 0 : 1;
    }
}
