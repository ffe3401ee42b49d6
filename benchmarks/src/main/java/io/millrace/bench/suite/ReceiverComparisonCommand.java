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

/** {@code millrace bench receiver-comparison}: the loss of each receiver at each rate. */
@Command(
        name = "receiver-comparison",
        description = {
            "Receiver comparison: what each receiver receives at each rate, next to the published results, and the rate at"
                    + " which it starts to lose 1 %%.",
            "",
            "Each trial starts the receiver as a process, warms it up, loads it with 'millrace send', and checks the"
                    + " sequence numbers in its output."
        },
        footer = {
            "",
            "Examples:",
            "  millrace bench receiver-comparison",
            "  millrace bench receiver-comparison --full --sizes 125,869",
            "  millrace bench receiver-comparison --receivers bio,nio,millrace --rates 50k,100k --no-raise --seconds 10"
        })
public final class ReceiverComparisonCommand extends SuiteCommand {
    private static final String AT_RATE = "loss";
    private static final String RAISED = "raise";

    /** Not in the published results, or slow to start: a quick run has no time for them. */
    private static final List<String> ONLY_FULL = List.of(
            "mapped",
            "mapped-queue-bio",
            "baseline-discard",
            "baseline-metadata",
            "baseline-recv",
            "syslog-ng",
            "millrace-linger-1ms",
            "millrace-no-wait",
            "rsyslog-defaults");

    private static final int DEFAULT_SIZE = 125;
    private static final double MAX_LOSS = 0.01;
    private static final double COARSE_STEP = 1.5;
    private static final long FIRST_RATE = 100_000;
    private static final long QUICK_RATE = 300_000;
    private static final long QUICK_RATE_WITHOUT_GSO = 150_000;
    private static final long MAX_RATE = 2_000_000;

    @Option(
            names = "--rates",
            paramLabel = "RATE",
            split = ",",
            converter = CountConverter.class,
            description = "Datagrams per second, such as 6400,50k (default: 6400 and 50k; with --full the published"
                    + " ones, up to 500k).")
    private @Nullable List<Long> rates;

    @Option(
            names = "--sizes",
            paramLabel = "BYTES",
            split = ",",
            description = "Payload sizes (default: 125; with --full also 50, 393 and 869).")
    private @Nullable List<Integer> sizes;

    @Option(names = "--no-raise", description = "Skip the search for the rate at which a receiver starts to lose 1 %%.")
    private boolean noRaise;

    @Override
    String suite() {
        return "receiver-comparison";
    }

    @Override
    List<String> defaultReceivers() {
        return Subjects.of(Subjects.names()).stream()
                .filter(subject -> !subject.takesConnections())
                .map(Subject::name)
                .filter(name -> isFull() || !ONLY_FULL.contains(name))
                .toList();
    }

    /** In short trials a buffer for seconds would hide the loss. */
    @Override
    int defaultReceiveBuffer() {
        return 4 << 20;
    }

    /** The minimum, so that a JVM is not measured while it compiles. */
    @Override
    double warmUpSeconds() {
        return isFull() ? 1 : 0.3;
    }

    private List<Integer> sizes() {
        return sizes != null ? sizes : isFull() ? List.of(125, 50, 393, 869) : List.of(DEFAULT_SIZE);
    }

    private List<Long> rates(int size) {
        if (rates != null) {
            return rates.stream().distinct().toList();
        }
        if (!isFull()) {
            return List.of(6_400L, 50_000L);
        }
        return switch (size) {
            case 50 -> PublishedResults.RATES_OF_50_BYTES;
            case DEFAULT_SIZE -> PublishedResults.RATES;
            default -> List.of(50_000L, 100_000L, 200_000L);
        };
    }

    @Override
    void measure(SuiteRun run) throws IOException, InterruptedException {
        check(sizes(), sizes().stream().flatMap(size -> rates(size).stream()).toList());
        List<Subject> subjects = run.take(Subjects.of(receivers()));
        int rounds = rounds(1, 3);
        for (int size : sizes()) {
            run.plan(rounds * rates(size).size() * subjects.size());
        }
        int steps = noRaise ? 0 : isFull() ? 12 : 1;
        run.plan(steps * subjects.size());
        for (int size : sizes()) {
            for (int round = 1; round <= rounds; round++) {
                for (long rate : rates(size)) {
                    for (Subject subject : subjects) {
                        var unused = run.run(AT_RATE, subject, load(subject, rate, seconds(0.5, 5), size), round);
                    }
                }
            }
        }
        for (Subject subject : subjects) {
            raise(run, subject, steps);
        }
    }

    /** Raises the rate until 1 % is lost, then bisects between the last two rates. */
    private void raise(SuiteRun run, Subject subject, int steps) throws IOException, InterruptedException {
        double kept = 0;
        double lost = Double.POSITIVE_INFINITY;
        double next = isFull() ? FIRST_RATE : subject.capturesUnsplitBatches() ? QUICK_RATE_WITHOUT_GSO : QUICK_RATE;
        int left = steps;
        while (left > 0 && next <= MAX_RATE && lost / Math.max(kept, 1) > 1.05) {
            left--;
            TrialResult result =
                    run.run(RAISED, subject, load(subject, Math.round(next), seconds(0.5, 3), DEFAULT_SIZE), 1);
            if (!result.valid()) {
                break; // The sender cannot send faster.
            }
            if (result.loss() >= MAX_LOSS) {
                lost = next;
            } else {
                kept = next;
            }
            next = lost == Double.POSITIVE_INFINITY
                    ? next * COARSE_STEP
                    : kept == 0 ? lost / COARSE_STEP : Math.sqrt(kept * lost);
        }
        run.skip(left);
    }

    @Override
    Document report(RunData data) {
        Document document = Sections.start("Receiver comparison", data);
        document.text("Received datagrams in percent of the sent ones; 100 means no loss at all. In parentheses the"
                + " published result from other hosts (two hosts on Gigabit Ethernet, four CPUs, JDK 1.8); pf_ring is"
                + " the published kernel capture.");
        List<Integer> measuredSizes = data.valid(AT_RATE).stream()
                .map(trial -> trial.load().size())
                .distinct()
                .toList();
        for (int size : measuredSizes) {
            document.heading(String.format(Locale.ROOT, "%d-byte datagrams: received, %%", size));
            document.table(columns(data, size), rows(data, size));
            document.add(chart(data, size));
        }
        if (!data.valid(RAISED).isEmpty()) {
            document.heading("The rate with 1 % loss, 125-byte datagrams");
            document.text((data.mode().equals("full")
                            ? "One trial per rate: the rate is raised by half until 1 % is lost, then bisected."
                            : "One trial above the rates of the table.")
                    + " This shows the order of magnitude; millrace bench lossless measures exact rates.");
            document.table(
                    List.of("receiver", "sustained rate, per second", "1 % or more lost at", "loss at that rate, %"),
                    raised(data));
            document.add(raisedChart(data));
        }
        return Sections.end(document, data);
    }

    private static List<String> columns(RunData data, int size) {
        List<String> columns = new ArrayList<>(List.of("receiver"));
        data.rates(AT_RATE, size).forEach(rate -> columns.add(String.format(Locale.ROOT, "%,d/s", rate)));
        return columns;
    }

    private static List<List<String>> rows(RunData data, int size) {
        List<List<String>> rows = new ArrayList<>();
        for (String subject : data.measured()) {
            List<String> row = new ArrayList<>(List.of(subject));
            for (long rate : data.rates(AT_RATE, size)) {
                List<Double> losses = losses(data, subject, size, rate);
                String measured = losses.isEmpty() ? "–" : Statistics.percentReceived(Statistics.median(losses));
                row.add(measured
                        + PublishedResults.received(subject, size, rate)
                                .map(percent -> " (" + percent + ")")
                                .orElse(""));
            }
            rows.add(row);
        }
        return rows;
    }

    private static List<Double> losses(RunData data, String subject, int size, long rate) {
        return data.valid(AT_RATE, subject, size, rate).stream()
                .map(TrialResult::loss)
                .toList();
    }

    private static Chart chart(RunData data, int size) {
        List<Chart.Series> series = new ArrayList<>();
        for (String subject : data.measured()) {
            List<Chart.Point> points = data.rates(AT_RATE, size).stream()
                    .filter(rate -> !losses(data, subject, size, rate).isEmpty())
                    .map(rate -> new Chart.Point(rate, 100 * Statistics.median(losses(data, subject, size, rate))))
                    .toList();
            series.add(new Chart.Series(subject, points));
        }
        return new Chart(
                "Loss against rate, " + size + "-byte datagrams",
                "datagrams per second",
                "lost, %",
                Chart.Kind.LINES,
                series);
    }

    private static List<List<String>> raised(RunData data) {
        List<List<String>> rows = new ArrayList<>();
        for (String subject : data.measured()) {
            Raised raised = Raised.of(data, subject);
            boolean found = raised.lost() > 0;
            rows.add(List.of(
                    subject,
                    raised.kept() == 0 ? "–" : (found ? "" : "≥ ") + Statistics.rate((double) raised.kept()),
                    found
                            ? Statistics.rate((double) raised.lost())
                            : isSenderLimited(data, subject) ? "limited by the sender" : "not reached",
                    found ? String.format(Locale.ROOT, "%.1f", 100 * raised.loss()) : "–"));
        }
        return rows;
    }

    private static boolean isSenderLimited(RunData data, String subject) {
        return data.trials().stream()
                .anyMatch(trial -> trial.suite().equals(RAISED)
                        && trial.subject().equals(subject)
                        && trial.ran()
                        && !trial.valid());
    }

    private static Chart raisedChart(RunData data) {
        List<Chart.Series> series = new ArrayList<>();
        for (String subject : data.measured()) {
            long kept = Raised.of(data, subject).kept();
            series.add(Chart.Series.medianAndRange(subject, kept == 0 ? List.of() : List.of((double) kept)));
        }
        return Chart.bars("Highest rate with less than 1 % loss, 125-byte datagrams", "datagrams per second", series);
    }

    /**
     * The result of raising the rate.
     *
     * @param kept the highest rate with less than 1 % loss, below the first one with more
     * @param lost the lowest rate with 1 % loss or more; 0 if there was none
     * @param loss the loss at that rate
     */
    private record Raised(long kept, long lost, double loss) {
        static Raised of(RunData data, String subject) {
            List<TrialResult> trials = new ArrayList<>(data.valid(RAISED, subject));
            // Rates of the table that were sustained count too.
            data.valid(AT_RATE, subject).stream()
                    .filter(trial -> trial.load().size() == DEFAULT_SIZE && trial.loss() < MAX_LOSS)
                    .forEach(trials::add);
            long lost = 0;
            double loss = 0;
            for (TrialResult trial : trials) {
                long rate = trial.load().rate();
                if (trial.loss() >= MAX_LOSS && (lost == 0 || rate < lost)) {
                    lost = rate;
                    loss = trial.loss();
                }
            }
            // A single sustained trial above a rate with loss is not significant.
            long limit = lost == 0 ? Long.MAX_VALUE : lost;
            long kept = trials.stream()
                    .filter(trial -> trial.loss() < MAX_LOSS)
                    .mapToLong(trial -> trial.load().rate())
                    .filter(rate -> rate < limit)
                    .max()
                    .orElse(0);
            return new Raised(kept, lost, loss);
        }
    }
}
