package io.millrace.bench.suite;

import io.millrace.bench.report.Chart;
import io.millrace.bench.report.Document;
import io.millrace.bench.report.RunData;
import io.millrace.bench.report.Sections;
import io.millrace.bench.report.Statistics;
import io.millrace.bench.subject.Subject;
import io.millrace.bench.subject.Subjects;
import io.millrace.bench.trial.Load;
import io.millrace.bench.trial.TrialResult;
import io.millrace.bench.trial.TrialSeries;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace bench lossless}: the highest rate without loss. */
@Command(
        name = "lossless",
        description = {
            "The highest rate at which a receiver loses nothing, by bisection, confirmed by longer trials. A rate is too"
                    + " high if two trials in a row have lost something. A trial counts as lossless only if the socket"
                    + " buffer was nearly empty at its end: otherwise the buffer hid an overload.",
        },
        footer = {
            "",
            "Examples:",
            "  millrace bench lossless --receivers baseline-append,millrace,rsyslog",
            "  millrace bench lossless --receivers millrace-file,rsyslog",
            "  millrace bench lossless --full --size 32"
        })
public final class LosslessCommand extends SuiteCommand {
    private static final String SEARCH = "search";
    private static final String CONFIRM = "confirm";
    private static final double COARSE_STEP = 1.5;
    private static final double FINE_STEP = 1.1;
    private static final double SENDER_MARGIN = 0.95;
    private static final double MIN_STEP = 1.05;
    /** The step down from a rate that only the short trial sustained; steps of 2 % would take too long. */
    private static final double STEP_DOWN = 1.05;

    private static final double CONFIRM_FACTOR = 10.0 / 3;
    private static final double FIRST_RATE = 300_000;
    private static final long MIN_RATE = 20_000;
    private static final long MAX_RATE = 2_500_000;

    private final Map<String, Double> earlier = new LinkedHashMap<>();

    @Option(names = "--size", paramLabel = "BYTES", description = "Bytes per payload (default: ${DEFAULT-VALUE}).")
    private int size = 125;

    @Option(
            names = "--confirmations",
            paramLabel = "N",
            description = "How many longer trials must confirm the rate (default: 1, with --full 3).")
    private @Nullable Integer confirmations;

    @Override
    String suite() {
        return "lossless";
    }

    @Override
    List<String> defaultReceivers() {
        return List.of("baseline-append", "millrace-native", "millrace-epoll", "rsyslog", "syslog-ng");
    }

    private double step() {
        return isFull() ? 1.02 : 1.15;
    }

    private int confirmations() {
        return confirmations != null ? confirmations : isFull() ? 3 : 1;
    }

    @Override
    boolean samplesQueue() {
        return true;
    }

    @Override
    int typicalSize() {
        return size;
    }

    @Override
    void measure(SuiteRun run) throws IOException, InterruptedException {
        check(List.of(size), List.of(MIN_RATE));
        List<Subject> subjects = run.take(Subjects.of(receivers()));
        int rounds = rounds(1, 3);
        run.plan(rounds * subjects.size() * (isFull() ? 12 : 6));
        for (int round = 1; round <= rounds; round++) {
            for (Subject subject : subjects) {
                search(run, subject, round);
            }
        }
    }

    private void search(SuiteRun run, Subject subject, int round) throws IOException, InterruptedException {
        OptionalDouble found = find(run, subject, round);
        if (found.isEmpty()) {
            return;
        }
        double kept = found.getAsDouble();
        while (kept >= MIN_RATE) {
            double sustained = confirm(run, subject, kept, round);
            if (sustained >= kept) {
                break;
            }
            kept = sustained;
        }
        earlier.put(subject.name(), Math.max(kept, MIN_RATE));
    }

    /** The highest rate that a short trial sustained, 0 if none did; empty if the receiver cannot be run. */
    private OptionalDouble find(SuiteRun run, Subject subject, int round) throws IOException, InterruptedException {
        double kept = 0;
        double lost = MAX_RATE;
        double lostOnce = 0;
        // A later round starts at the earlier result with smaller steps, so it needs fewer trials.
        @Nullable Double before = earlier.get(subject.name());
        double coarse = before == null ? COARSE_STEP : FINE_STEP;
        double next = before == null ? FIRST_RATE : before;
        try (TrialSeries series = run.series(subject)) {
            while (lost / Math.max(kept, MIN_RATE) > step() && next >= MIN_RATE) {
                Load load =
                        load(subject, Math.round(next), seconds(0.7, 3), size).withLargestGso();
                TrialResult result = subject.capturesUnsplitBatches()
                        ? run.run(SEARCH, subject, load, round)
                        : run.run(SEARCH, series, load, round);
                if (!result.ran()) {
                    return OptionalDouble.empty();
                }
                if (!result.valid() && result.lossless()) {
                    // This is the limit of the sender, not a loss of the receiver. It does not have to be exact.
                    lost = Math.min(next, Math.max(kept * step(), result.achievedRate()));
                    next = Math.max(kept, result.achievedRate() * SENDER_MARGIN);
                    if (next <= kept * MIN_STEP) {
                        break;
                    }
                } else if (result.lossless()) {
                    kept = next;
                    next = lost == MAX_RATE ? next * coarse : Math.sqrt(kept * lost);
                } else if (lostOnce != next) {
                    // Another process on the host may have caused the loss: only a second one limits the search.
                    lostOnce = next;
                } else {
                    lost = next;
                    next = kept == 0 ? next / coarse : Math.sqrt(kept * lost);
                }
            }
        }
        return OptionalDouble.of(kept);
    }

    /** Confirms a rate: returns the rate if every trial was lossless, else the next one to try. */
    private double confirm(SuiteRun run, Subject subject, double rate, int round)
            throws IOException, InterruptedException {
        for (int i = 0; i < confirmations(); i++) {
            Load load = load(subject, Math.round(rate), confirmSeconds(), size).withLargestGso();
            TrialResult result = run.run(CONFIRM, subject, load, round);
            if (!result.lossless()) {
                return rate / STEP_DOWN;
            }
            if (!result.valid()) {
                return Math.min(rate / STEP_DOWN, result.achievedRate() * SENDER_MARGIN);
            }
        }
        return rate;
    }

    /** An overloaded receiver takes CPU time of the sender: that this one missed its rate is no accident then. */
    @Override
    boolean isWorthRetrying(TrialResult missed) {
        return missed.lossless();
    }

    private double confirmSeconds() {
        return seconds(0.7, 3) * (isFull() ? CONFIRM_FACTOR : 1.5);
    }

    @Override
    Document report(RunData data) {
        Document document = Sections.start("The highest rate without loss", data);
        document.text("Datagrams per second without any loss in all confirming trials, and with a nearly empty socket"
                + " buffer at the end of each: median of the rounds and range. If the sender could not send faster, the"
                + " result is a lower bound.");
        // Receivers that deliver to a file are compared with another one that does.
        String reference = data.measured().contains(BASELINE) ? BASELINE : "rsyslog";
        List<List<String>> rows = new ArrayList<>();
        List<Chart.Series> series = new ArrayList<>();
        for (String subject : data.measured()) {
            Map<Integer, Double> byRound = rates(data, subject);
            List<Double> rates = List.copyOf(byRound.values());
            double median = Statistics.median(rates);
            rows.add(List.of(
                    subject,
                    rates.isEmpty() ? "–" : Statistics.rate(median),
                    rates.isEmpty() ? "–" : rates.stream().map(Statistics::rate).collect(Collectors.joining(", ")),
                    Statistics.medianAndRange(ratios(byRound, rates(data, reference)), "%.2f"),
                    rounds(data, subject, byRound)));
            series.add(Chart.Series.medianAndRange(subject, rates));
        }
        document.heading("Lossless rate")
                .table(
                        List.of(
                                "receiver",
                                "median, per second",
                                "rounds",
                                "of " + reference,
                                "rounds limited by the sender"),
                        rows);
        document.add(lossByRate(data));
        document.add(Chart.bars("Highest rate without loss", "datagrams per second, median and range", series));
        return Sections.end(document, data);
    }

    private static Chart lossByRate(RunData data) {
        List<Chart.Series> series = new ArrayList<>();
        for (String subject : data.measured()) {
            List<Chart.Point> points = data.trials().stream()
                    .filter(trial -> trial.valid() && trial.subject().equals(subject))
                    .map(trial -> new Chart.Point(trial.load().rate(), 100 * trial.loss()))
                    .toList();
            series.add(new Chart.Series(subject, points));
        }
        return new Chart("Loss against rate, a mark per trial", "msg/s", "lost, %", Chart.Kind.POINTS, series);
    }

    /** The ratios to the reference in the same round: the speed of the host changes within minutes. */
    private static List<Double> ratios(Map<Integer, Double> rates, Map<Integer, Double> baseline) {
        List<Double> ratios = new ArrayList<>();
        rates.forEach((round, rate) -> {
            Double of = baseline.get(round);
            if (of != null) {
                ratios.add(rate / of);
            }
        });
        return ratios;
    }

    /** The confirmed rate by round: the highest at which every confirming trial was lossless. */
    private static Map<Integer, Double> rates(RunData data, String subject) {
        Map<Integer, Map<Long, List<TrialResult>>> byRound = new TreeMap<>();
        for (TrialResult trial : data.trials()) {
            boolean decides = trial.valid() || (trial.ran() && !trial.lossless());
            if (decides && trial.suite().equals(CONFIRM) && trial.subject().equals(subject)) {
                byRound.computeIfAbsent(trial.round(), round -> new TreeMap<>())
                        .computeIfAbsent(trial.load().rate(), rate -> new ArrayList<>())
                        .add(trial);
            }
        }
        // The search goes down until all trials of a rate pass, so the passing rate is the last one.
        Map<Integer, Double> rates = new TreeMap<>();
        byRound.forEach((round, byRate) -> byRate.forEach((rate, trials) -> {
            if (trials.stream().allMatch(TrialResult::lossless) && !lastIsInvalid(data, subject, round, rate)) {
                rates.merge(round, (double) rate, Math::min);
            }
        }));
        return rates;
    }

    /** True if the last try of the rate was invalid: then too few passed. */
    private static boolean lastIsInvalid(RunData data, String subject, int round, long rate) {
        List<TrialResult> tries = data.trials().stream()
                .filter(trial -> trial.suite().equals(CONFIRM)
                        && trial.subject().equals(subject)
                        && trial.round() == round
                        && trial.load().rate() == rate)
                .toList();
        return !tries.get(tries.size() - 1).valid();
    }

    /** The number of rounds that the sender limited: no loss between the confirmed rate and the limit of the sender. */
    private static String rounds(RunData data, String subject, Map<Integer, Double> confirmed) {
        long limited = confirmed.entrySet().stream()
                .filter(entry -> data.trials().stream()
                        .filter(trial -> trial.subject().equals(subject)
                                && trial.round() == entry.getKey()
                                && trial.load().rate() > entry.getValue()
                                && trial.ran()
                                && !(trial.valid() && trial.lossless()))
                        // A valid try is more significant than an earlier invalid one.
                        .min(Comparator.<TrialResult>comparingLong(
                                        trial -> trial.load().rate())
                                .thenComparing(trial -> !trial.valid()))
                        .map(trial -> !trial.valid() && trial.lossless())
                        .orElse(false))
                .count();
        return limited == 0 ? "none" : limited + " of " + confirmed.size();
    }
}
