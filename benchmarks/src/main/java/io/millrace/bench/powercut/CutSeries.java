package io.millrace.bench.powercut;

import io.millrace.bench.report.DocumentFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/** The runs of a test: each makes some cuts and then checks them. Cuts with violations are kept. */
final class CutSeries {
    private static final int MAX_KEPT = 3;

    private final DocumentFiles folder;
    private final PowerCutReport report;
    private final Map<String, String> settings;
    private final long seed;
    private final int total;
    private int kept;

    CutSeries(DocumentFiles folder, PowerCutReport report, Map<String, String> settings, long seed, int total) {
        this.folder = folder;
        this.report = report;
        this.settings = settings;
        this.seed = seed;
        this.total = total;
    }

    /** Runs the service on an empty disk and checks the copies that were made meanwhile. */
    void run(CutPlan plan, CutDisk disk, int number, int firstCut, int count, Random random)
            throws IOException, InterruptedException {
        MessageFormat format = new MessageFormat(random.nextInt());
        CutRun run = new CutRun(plan, disk, number, format, random);
        run.run(firstCut, count);
        Recovery.Reference reference = new Recovery.Reference(
                format, JournalContent.read(plan.data(), format), DeliveredFile.read(run.deliveredFile(), format));
        note(run, number, reference);
        disk.unmount();
        for (Cut cut : run.cuts()) {
            check(plan, disk, run, cut, reference);
        }
    }

    private void note(CutRun run, int number, Recovery.Reference reference) {
        JournalContent journal = reference.journal();
        report.addRun(String.format(
                Locale.ROOT,
                "run %d: %,d messages journaled, %,d of RELP, %,d of TCP, %,d of %,d of UDP; longest sync %.0f ms",
                number,
                journal.messages(),
                journal.count(CutPlan.RELP),
                journal.count(CutPlan.TCP),
                journal.count(CutPlan.UDP),
                run.sources().stream()
                        .filter(source -> source.number() == CutPlan.UDP)
                        .mapToInt(Source::sent)
                        .sum(),
                run.longestSyncSeconds() * 1000));
        journal.problems().forEach(problem -> report.addViolation("run " + number + " without a cut: " + problem));
        if (journal.missing() > 0) {
            report.addViolation(
                    "run " + number + " without a cut: " + journal.missing() + " sequence numbers are missing");
        }
    }

    private void check(CutPlan plan, CutDisk disk, CutRun run, Cut cut, Recovery.Reference reference)
            throws IOException, InterruptedException {
        // The recovery writes to the copy: another one shows what it found.
        Path untouched = disk.copy("cut-" + cut.number() + "-untouched");
        Shell.run("cp", "--reflink=always", cut.image().toString(), untouched.toString());
        Recovery recovery = new Recovery(plan, run, cut, reference);
        CutResult result;
        disk.mountCopy(cut.image());
        try {
            result = recovery.check();
        } finally {
            disk.unmount();
        }
        if (!result.violations().isEmpty() && kept < MAX_KEPT) {
            kept++;
            keep(run, cut, untouched, recovery.log());
        }
        Files.delete(untouched);
        Files.delete(cut.image());
        report.add(result);
        folder.write(report.document(settings, seed));
        System.err.printf(
                Locale.ROOT,
                "[%d of %d] copied in %.1f ms, ready in %,d ms, %s%n",
                cut.number(),
                total,
                cut.copyMicros() / 1e3,
                result.readyMs(),
                result.violations().isEmpty()
                        ? "passed"
                        : result.violations().size() + " violations: "
                                + result.violations().get(0));
    }

    private void keep(CutRun run, Cut cut, Path untouched, List<String> log) throws IOException {
        String name = "cut-" + cut.number();
        Shell.run("cp", "--sparse=always", untouched.toString(), file(name + ".img"));
        Shell.run("cp", run.deliveredFile().toString(), file(name + "-delivered.log"));
        folder.write(name + "-service.log", String.join("\n", log) + "\n");
        System.err.println("millrace bench: the disk of cut " + cut.number() + " is kept as " + file(name + ".img"));
    }

    private String file(String name) {
        return folder.path().resolve(name).toAbsolutePath().toString();
    }
}
