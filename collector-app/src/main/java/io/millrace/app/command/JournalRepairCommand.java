package io.millrace.app.command;

import io.millrace.app.report.JournalJson;
import io.millrace.app.report.Terminal;
import io.millrace.deliver.PositionCheck;
import io.millrace.journal.read.Journal;
import io.millrace.journal.recovery.JournalRepair;
import io.millrace.journal.recovery.JournalScanner;
import io.millrace.journal.recovery.JournalSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code millrace journal repair}: makes a damaged journal whole, while no service runs on it. */
@Command(
        name = "repair",
        description = {
            "Make a damaged journal whole again, while the service does not run: whole batches stay, with their numbers;"
                    + " what is lost becomes a gap with its count. The old files are kept beside it, in"
                    + " journal.before-repair-TIME.",
            "",
            "Exit codes: 0 repaired, or nothing to repair; 1 could not, the journal is as it was; 2 bad usage."
        })
final class JournalRepairCommand implements Callable<Integer> {
    @Mixin
    private JournalCommand.Options options = new JournalCommand.Options();

    @Override
    public Integer call() throws IOException {
        Journal journal = Journal.open(options.data);
        PositionCheck positions = new PositionCheck(journal);
        JournalRepair.Report report;
        try {
            report = new JournalRepair(options.data, positions.highest(), Terminal.progress("Repairing the journal:"))
                    .run();
        } finally {
            Terminal.endProgress();
        }
        if (options.json) {
            System.out.println(JournalJson.repair(report));
        } else {
            print(report);
        }
        return warnOf(positions);
    }

    private void print(JournalRepair.Report report) {
        JournalSummary before = report.before();
        Path aside = report.aside();
        if (aside == null) {
            System.out.println("nothing to repair: " + JournalText.figures(before));
            return;
        }
        JournalText.problems(options.data, report.problems());
        JournalText.gaps(options.data, before);
        System.out.printf(
                Locale.ROOT,
                "repaired: %,d datagrams in %,d batches kept, %,d datagrams lost; files rewritten: %d, left as they were: %d%n",
                before.datagrams(),
                before.batches(),
                before.missing(),
                report.writtenFiles(),
                report.linkedFiles());
        System.out.println("the journal as it was is in " + aside + "; remove it when nobody needs it any more");
    }

    /** Positions are not for a repair to guess. */
    private static int warnOf(PositionCheck positions) {
        List<JournalScanner.Problem> damaged = positions.damaged();
        damaged.forEach(problem -> System.err.println("millrace: " + problem.what()));
        return damaged.isEmpty() ? 0 : 1;
    }
}
