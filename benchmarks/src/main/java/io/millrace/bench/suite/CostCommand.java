package io.millrace.bench.suite;

import io.millrace.bench.command.WholeNumber;
import io.millrace.bench.report.Chart;
import io.millrace.bench.report.Document;
import io.millrace.bench.report.RunData;
import io.millrace.bench.report.Sections;
import io.millrace.bench.report.Statistics;
import io.millrace.bench.subject.Subject;
import io.millrace.bench.subject.Subjects;
import io.millrace.bench.trial.Load;
import io.millrace.bench.trial.TrialResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace bench cost}: CPU time per datagram, at fixed loads. */
@Command(
        name = "cost",
        description = "What a datagram costs: CPU time of all threads of the receiver, in user space and in the"
                + " kernel, at fixed loads, and as a ratio to the C baseline in the same round.",
        footer = {
            "",
            "Examples:",
            "  millrace bench cost",
            "  millrace bench cost --full --receivers baseline-append,millrace,rsyslog --rates 100k,300k"
        })
public final class CostCommand extends SuiteCommand {
    private static final String PART = "cost";
    private static final String BASELINE = "baseline-append";
    private static final int SIZE = 125;
    /** With more lost than this, what the others cost says little. */
    private static final double TOLERATED_LOSS = 0.01;

    @Option(
            names = "--rates",
            paramLabel = "RATE",
            split = ",",
            converter = WholeNumber.class,
            description = "Datagrams a second (default: 100k,300k; with --full also 600k).")
    private @Nullable List<Long> rates;

    @Override
    String suite() {
        return "cost";
    }

    @Override
    List<String> defaultReceivers() {
        return isFull()
                ? List.of(
                        BASELINE,
                        "millrace-native",
                        "millrace-epoll",
                        "millrace-nio",
                        "rsyslog",
                        "syslog-ng",
                        "bio",
                        "nio",
                        "mapped-queue-nio",
                        "netty-epoll",
                        "io_uring")
                : List.of(
                        BASELINE,
                        "millrace-native",
                        "millrace-epoll",
                        "millrace-nio",
                        "rsyslog",
                        "syslog-ng",
                        "netty-epoll");
    }

    private List<Long> rates() {
        if (rates != null) {
            return rates.stream().distinct().toList();
        }
        return isFull() ? List.of(100_000L, 300_000L, 600_000L) : List.of(100_000L, 300_000L);
    }

    @Override
    void measure(SuiteRun run) throws IOException, InterruptedException {
        check(List.of(SIZE), rates());
        List<Subject> subjects = run.take(Subjects.of(receivers()));
        int turns = rounds(1, 3);
        run.plan(turns * rates().size() * subjects.size());
        for (int round = 1; round <= turns; round++) {
            for (long rate : rates()) {
                for (Subject subject : subjects) {
                    Load load = Load.of(rate, seconds(1, 5), SIZE);
                    var unused = run.run(PART, subject, subject.seesGsoBatches() ? load.withoutGso() : load, round);
                }
            }
        }
    }

    @Override
    Document report(RunData data) {
        Document document = Sections.start("What a datagram costs", data);
        document.text(
                "CPU time of all threads of the receiving process for each datagram received, 125-byte"
                        + " datagrams, after a warm-up: median of the rounds and their range. A figure is in brackets if the"
                        + " receiver lost more than 1 %: it did less work than was asked. Memory is what the process held after the load, without files it has mapped.");
        List<Long> measuredRates = data.valid(PART).stream()
                .map(trial -> trial.load().rate())
                .distinct()
                .sorted()
                .toList();
        List<String> columns = new ArrayList<>(List.of("receiver"));
        measuredRates.forEach(rate -> {
            columns.add("ns at " + Statistics.rate(rate));
            columns.add("of " + BASELINE);
        });
        columns.add("memory, MB");
        List<List<String>> rows = new ArrayList<>();
        for (String subject : data.measured()) {
            rows.add(row(data, subject, measuredRates));
        }
        document.heading("Nanoseconds a datagram").table(columns, rows);
        for (long rate : measuredRates) {
            document.add(chart(data, rate));
        }
        return Sections.end(document, data);
    }

    private static List<String> row(RunData data, String subject, List<Long> measuredRates) {
        List<String> row = new ArrayList<>(List.of(subject));
        for (long rate : measuredRates) {
            List<TrialResult> trials = trials(data, subject, rate);
            String cost = Statistics.medianAndRange(costs(trials), "%,.0f");
            String ratio = Statistics.medianAndRange(ratios(data, subject, rate), "%.2f");
            row.add(lossy(data, subject, rate) ? "[" + cost + "]" : cost);
            row.add(lossy(data, subject, rate) || lossy(data, BASELINE, rate) ? "[" + ratio + "]" : ratio);
        }
        row.add(String.format(
                Locale.ROOT,
                "%,.1f",
                data.valid(PART).stream()
                                .filter(trial -> trial.subject().equals(subject))
                                .mapToLong(TrialResult::memoryBytes)
                                .max()
                                .orElse(0)
                        / 1e6));
        return row;
    }

    private static boolean lossy(RunData data, String subject, long rate) {
        return Statistics.median(trials(data, subject, rate).stream()
                        .map(TrialResult::loss)
                        .toList())
                > TOLERATED_LOSS;
    }

    private static List<TrialResult> trials(RunData data, String subject, long rate) {
        return data.valid(PART).stream()
                .filter(trial -> trial.subject().equals(subject) && trial.load().rate() == rate)
                .toList();
    }

    private static List<Double> costs(List<TrialResult> trials) {
        List<Double> costs = new ArrayList<>();
        for (TrialResult trial : trials) {
            if (trial.nanosPerDatagram() != null) {
                costs.add(trial.nanosPerDatagram());
            }
        }
        return costs;
    }

    /** Of each round, to the baseline of the same round: the machine is not the same one a minute later. */
    private static List<Double> ratios(RunData data, String subject, long rate) {
        List<Double> ratios = new ArrayList<>();
        for (TrialResult trial : trials(data, subject, rate)) {
            for (TrialResult baseline : trials(data, BASELINE, rate)) {
                if (baseline.round() == trial.round()
                        && baseline.nanosPerDatagram() != null
                        && trial.nanosPerDatagram() != null) {
                    ratios.add(trial.nanosPerDatagram() / baseline.nanosPerDatagram());
                }
            }
        }
        return ratios;
    }

    private static Chart chart(RunData data, long rate) {
        List<Chart.Series> series = new ArrayList<>();
        for (String subject : data.measured()) {
            List<Double> costs = costs(trials(data, subject, rate));
            List<Chart.Point> points = new ArrayList<>();
            if (!costs.isEmpty()) {
                points.add(new Chart.Point(0, Statistics.median(costs)));
                costs.forEach(cost -> points.add(new Chart.Point(0, cost)));
            }
            series.add(new Chart.Series(lossy(data, subject, rate) ? subject + " [lossy]" : subject, points));
        }
        return new Chart(
                "CPU time a datagram at " + Statistics.rate(rate) + " a second",
                "",
                "ns, median and range",
                Chart.Kind.BARS,
                series);
    }
}
