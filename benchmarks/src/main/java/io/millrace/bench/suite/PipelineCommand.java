package io.millrace.bench.suite;

import io.millrace.bench.option.CountConverter;
import io.millrace.bench.report.Chart;
import io.millrace.bench.report.Document;
import io.millrace.bench.report.RunData;
import io.millrace.bench.report.Sections;
import io.millrace.bench.report.Statistics;
import io.millrace.bench.subject.Subject;
import io.millrace.bench.subject.Subjects;
import io.millrace.bench.trial.CheckedSeries;
import io.millrace.bench.trial.Load;
import io.millrace.bench.trial.TrialResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace bench pipeline}: the CPU time of the whole job, from the socket to a file. */
@Command(
        name = "pipeline",
        description = {
            "CPU time of the whole job: UDP, journal and a raw file for Millrace; UDP, a queue and a raw file for rsyslog and"
                    + " syslog-ng. Idle, and at several rates. In each round all processes"
                    + " are started and warmed up, and take turns at each rate; at its end each file is compared with all that was"
                    + " sent.",
            "",
            "A quick run takes one to two minutes, --full with three receivers about 45.",
        },
        footer = {
            "",
            "Examples:",
            "  millrace bench pipeline",
            "  millrace bench pipeline --full --receivers millrace-file,rsyslog --rates 1k,10k,100k"
        })
public final class PipelineCommand extends SuiteCommand {
    private static final String PART = "pipeline";
    private static final String IDLE = "idle";
    private static final String WARM_UP = "warm-up";
    private static final String DELIVERED = "delivered";
    /** The receivers that others are compared with, of which a run has one. */
    private static final List<String> PEERS = List.of("rsyslog", "rsyslog-json");

    private static final int SIZE = 125;

    /** A rate at which a JVM compiles what it uses at every rate, and that every receiver sustains. */
    private static final long WARM_UP_RATE = 100_000;

    /** A rate at which each wake-up finds little to do, which is other code than many datagrams use. */
    private static final long QUIET_WARM_UP_RATE = 1_000;

    /** That code is executed rarely, so it is compiled late. */
    private static final int QUIET_TIMES = 6;

    private static final double MIN_QUIET_SECONDS = 1;

    /**
     * In the middle of that warm-up. After a pause, as there is one before a trial, code takes branches for the first time: the JVM
     * deoptimizes it, and compiles it again.
     */
    private static final double PAUSE_SECONDS = 3;

    @Option(
            names = "--rates",
            paramLabel = "RATE",
            split = ",",
            converter = CountConverter.class,
            description = "Datagrams per second (default: 1k,10k,100k; with --full 1k,10k,50k,100k,300k,500k).")
    private @Nullable List<Long> rates;

    @Option(
            names = "--idle",
            paramLabel = "N",
            description =
                    "How many seconds an idle receiver is measured; 0 for not at all (default: 1, with --full 20).")
    private @Nullable Double idleSeconds;

    @Override
    String suite() {
        return "pipeline";
    }

    @Override
    List<String> defaultReceivers() {
        return List.of("millrace-file", PEERS.get(0), "syslog-ng");
    }

    @Override
    double warmUpSeconds() {
        return isFull() ? 20 : 2;
    }

    private List<Long> rates() {
        if (rates != null) {
            return rates.stream().distinct().toList();
        }
        return isFull()
                ? List.of(1_000L, 10_000L, 50_000L, 100_000L, 300_000L, 500_000L)
                : List.of(1_000L, 10_000L, 100_000L);
    }

    @Override
    void measure(SuiteRun run) throws IOException, InterruptedException {
        check(List.of(SIZE), rates());
        List<Subject> subjects = run.take(Subjects.of(receivers()));
        double idle = idleSeconds == null ? (isFull() ? 20 : 1) : idleSeconds;
        int rounds = rounds(1, 5);
        run.plan(rounds * subjects.size() * (rates().size() + (idle > 0 ? 2 : 1)));
        for (int round = 1; round <= rounds; round++) {
            List<Measured> all = new ArrayList<>();
            try {
                for (Subject subject : subjects) {
                    all.add(start(run, subject, round));
                }
                round(run, all, idle, round);
            } finally {
                for (Measured each : all) {
                    each.series.close();
                }
            }
        }
    }

    /** A receiver of a round. */
    private record Measured(Subject subject, CheckedSeries series) {}

    private Measured start(SuiteRun run, Subject subject, int round) throws InterruptedException {
        CheckedSeries series = run.checkedSeries(subject, load(subject, WARM_UP_RATE, seconds(1, 10), SIZE));
        double quiet = subject.runsOnJvm() ? QUIET_TIMES * warmUpSeconds() / 2 : MIN_QUIET_SECONDS;
        Load load = load(subject, QUIET_WARM_UP_RATE, quiet, SIZE);
        if (series.run(WARM_UP, load, round).ran() && subject.runsOnJvm()) {
            var unused = series.run(WARM_UP, Load.idle(PAUSE_SECONDS), round);
            unused = series.run(WARM_UP, load, round);
        }
        return new Measured(subject, series);
    }

    /** All receivers run, and take turns at each rate: the host's speed changes within minutes. Every second round is reversed. */
    private void round(SuiteRun run, List<Measured> all, double idle, int round)
            throws InterruptedException, IOException {
        List<Measured> order = new ArrayList<>(all);
        if (round % 2 == 0) {
            Collections.reverse(order);
        }
        if (idle > 0) {
            for (Measured each : List.copyOf(order)) {
                if (!run.run(IDLE, each.series, Load.idle(idle), round).ran()) {
                    order.remove(each);
                }
            }
        }
        Load last = Load.idle(0);
        for (long rate : rates()) {
            for (Measured each : List.copyOf(order)) {
                last = load(each.subject, rate, seconds(1, 10), SIZE);
                if (!run.run(PART, each.series, last, round).ran()) {
                    order.remove(each);
                }
            }
        }
        for (Measured each : order) {
            var unused = run.end(DELIVERED, each.series, last, round);
        }
    }

    @Override
    Document report(RunData data) {
        Document document = Sections.start("CPU time from the socket to the file", data);
        document.text(
                "CPU time of all threads of the process: median of the rounds and range. Messages have 125 bytes. All are"
                        + " warmed up at 100,000 datagrams per second. Then what runs on a JVM is warmed up at 1,000/s for six"
                        + " times as long, with a pause of 3 s in the middle; others for 1 s.");
        List<Long> measured = data.rates(PART, SIZE);
        List<String> columns = new ArrayList<>(List.of("receiver"));
        measured.forEach(rate -> columns.add(Statistics.rate((double) rate) + "/s"));
        document.heading("Nanoseconds per message")
                .table(columns, rows(data, measured, trials -> text(Statistics.costs(trials), "%,.0f")));
        document.heading("Ratio to " + peer(data) + " in the same round")
                .table(columns, rows(data, measured, trials -> text(ratios(data, trials), "%.2f")));
        document.heading("Percent of one CPU")
                .table(columns, rows(data, measured, trials -> text(percents(trials), "%.1f")));
        document.add(chart(data, measured));
        others(document, data);
        return Sections.end(document, data);
    }

    private static String text(List<Double> values, String format) {
        return Statistics.medianAndRange(values, format);
    }

    private static List<List<String>> rows(RunData data, List<Long> rates, Function<List<TrialResult>, String> cell) {
        List<List<String>> rows = new ArrayList<>();
        for (String subject : data.measured()) {
            List<String> row = new ArrayList<>(List.of(subject));
            for (long rate : rates) {
                row.add(cell.apply(data.valid(PART, subject, SIZE, rate)));
            }
            rows.add(row);
        }
        return rows;
    }

    private static List<Double> percents(List<TrialResult> trials) {
        List<Double> percents = new ArrayList<>();
        for (TrialResult trial : trials) {
            if (trial.cpuPercent() != null) {
                percents.add(trial.cpuPercent());
            }
        }
        return percents;
    }

    private static String peer(RunData data) {
        return PEERS.stream().filter(data.measured()::contains).findFirst().orElse(PEERS.get(0));
    }

    private static List<Double> ratios(RunData data, List<TrialResult> trials) {
        List<Double> ratios = new ArrayList<>();
        for (TrialResult trial : trials) {
            for (TrialResult peer :
                    data.valid(PART, peer(data), SIZE, trial.load().rate())) {
                if (peer.round() == trial.round()
                        && peer.nanosPerDatagram() != null
                        && trial.nanosPerDatagram() != null) {
                    ratios.add(trial.nanosPerDatagram() / peer.nanosPerDatagram());
                }
            }
        }
        return ratios;
    }

    /** What is not per rate: the idle process, its memory, and whether all messages arrived. */
    private static void others(Document document, RunData data) {
        List<List<String>> rows = new ArrayList<>();
        for (String subject : data.measured()) {
            List<TrialResult> ends = data.valid(DELIVERED, subject);
            double memory = data.valid(PART, subject).stream()
                    .mapToDouble(trial -> trial.memoryBytes() / 1e6)
                    .max()
                    .orElse(Double.NaN);
            rows.add(List.of(
                    subject,
                    text(percents(data.valid(IDLE, subject)), "%.2f"),
                    String.format(Locale.ROOT, "%,.0f", memory),
                    count(ends, TrialResult::sent),
                    count(ends, TrialResult::received),
                    count(ends, TrialResult::duplicated)));
        }
        document.heading("Idle, memory and delivery")
                .text(
                        "Sent and delivered are the messages of all rounds, warm-up included. Memory is the highest, without"
                                + " mapped files.")
                .table(
                        List.of("receiver", "idle, % of one CPU", "memory, MB", "sent", "delivered", "duplicates"),
                        rows);
    }

    private static String count(List<TrialResult> trials, ToLongFunction<TrialResult> value) {
        return String.format(
                Locale.ROOT, "%,d", trials.stream().mapToLong(value).sum());
    }

    private static Chart chart(RunData data, List<Long> rates) {
        List<Chart.Series> series = new ArrayList<>();
        for (String subject : data.measured()) {
            List<Chart.Point> points = new ArrayList<>();
            for (long rate : rates) {
                List<Double> percents = percents(data.valid(PART, subject, SIZE, rate));
                if (!percents.isEmpty()) {
                    points.add(new Chart.Point(rate, Statistics.median(percents)));
                }
            }
            series.add(new Chart.Series(subject, points));
        }
        return new Chart(
                "CPU time from the socket to the file", "msg/s", "percent of one CPU", Chart.Kind.LINES, series);
    }
}
