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

/** {@code millrace bench receiver-comparison}: what each way of receiving loses at each rate. */
@Command(
        name = "receiver-comparison",
        description = {
            "The receiver comparison: what each of them receives at each rate, beside the published table, and then the"
                    + " rate at which it starts to lose 1 %%.",
            "",
            "Each trial starts the receiver as a process, warms it up, loads it by 'millrace send', and looks for every"
                    + " number in the file it wrote."
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
    /** Not in the published table, or slow to start: a quick run has no time for them. */
    private static final List<String> ONLY_FULL = List.of(
            "mapped", "mapped-queue-bio", "baseline-discard", "baseline-metadata", "baseline-recv", "syslog-ng");

    private static final int SIZE_OF_THE_LADDER = 125;
    private static final double MAX_LOSS = 0.01;
    private static final double COARSE = 1.5;
    private static final long RAISE_FROM = 100_000;
    private static final long QUICK_RAISE = 300_000;
    private static final long QUICK_RAISE_WITHOUT_GSO = 150_000;
    private static final long RAISE_TO = 2_000_000;

    @Option(
            names = "--rates",
            paramLabel = "RATE",
            split = ",",
            converter = WholeNumber.class,
            description = "Datagrams a second, such as 6400,50k (default: 6400 and 50k; with --full the published"
                    + " ones, up to 500k).")
    private @Nullable List<Long> rates;

    @Option(
            names = "--sizes",
            paramLabel = "BYTES",
            split = ",",
            description = "Payload sizes (default: 125; with --full also 50, 393 and 869).")
    private @Nullable List<Integer> sizes;

    @Option(names = "--no-raise", description = "Do not look for the rate at which a receiver starts to lose 1 %%.")
    private boolean noRaise;

    @Override
    String suite() {
        return "receiver-comparison";
    }

    @Override
    List<String> defaultReceivers() {
        return Subjects.names().stream()
                .filter(name -> isFull() || !ONLY_FULL.contains(name))
                .toList();
    }

    /** Buffers that hold seconds would hide at short trials what each receiver can do. */
    @Override
    String defaultReceiveBuffer() {
        return "4m";
    }

    /** The fewest that spare a receiver in a JVM from being measured while it is compiled. */
    @Override
    double warmUpSeconds() {
        return isFull() ? 1 : 0.3;
    }

    private List<Integer> sizes() {
        return sizes != null ? sizes : isFull() ? List.of(125, 50, 393, 869) : List.of(SIZE_OF_THE_LADDER);
    }

    private List<Long> rates(int size) {
        if (rates != null) {
            return rates.stream().distinct().toList();
        }
        if (!isFull()) {
            return List.of(6_400L, 50_000L);
        }
        return switch (size) {
            case 50 -> Published.RATES_OF_50_BYTES;
            case SIZE_OF_THE_LADDER -> Published.RATES;
            default -> List.of(50_000L, 100_000L, 200_000L);
        };
    }

    @Override
    void measure(SuiteRun run) throws IOException, InterruptedException {
        check(sizes(), sizes().stream().flatMap(size -> rates(size).stream()).toList());
        List<Subject> subjects = run.take(Subjects.of(receivers()));
        int turns = rounds(1, 3);
        for (int size : sizes()) {
            run.plan(turns * rates(size).size() * subjects.size());
        }
        int steps = raiseSteps();
        run.plan(noRaise ? 0 : steps * subjects.size());
        for (int size : sizes()) {
            for (int round = 1; round <= turns; round++) {
                for (long rate : rates(size)) {
                    for (Subject subject : subjects) {
                        atRate(run, subject, size, rate, round);
                    }
                }
            }
        }
        if (!noRaise) {
            for (Subject subject : subjects) {
                raise(run, subject, steps);
            }
        }
    }

    private void atRate(SuiteRun run, Subject subject, int size, long rate, int round)
            throws IOException, InterruptedException {
        Load load = Load.of(rate, seconds(0.5, 5), size);
        var unused = run.run(AT_RATE, subject, subject.seesGsoBatches() ? load.withoutGso() : load, round);
    }

    private int raiseSteps() {
        return isFull() ? 12 : 1;
    }

    /** Raises the rate until 1 % is lost, then looks for where between the last two. */
    private void raise(SuiteRun run, Subject subject, int steps) throws IOException, InterruptedException {
        double kept = 0;
        double lost = Double.POSITIVE_INFINITY;
        double next = isFull() ? RAISE_FROM : subject.seesGsoBatches() ? QUICK_RAISE_WITHOUT_GSO : QUICK_RAISE;
        int left = steps;
        while (left > 0 && next <= RAISE_TO && lost / Math.max(kept, 1) > 1.05) {
            left--;
            Load load = Load.of(Math.round(next), seconds(0.5, 3), SIZE_OF_THE_LADDER);
            TrialResult result = run.run(RAISED, subject, subject.seesGsoBatches() ? load.withoutGso() : load, 1);
            if (!result.valid()) {
                break; // There is no use in asking more of the sender.
            }
            if (result.loss() >= MAX_LOSS) {
                lost = next;
            } else {
                kept = next;
            }
            next = lost == Double.POSITIVE_INFINITY
                    ? next * COARSE
                    : kept == 0 ? lost / COARSE : Math.sqrt(kept * lost);
        }
        run.skip(left);
    }

    @Override
    Document report(RunData data) {
        Document document = Sections.start("Receiver comparison", data);
        document.text("What each receiver received of what was sent, in percent: 100 means that not one datagram is"
                + " missing. In parentheses the published figure, from another machine (two hosts on Gigabit Ethernet, four"
                + " CPUs, JDK 1.8); kernel capture stands beside pf_ring.");
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
            document.heading("The rate at which 1 % is lost, 125-byte datagrams");
            document.text((data.mode().equals("full")
                            ? "Each receiver by itself, one trial a rate: the rate is raised by half until 1 % is lost,"
                                    + " then halved between the last two."
                            : "One trial beyond the rates of the table.")
                    + " This shows the order of magnitude; for rates to quote there is millrace bench lossless.");
            document.table(
                    List.of("receiver", "kept up to, a second", "lost 1 % or more at", "loss there, %"), raised(data));
            document.add(raisedChart(data));
        }
        return Sections.end(document, data);
    }

    private static List<String> columns(RunData data, int size) {
        List<String> columns = new ArrayList<>(List.of("receiver"));
        measuredRates(data, size).forEach(rate -> columns.add(String.format(Locale.ROOT, "%,d/s", rate)));
        return columns;
    }

    private static List<List<String>> rows(RunData data, int size) {
        List<List<String>> rows = new ArrayList<>();
        for (String subject : data.measured()) {
            List<String> row = new ArrayList<>(List.of(subject));
            for (long rate : measuredRates(data, size)) {
                List<Double> losses = losses(data, subject, size, rate);
                String measured = losses.isEmpty() ? "–" : Statistics.percentReceived(Statistics.median(losses));
                row.add(measured
                        + Published.received(subject, size, rate)
                                .map(percent -> " (" + percent + ")")
                                .orElse(""));
            }
            rows.add(row);
        }
        return rows;
    }

    private static List<Long> measuredRates(RunData data, int size) {
        return data.valid(AT_RATE).stream()
                .filter(trial -> trial.load().size() == size)
                .map(trial -> trial.load().rate())
                .distinct()
                .sorted()
                .toList();
    }

    private static List<Double> losses(RunData data, String subject, int size, long rate) {
        return data.valid(AT_RATE).stream()
                .filter(trial -> trial.subject().equals(subject)
                        && trial.load().size() == size
                        && trial.load().rate() == rate)
                .map(TrialResult::loss)
                .toList();
    }

    private static Chart chart(RunData data, int size) {
        List<Chart.Series> series = new ArrayList<>();
        for (String subject : data.measured()) {
            List<Chart.Point> points = measuredRates(data, size).stream()
                    .filter(rate -> !losses(data, subject, size, rate).isEmpty())
                    .map(rate -> new Chart.Point(rate, 100 * Statistics.median(losses(data, subject, size, rate))))
                    .toList();
            series.add(new Chart.Series(subject, points));
        }
        return new Chart(
                "Loss against rate, " + size + "-byte datagrams",
                "datagrams a second",
                "lost, %",
                Chart.Kind.LINES,
                series);
    }

    private static List<List<String>> raised(RunData data) {
        List<List<String>> rows = new ArrayList<>();
        for (String subject : data.measured()) {
            Raised raised = Raised.of(data, subject);
            rows.add(List.of(
                    subject,
                    raised.kept() == 0 ? "–" : (raised.lost() == 0 ? "≥ " : "") + Statistics.rate(raised.kept()),
                    raised.lost() == 0
                            ? senderLimited(data, subject) ? "the sender could not keep up" : "not reached"
                            : Statistics.rate(raised.lost()),
                    raised.lost() == 0 ? "–" : String.format(Locale.ROOT, "%.1f", 100 * raised.loss())));
        }
        return rows;
    }

    private static boolean senderLimited(RunData data, String subject) {
        return data.trials().stream()
                .anyMatch(trial -> trial.suite().equals(RAISED)
                        && trial.subject().equals(subject)
                        && trial.ran()
                        && !trial.valid());
    }

    private static List<Chart.Point> points(long kept) {
        return kept == 0 ? List.of() : List.of(new Chart.Point(0, kept));
    }

    private static Chart raisedChart(RunData data) {
        return new Chart(
                "Highest rate with less than 1 % lost, 125-byte datagrams",
                "",
                "datagrams a second",
                Chart.Kind.BARS,
                data.measured().stream()
                        .map(subject -> new Chart.Series(
                                subject, points(Raised.of(data, subject).kept())))
                        .toList());
    }

    /**
     * What the raising showed.
     *
     * @param kept the highest rate with less than 1 % lost, below the first that lost more
     * @param lost the lowest rate with 1 % or more lost; 0 if there was none
     * @param loss what was lost there
     */
    private record Raised(long kept, long lost, double loss) {
        static Raised of(RunData data, String subject) {
            long kept = 0;
            long lost = 0;
            double loss = 0;
            List<TrialResult> trials = new ArrayList<>(data.valid(RAISED));
            // What it kept up with in the table it has kept up with.
            data.valid(AT_RATE).stream()
                    .filter(trial -> trial.load().size() == SIZE_OF_THE_LADDER && trial.loss() < MAX_LOSS)
                    .forEach(trials::add);
            for (TrialResult trial : trials) {
                if (!trial.subject().equals(subject)) {
                    continue;
                }
                long rate = trial.load().rate();
                if (trial.loss() < MAX_LOSS) {
                    kept = Math.max(kept, rate);
                } else if (lost == 0 || rate < lost) {
                    lost = rate;
                    loss = trial.loss();
                }
            }
            // One stray trial that kept up beyond a rate that was lost says little.
            return new Raised(lost == 0 ? kept : below(trials, subject, lost), lost, loss);
        }

        private static long below(List<TrialResult> trials, String subject, long lost) {
            return trials.stream()
                    .filter(trial -> trial.subject().equals(subject) && trial.loss() < MAX_LOSS)
                    .mapToLong(trial -> trial.load().rate())
                    .filter(rate -> rate < lost)
                    .max()
                    .orElse(0);
        }
    }
}
