package io.millrace.bench.suite;

import io.millrace.bench.report.Document;
import io.millrace.bench.report.Environment;
import io.millrace.bench.report.RunData;
import io.millrace.bench.report.RunFolder;
import io.millrace.bench.report.Statistics;
import io.millrace.bench.subject.ChildProcess;
import io.millrace.bench.subject.Launch;
import io.millrace.bench.subject.Programs;
import io.millrace.bench.subject.Subject;
import io.millrace.bench.trial.Load;
import io.millrace.bench.trial.TrialResult;
import io.millrace.bench.trial.TrialRunner;
import io.millrace.bench.trial.TrialSeries;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A run under way: every trial is recorded and reported as soon as it is done. One thread. */
final class SuiteRun {
    private static final int TRIES = 3;
    private static final double NEARLY = 0.9;

    private final String suite;
    private final String mode;
    private final String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    private final Map<String, String> settings;
    private final Map<String, String> environment = Environment.read();
    private final List<RunData.SubjectData> subjects = new ArrayList<>();
    private final List<Subject> available = new ArrayList<>();
    private final List<TrialResult> results = new ArrayList<>();
    private final TrialRunner trials;
    private final RunFolder folder;
    private final Function<RunData, Document> report;
    private final long startNanos = System.nanoTime();
    private int planned;

    SuiteRun(
            String suite,
            String mode,
            Map<String, String> settings,
            TrialRunner trials,
            RunFolder folder,
            Function<RunData, Document> report) {
        this.suite = suite;
        this.mode = mode;
        this.settings = settings;
        this.trials = trials;
        this.folder = folder;
        this.report = report;
    }

    /** Takes the subjects that can be measured here, and notes why the others cannot. */
    List<Subject> take(List<Subject> wanted) throws IOException {
        Launch example = trials.launch(Path.of("DIRECTORY"));
        for (Subject subject : wanted) {
            Optional<String> why = subject.unavailable();
            subjects.add(new RunData.SubjectData(
                    subject.name(),
                    subject.description(),
                    why.isPresent() ? "" : withoutPaths(subject.configuration(example)),
                    why.orElse(null)));
            if (why.isPresent()) {
                System.err.printf("millrace bench: skipped: %s: %s%n", subject.name(), why.get());
            } else {
                available.add(subject);
            }
        }
        return List.copyOf(available);
    }

    /** Where things are installed on one host tells nobody anything. */
    private static String withoutPaths(String configuration) throws IOException {
        return configuration
                .replace(Programs.home().toAbsolutePath().toString(), "MILLRACE")
                .replace(System.getProperty("java.home") + "/bin/java", "java");
    }

    /** Says how many trials are to come, about. */
    void plan(int more) {
        planned += more;
    }

    /** Runs a trial, again if it is void for the sender's sake; every try is recorded, and the last one given. */
    TrialResult run(String part, Subject subject, Load load, int round) throws IOException, InterruptedException {
        return run(() -> trials.run(part, subject, load, round));
    }

    /** Runs a trial of a series, in the same way. */
    TrialResult run(String part, TrialSeries series, Load load, int round) throws IOException, InterruptedException {
        return run(() -> series.run(part, load, round));
    }

    /** Begins a series. */
    TrialSeries series(Subject subject) {
        return trials.series(subject);
    }

    private interface Try {
        TrialResult run() throws InterruptedException;
    }

    private TrialResult run(Try trial) throws IOException, InterruptedException {
        TrialResult result = once(trial);
        for (int tries = 1; tries < TRIES && isWorthAnotherTry(result); tries++) {
            planned++;
            result = once(trial);
        }
        return result;
    }

    /** A sender that fell far short will do so again. */
    private static boolean isWorthAnotherTry(TrialResult result) {
        return result.ran()
                && !result.valid()
                && result.achievedRate() > result.load().rate() * NEARLY;
    }

    private TrialResult once(Try trial) throws IOException, InterruptedException {
        TrialResult result = trial.run();
        if (ChildProcess.isShuttingDown()) {
            // What was interrupted is no result, and nothing more is started.
            throw new InterruptedException("interrupted: the report has the trials that were done");
        }
        results.add(result);
        folder.write(data(false), report.apply(data(false)));
        planned = Math.max(planned, results.size());
        System.err.println(progress(result));
        return result;
    }

    /** Says that some of the planned trials are not needed. */
    void skip(int fewer) {
        planned -= fewer;
    }

    private String progress(TrialResult result) {
        double elapsed = (System.nanoTime() - startNanos) / 1e9;
        long left = Math.round(elapsed / results.size() * (planned - results.size()));
        String outcome = result.valid()
                ? String.format(
                        Locale.ROOT,
                        "received %s %%%s",
                        Statistics.percentReceived(result.loss()),
                        result.nanosPerDatagram() == null
                                ? ""
                                : String.format(Locale.ROOT, ", %,.0f ns a datagram", result.nanosPerDatagram()))
                : "void: " + result.voidReason();
        return String.format(
                Locale.ROOT,
                "[%d/%d] %-18s %s: %s%s",
                results.size(),
                planned,
                result.subject(),
                result.load(),
                outcome,
                left > 0 ? "; about " + words(Duration.ofSeconds(left)) + " left" : "");
    }

    private static String words(Duration duration) {
        return duration.toMinutes() >= 2 ? duration.toMinutes() + " minutes" : duration.toSeconds() + " s";
    }

    /** Writes the report for the last time, and gives it. */
    Document finish() throws IOException {
        Document document = report.apply(data(true));
        folder.write(data(true), document);
        return document;
    }

    /** True if there was no receiver to measure. */
    boolean nothing() {
        return available.isEmpty();
    }

    /** Receivers that could be started and have not one trial that counts. */
    List<String> failed() {
        return available.stream()
                .map(Subject::name)
                .filter(name ->
                        results.stream().noneMatch(result -> result.subject().equals(name) && result.valid()))
                .toList();
    }

    private RunData data(boolean complete) {
        return new RunData(
                suite, mode, started, complete, settings, environment, List.copyOf(subjects), List.copyOf(results));
    }
}
