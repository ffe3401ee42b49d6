package io.millrace.bench.suite;

import io.millrace.bench.option.CountConverter;
import io.millrace.bench.report.Chart;
import io.millrace.bench.report.Document;
import io.millrace.bench.report.RunData;
import io.millrace.bench.report.Sections;
import io.millrace.bench.report.Statistics;
import io.millrace.bench.subject.Subject;
import io.millrace.bench.subject.Subjects;
import io.millrace.bench.trial.TrialResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace bench cost}: CPU time per datagram at fixed rates. */
@Command(
        name = "cost",
        description = "CPU time per datagram: of all threads of the receiver, in user space and in the kernel, at fixed"
                + " rates, and as a ratio to the C baseline in the same round.",
        footer = {
            "",
            "Examples:",
            "  millrace bench cost",
            "  millrace bench cost --full --receivers baseline-append,millrace,rsyslog --rates 100k,300k"
        })
public final class CostCommand extends SuiteCommand {
    private static final String PART = "cost";
    private static final int SIZE = 125;

    /** With a higher loss the CPU time per received datagram is not comparable. */
    private static final double MAX_LOSS = 0.01;

    @Option(
            names = "--rates",
            paramLabel = "RATE",
            split = ",",
            converter = CountConverter.class,
            description = "Datagrams per second (default: 100k,300k; with --full also 600k).")
    private @Nullable List<Long> rates;

    @Override
    String suite() {
        return "cost";
    }

    @Override
    List<String> defaultReceivers() {
        List<String> names = new ArrayList<>(
                List.of(BASELINE, "millrace-native", "millrace-epoll", "millrace-nio", "rsyslog", "syslog-ng"));
        names.addAll(
                isFull()
                        ? List.of("bio", "nio", "mapped-queue-nio", "netty-epoll", "io_uring")
                        : List.of("netty-epoll"));
        return names;
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
        int rounds = rounds(1, 3);
        run.plan(rounds * rates().size() * subjects.size());
        for (int round = 1; round <= rounds; round++) {
            for (long rate : rates()) {
                for (Subject subject : subjects) {
                    var unused = run.run(PART, subject, load(subject, rate, seconds(1, 5), SIZE), round);
                }
            }
        }
    }

    @Override
    Document report(RunData data) {
        Document document = Sections.start("CPU time per datagram", data);
        document.text("CPU time of all threads of the receiving process per received datagram of 125 bytes, after a"
                + " warm-up: median of the rounds and range. Values in brackets are not comparable: the receiver lost"
                + " more than 1 %. Memory is that of the process after the load, without mapped files.");
        List<Long> measuredRates = data.rates(PART, SIZE);
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
        document.heading("Nanoseconds per datagram").table(columns, rows);
        for (long rate : measuredRates) {
            document.add(chart(data, rate));
        }
        return Sections.end(document, data);
    }

    private static List<String> row(RunData data, String subject, List<Long> measuredRates) {
        List<String> row = new ArrayList<>(List.of(subject));
        for (long rate : measuredRates) {
            String cost = Statistics.medianAndRange(Statistics.costs(trials(data, subject, rate)), "%,.0f");
            String ratio = Statistics.medianAndRange(ratios(data, subject, rate), "%.2f");
            boolean lossy = isLossy(data, subject, rate);
            row.add(lossy ? "[" + cost + "]" : cost);
            row.add(lossy || isLossy(data, BASELINE, rate) ? "[" + ratio + "]" : ratio);
        }
        long memory = data.valid(PART, subject).stream()
                .mapToLong(TrialResult::memoryBytes)
                .max()
                .orElse(0);
        row.add(String.format(Locale.ROOT, "%,.1f", memory / 1e6));
        return row;
    }

    private static boolean isLossy(RunData data, String subject, long rate) {
        return Statistics.median(trials(data, subject, rate).stream()
                        .map(TrialResult::loss)
                        .toList())
                > MAX_LOSS;
    }

    private static List<TrialResult> trials(RunData data, String subject, long rate) {
        return data.valid(PART, subject, SIZE, rate);
    }

    /** The ratios to the baseline of the same round: the speed of the host changes within minutes. */
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
        List<Chart.Series> series = data.measured().stream()
                .map(subject -> Chart.Series.medianAndRange(
                        isLossy(data, subject, rate) ? subject + " [lossy]" : subject,
                        Statistics.costs(trials(data, subject, rate))))
                .toList();
        return Chart.bars(
                "CPU time per datagram at " + Statistics.rate((double) rate) + "/s", "ns, median and range", series);
    }
}
