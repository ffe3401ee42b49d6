package io.millrace.bench.suite;

import io.millrace.bench.host.ChildProcess;
import io.millrace.bench.host.Environment;
import io.millrace.bench.host.Programs;
import io.millrace.bench.report.Document;
import io.millrace.bench.report.RunData;
import io.millrace.bench.report.RunFolder;
import io.millrace.bench.report.Statistics;
import io.millrace.bench.subject.LaunchSettings;
import io.millrace.bench.subject.Subject;
import io.millrace.bench.trial.CheckedSeries;
import io.millrace.bench.trial.CountedSeries;
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
import java.util.function.Predicate;

/** A running suite: every trial is recorded and reported as soon as it has ended. One thread. */
final class SuiteRun {
    private static final int MAX_TRIES = 3;
    private static final double RETRY_FACTOR = 0.9;

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
    private final Predicate<TrialResult> worthRetrying;
    private final Function<RunData, Document> report;
    private final long startNanos = System.nanoTime();
    private int planned;

    SuiteRun(
            String suite,
            String mode,
            Map<String, String> settings,
            TrialRunner trials,
            RunFolder folder,
            Predicate<TrialResult> worthRetrying,
            Function<RunData, Document> report) {
        this.suite = suite;
        this.mode = mode;
        this.settings = settings;
        this.trials = trials;
        this.folder = folder;
        this.worthRetrying = worthRetrying;
        this.report = report;
    }

    /** Selects the available subjects and records why others are not. */
    List<Subject> take(List<Subject> wanted) throws IOException {
        String busy = Doubts.ofMachine(
                environment.getOrDefault(Environment.LOAD_AVERAGE, ""),
                Runtime.getRuntime().availableProcessors());
        if (busy != null) {
            System.err.println("millrace bench: " + busy);
        }
        LaunchSettings example = trials.launch(Path.of("DIRECTORY"));
        for (Subject subject : wanted) {
            Optional<String> why = subject.unavailable();
            subjects.add(new RunData.SubjectData(
                    subject.name(),
                    subject.description(),
                    why.isPresent() ? "" : Programs.withoutPaths(subject.configuration(example)),
                    why.orElse(null)));
            if (why.isPresent()) {
                System.err.printf("millrace bench: skipped: %s: %s%n", subject.name(), why.get());
            } else {
                available.add(subject);
            }
        }
        return List.copyOf(available);
    }

    /** Adds trials to the plan, for the progress. */
    void plan(int more) {
        planned += more;
    }

    /** Runs a trial, with retries if the sender missed its rate. Every try is recorded; the last one is returned. */
    TrialResult run(String part, Subject subject, Load load, int round) throws IOException, InterruptedException {
        return run(() -> trials.run(part, subject, load, round));
    }

    /** Runs a trial of a series in the same way. */
    TrialResult run(String part, TrialSeries series, Load load, int round) throws IOException, InterruptedException {
        return run(() -> series.run(part, load, round));
    }

    /** Ends a series with the comparison of all that was sent with the receiver's output. */
    TrialResult end(String part, CheckedSeries series, Load last, int round) throws IOException, InterruptedException {
        return once(() -> series.end(part, last, round));
    }

    /** Starts a series. */
    TrialSeries series(Subject subject) {
        return trials.series(subject);
    }

    /** Starts a series whose output is compared at its end. */
    CheckedSeries checkedSeries(Subject subject, Load warmUp) {
        return trials.checkedSeries(subject, warmUp);
    }

    /** Starts a series whose messages are counted at its end. */
    CountedSeries countedSeries(Subject subject, Load warmUp) {
        return trials.countedSeries(subject, warmUp);
    }

    /** Ends it, and records the results of its trials. */
    void end(CountedSeries series) throws IOException, InterruptedException {
        for (TrialResult result : series.end()) {
            var unused = once(() -> result);
        }
    }

    private interface Try {
        TrialResult run() throws InterruptedException;
    }

    private TrialResult run(Try trial) throws IOException, InterruptedException {
        TrialResult result = once(trial);
        for (int tries = 1; tries < MAX_TRIES && isWorthRetrying(result); tries++) {
            planned++;
            result = once(trial);
        }
        return result;
    }

    /** A sender that missed its rate by far will miss it again. */
    private boolean isWorthRetrying(TrialResult result) {
        return result.ran()
                && !result.valid()
                && result.achievedRate() > result.load().rate() * RETRY_FACTOR
                && worthRetrying.test(result);
    }

    private TrialResult once(Try trial) throws IOException, InterruptedException {
        TrialResult result = trial.run();
        if (ChildProcess.isShuttingDown()) {
            // An interrupted trial is no result.
            throw new InterruptedException("interrupted: the report has the completed trials");
        }
        results.add(result);
        folder.write(data(false), report.apply(data(false)));
        planned = Math.max(planned, results.size());
        if (results.size() == 1) {
            System.err.printf("%-7s %-18s %s%n", "trial", "receiver", "load: result");
        }
        System.err.println(progress(result));
        return result;
    }

    /** Removes trials from the plan. */
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
                                : String.format(Locale.ROOT, ", %,.0f ns per datagram", result.nanosPerDatagram()))
                : "invalid: " + result.voidReason();
        return String.format(
                Locale.ROOT,
                "%-7s %-18s %s: %s%s",
                "[" + results.size() + "/" + planned + "]",
                result.subject(),
                result.load(),
                outcome,
                left > 0 ? "; about " + words(Duration.ofSeconds(left)) + " left" : "");
    }

    private static String words(Duration duration) {
        return duration.toMinutes() >= 2 ? duration.toMinutes() + " minutes" : duration.toSeconds() + " s";
    }

    /** Writes and returns the final report. */
    Document finish() throws IOException {
        Document document = report.apply(data(true));
        folder.write(data(true), document);
        return document;
    }

    /** Why the results may be wrong. */
    List<String> doubts() {
        return Doubts.of(results);
    }

    /** True if no receiver was available. */
    boolean isEmpty() {
        return available.isEmpty();
    }

    /** Available receivers without a valid trial. */
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
