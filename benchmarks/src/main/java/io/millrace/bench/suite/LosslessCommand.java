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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace bench lossless}: the highest rate at which nothing is lost. */
@Command(
        name = "lossless",
        description = {
            "The highest rate at which a receiver loses nothing, by bisection; the rate found is confirmed by longer"
                    + " trials. A trial whose socket buffer was not nearly empty at its end does not count as lossless:"
                    + " the buffer hid an overload.",
        },
        footer = {
            "",
            "Examples:",
            "  millrace bench lossless --receivers baseline-append,millrace,rsyslog",
            "  millrace bench lossless --full --size 32"
        })
public final class LosslessCommand extends SuiteCommand {
    private static final String SEARCH = "search";
    private static final String CONFIRM = "confirm";
    private static final String BASELINE = "baseline-append";
    private static final double COARSE = 1.5;
    private static final double FINE = 1.1;
    private static final double WITHIN_THE_SENDER = 0.95;
    private static final double WORTH_A_TRIAL = 1.05;
    /** From a rate that a short trial kept and a long one did not; by 2 % each it would take all day. */
    private static final double DOWN = 1.05;

    private static final double LONGER = 10.0 / 3;
    private static final double FIRST = 300_000;
    private static final long LOWEST = 20_000;
    private static final long HIGHEST = 2_500_000;

    private final Map<String, Double> earlier = new LinkedHashMap<>();

    @Option(names = "--size", paramLabel = "BYTES", description = "Bytes a payload (default: ${DEFAULT-VALUE}).")
    private int size = 125;

    @Option(
            names = "--confirmations",
            paramLabel = "N",
            description = "How many longer trials the rate found must pass (default: 1, with --full 3).")
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
    int typicalSize() {
        return size;
    }

    @Override
    void measure(SuiteRun run) throws IOException, InterruptedException {
        check(List.of(size), List.of(LOWEST));
        List<Subject> subjects = run.take(Subjects.of(receivers()));
        int turns = rounds(1, 3);
        run.plan(turns * subjects.size() * (isFull() ? 12 : 6));
        for (int round = 1; round <= turns; round++) {
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
        while (kept >= LOWEST) {
            double sustained = confirm(run, subject, kept, round);
            if (sustained >= kept) {
                break;
            }
            kept = sustained;
        }
        earlier.put(subject.name(), Math.max(kept, LOWEST));
    }

    /** The highest rate that a short trial kept, 0 if none did; empty if the receiver cannot be run. */
    private OptionalDouble find(SuiteRun run, Subject subject, int round) throws IOException, InterruptedException {
        double kept = 0;
        double lost = HIGHEST;
        // A later round starts where the earlier one ended, goes on in smaller steps, and so needs fewer trials.
        @Nullable Double before = earlier.get(subject.name());
        double coarse = before == null ? COARSE : FINE;
        double next = before == null ? FIRST : before;
        try (TrialSeries series = run.series(subject)) {
            while (lost / Math.max(kept, LOWEST) > step() && next >= LOWEST) {
                Load load = load(subject, next, seconds(0.7, 3));
                TrialResult result = subject.seesGsoBatches()
                        ? run.run(SEARCH, subject, load, round)
                        : run.run(SEARCH, series, load, round);
                if (!result.ran()) {
                    return OptionalDouble.empty();
                }
                if (!result.valid()) {
                    // The sender's limit is no loss of the receiver's, and not worth finding to 2 %.
                    lost = Math.min(next, Math.max(kept * step(), result.achievedRate()));
                    next = Math.max(kept, result.achievedRate() * WITHIN_THE_SENDER);
                    if (next <= kept * WORTH_A_TRIAL) {
                        break;
                    }
                } else if (result.lossless()) {
                    kept = next;
                    next = lost == HIGHEST ? next * coarse : Math.sqrt(kept * lost);
                } else {
                    lost = next;
                    next = kept == 0 ? next / coarse : Math.sqrt(kept * lost);
                }
            }
        }
        return OptionalDouble.of(kept);
    }

    /** Tries a rate as often as it takes; the rate itself if every trial was lossless, else the one to try next. */
    private double confirm(SuiteRun run, Subject subject, double rate, int round)
            throws IOException, InterruptedException {
        for (int i = 0; i < confirmations(); i++) {
            TrialResult result = run.run(CONFIRM, subject, load(subject, rate, confirmSeconds()), round);
            if (!result.valid()) {
                return Math.min(rate / DOWN, result.achievedRate() * WITHIN_THE_SENDER);
            }
            if (!result.lossless()) {
                return rate / DOWN;
            }
        }
        return rate;
    }

    private double confirmSeconds() {
        return seconds(0.7, 3) * (isFull() ? LONGER : 1.5);
    }

    private Load load(Subject subject, double rate, double seconds) {
        Load load = Load.of(Math.round(rate), seconds, size);
        return subject.seesGsoBatches() ? load.withoutGso() : load;
    }

    @Override
    Document report(RunData data) {
        Document document = Sections.start("The highest rate without loss", data);
        document.text("Datagrams a second at which not one was lost in any of the confirming trials, and the socket"
                + " buffer was nearly empty at the end of each: median of the rounds and their range. Where the sender"
                + " itself could go no further, the figure is a lower bound and says so.");
        List<List<String>> rows = new ArrayList<>();
        List<Chart.Series> series = new ArrayList<>();
        for (String subject : data.measured()) {
            Map<Integer, Double> byRound = rates(data, subject);
            List<Double> rates = List.copyOf(byRound.values());
            double median = Statistics.median(rates);
            rows.add(List.of(
                    subject,
                    rates.isEmpty() ? "–" : Statistics.rate(median),
                    rates.isEmpty()
                            ? "–"
                            : String.join(
                                    ", ",
                                    rates.stream()
                                            .map(rate -> Statistics.rate((double) rate))
                                            .toList()),
                    Statistics.medianAndRange(ratios(byRound, rates(data, BASELINE)), "%.2f"),
                    rounds(data, subject, byRound)));
            List<Chart.Point> points = new ArrayList<>();
            if (!rates.isEmpty()) {
                points.add(new Chart.Point(0, median));
                rates.forEach(rate -> points.add(new Chart.Point(0, rate)));
            }
            series.add(new Chart.Series(subject, points));
        }
        document.heading("Lossless rate")
                .table(
                        List.of(
                                "receiver",
                                "median, a second",
                                "rounds",
                                "of baseline-append",
                                "rounds that the sender limited"),
                        rows);
        document.add(new Chart(
                "Highest rate without loss", "", "datagrams a second, median and range", Chart.Kind.BARS, series));
        return Sections.end(document, data);
    }

    /** Of each round, to the baseline of the same round: the machine is not the same one minutes later. */
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
        for (TrialResult trial : data.valid(CONFIRM)) {
            if (trial.subject().equals(subject)) {
                byRound.computeIfAbsent(trial.round(), round -> new TreeMap<>())
                        .computeIfAbsent(trial.load().rate(), rate -> new ArrayList<>())
                        .add(trial);
            }
        }
        // The search goes down until every trial of a rate passes, so what passed is what was tried last.
        Map<Integer, Double> rates = new TreeMap<>();
        byRound.forEach((round, byRate) -> byRate.forEach((rate, trials) -> {
            if (trials.stream().allMatch(TrialResult::lossless) && !voided(data, subject, round, rate)) {
                rates.merge(round, (double) rate, Math::min);
            }
        }));
        return rates;
    }

    /** True if a later try at the rate did not count: the ones that passed were then too few. */
    private static boolean voided(RunData data, String subject, int round, long rate) {
        List<TrialResult> tries = data.trials().stream()
                .filter(trial -> trial.suite().equals(CONFIRM)
                        && trial.subject().equals(subject)
                        && trial.round() == round
                        && trial.load().rate() == rate)
                .toList();
        return !tries.get(tries.size() - 1).valid();
    }

    /** How many rounds ended where the sender did: nothing between the confirmed rate and its limit was lost. */
    private static String rounds(RunData data, String subject, Map<Integer, Double> confirmed) {
        long limited = confirmed.entrySet().stream()
                .filter(entry -> data.trials().stream()
                        .filter(trial -> trial.subject().equals(subject)
                                && trial.round() == entry.getKey()
                                && trial.load().rate() > entry.getValue()
                                && trial.ran()
                                && !(trial.valid() && trial.lossless()))
                        // A try that counts says more than a void one before it.
                        .min(Comparator.<TrialResult>comparingLong(
                                        trial -> trial.load().rate())
                                .thenComparing(trial -> !trial.valid()))
                        .map(trial -> !trial.valid())
                        .orElse(false))
                .count();
        return limited == 0 ? "none" : limited + " of " + confirmed.size();
    }
}
