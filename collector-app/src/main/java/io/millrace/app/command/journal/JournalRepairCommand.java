package io.millrace.app.command.journal;

import io.millrace.app.report.JournalJson;
import io.millrace.app.report.Terminal;
import io.millrace.internal.deliver.PositionCheck;
import io.millrace.internal.journal.recovery.JournalRepair;
import io.millrace.internal.journal.recovery.JournalScanner;
import io.millrace.internal.journal.recovery.JournalSummary;
import io.millrace.journal.Journal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code millrace journal repair}: repairs a damaged journal while no service uses it. */
@Command(
        name = "repair",
        description = {
            "Repair a damaged journal while the service does not run. Intact batches are kept with their"
                    + " sequences; lost ones become a gap with its count. The old files are kept in"
                    + " journal.before-repair-TIME.",
            "",
            "Exit codes: 0 repaired, or nothing to repair; 1 failed, the journal is unchanged; 2 bad usage."
        })
final class JournalRepairCommand implements Callable<Integer> {
    @Mixin
    private JournalCommand.Options options = new JournalCommand.Options();

    @Override
    public Integer call() throws IOException {
        Journal journal = options.openJournal();
        PositionCheck positions = new PositionCheck(journal);
        JournalRepair.Report report;
        try {
            report = new JournalRepair(options.data(), positions.highest(), Terminal.progress("Repairing the journal:"))
                    .run();
        } finally {
            Terminal.endProgress();
        }
        if (options.json) {
            System.out.println(JournalJson.repair(report).json());
        } else {
            print(report);
        }
        return warnOf(positions);
    }

    private void print(JournalRepair.Report report) throws IOException {
        JournalSummary before = report.before();
        Path aside = report.aside();
        if (aside == null) {
            System.out.println("nothing to repair: " + JournalText.counts(before));
            return;
        }
        JournalText.problems(options.data(), report.problems());
        JournalText.gaps(options.data(), before);
        System.out.printf(
                Locale.ROOT,
                "repaired: %,d datagrams in %,d batches kept, %,d datagrams lost; files rewritten: %d, left as they were: %d%n",
                before.datagrams(),
                before.batches(),
                before.missing(),
                report.writtenFiles(),
                report.linkedFiles());
        System.out.println("the old journal is in " + aside + "; remove it when it is no longer needed");
    }

    /** Damaged positions are reported and not repaired. */
    private static int warnOf(PositionCheck positions) {
        List<JournalScanner.Problem> damaged = positions.damaged();
        damaged.forEach(problem -> System.err.println("millrace: " + problem.what()));
        return damaged.isEmpty() ? 0 : 1;
    }
}
