package io.millrace.bench.suite;

import io.millrace.bench.option.CountConverter;
import io.millrace.bench.report.Chart;
import io.millrace.bench.report.Document;
import io.millrace.bench.report.RunData;
import io.millrace.bench.report.Sections;
import io.millrace.bench.report.Statistics;
import io.millrace.bench.subject.Subject;
import io.millrace.bench.trial.CountedSeries;
import io.millrace.bench.trial.Load;
import io.millrace.bench.trial.TrialResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace bench peers}: the messages that other collectors lose, and those of which they do not report the loss. */
@Command(
        name = "peers",
        description = {
            "Loss of UDP syslog in several collectors: messages sent, stored, and neither stored nor reported as lost by the"
                    + " collector itself. CPU time, memory, and the time until a message can be read. rsyslog and syslog-ng are"
                    + " measured as Debian configures them and tuned, the others with default settings.",
            "",
            "A collector runs through all loads of a round in one process; then its files, or its database, are searched for each"
                    + " message. One that is not installed is skipped with a line.",
            "",
            "A quick run takes about three minutes, --full about half an hour per round with seven collectors."
        },
        footer = {
            "",
            "Examples:",
            "  millrace bench peers",
            "  millrace bench peers --full",
            "  millrace bench peers --full --receivers millrace-defaults,rsyslog-defaults --rates 100k --only-rates"
        })
public final class PeersCommand extends SuiteCommand {
    private static final String RATE = "rate";
    private static final String BURST = "burst";
    private static final String SOURCES = "sources";
    private static final String STALL = "stall";
    private static final String GSO = "gso";
    private static final String LONE = "lone";
    private static final String IDLE = "idle";

    private static final int SIZE = 125;
    private static final int LARGE_SIZE = 1_000;
    private static final long WARM_UP_RATE = 100_000;
    private static final int BURST_DATAGRAMS = 200_000;
    /** A burst takes the sender 1 to 2 s, and then nothing is sent. */
    private static final double MIN_BURST_SECONDS = 5;

    private static final int MANY_SOURCES = 1_000;
    private static final long SOURCES_RATE = 50_000;

    /** The process is stopped for one second of it. */
    private static final double MIN_STALL_SECONDS = 3;

    /** The table of large messages ends here: a system call each for more of them is as slow as the receivers. */
    private static final long MAX_LARGE_RATE = 100_000;

    private static final double REACHED = 0.99;

    /** The collectors by the names of their receivers, as a reader knows them. */
    private static final Map<String, String> TITLES = Map.of(
            "millrace-defaults", "Millrace",
            "rsyslog-defaults", "rsyslog (Debian)",
            "rsyslog-stats", "rsyslog (tuned)",
            "syslog-ng-defaults", "syslog-ng (Debian)",
            "syslog-ng", "syslog-ng (tuned)",
            "victorialogs", "VictoriaLogs",
            "otelcol", "OpenTelemetry Collector");

    @Option(
            names = "--rates",
            paramLabel = "RATE",
            split = ",",
            converter = CountConverter.class,
            description =
                    "Messages per second without GSO (default: 10k,100k; with --full 1k,10k,50k,100k,200k,300k). The"
                            + " maximum of the sender is measured too.")
    private @Nullable List<Long> rates;

    @Option(
            names = "--only-rates",
            description = "Only messages of 125 bytes at these rates, without bursts, stalls, large messages and GSO.")
    private boolean onlyRates;

    @Override
    String suite() {
        return "peers";
    }

    @Override
    List<String> defaultReceivers() {
        return List.of(
                "millrace-defaults",
                "rsyslog-defaults",
                "rsyslog-stats",
                "syslog-ng-defaults",
                "syslog-ng",
                "victorialogs",
                "otelcol");
    }

    @Override
    double warmUpSeconds() {
        return isFull() ? 20 : 1;
    }

    private List<Long> rates() {
        if (rates != null) {
            return rates.stream().distinct().toList();
        }
        return isFull() ? List.of(1_000L, 10_000L, 50_000L, 100_000L, 200_000L, 300_000L) : List.of(10_000L, 100_000L);
    }

    @Override
    void measure(SuiteRun run) throws IOException, InterruptedException {
        check(List.of(SIZE, LARGE_SIZE), rates());
        List<Subject> subjects = new ArrayList<>(run.take(subjects()));
        int rounds = rounds(1, 5);
        int others = 1 + largeRates().size() + 5 + gsoRates().size();
        run.plan(rounds * subjects.size() * (rates().size() + (onlyRates ? 0 : others)));
        for (int round = 1; round <= rounds; round++) {
            for (Subject subject : subjects) {
                round(run, subject, round);
            }
            // The next round has the opposite order: the speed of a host changes within minutes.
            Collections.reverse(subjects);
        }
    }

    /** Rejects receivers in whose output no message can be found. */
    @Override
    List<Subject> subjects() {
        List<Subject> subjects = super.subjects();
        for (Subject subject : subjects) {
            if (!subject.storesMessages()) {
                throw new IllegalArgumentException(
                        "'" + subject.name()
                                + "' does not store messages in a file or a database that 'peers' reads; see 'millrace bench peers --help'");
            }
        }
        return subjects;
    }

    private List<Long> largeRates() {
        return rates().stream().filter(rate -> rate <= MAX_LARGE_RATE).toList();
    }

    private List<Long> gsoRates() {
        return isFull() ? List.of(300_000L, 600_000L, Load.MAX) : List.of(300_000L);
    }

    private double seconds() {
        return seconds(1, 10);
    }

    private Load load(long rate, int size) {
        return Load.of(rate, seconds(), size).withoutGso();
    }

    /** All loads, the slow ones first, and those of which some receivers lose much at the end. */
    private void round(SuiteRun run, Subject subject, int round) throws IOException, InterruptedException {
        try (CountedSeries series = run.countedSeries(subject, load(WARM_UP_RATE, SIZE))) {
            if (!onlyRates) {
                series.runLone(LONE, round);
                series.run(IDLE, Load.idle(seconds()), round);
                for (long rate : largeRates()) {
                    series.run(RATE, load(rate, LARGE_SIZE), round);
                }
            }
            for (long rate : rates()) {
                series.run(RATE, load(rate, SIZE), round);
            }
            if (!onlyRates) {
                series.run(SOURCES, load(SOURCES_RATE, SIZE).from(MANY_SOURCES), round);
                series.runWithStall(
                        STALL, load(SOURCES_RATE, SIZE).during(Math.max(seconds(), MIN_STALL_SECONDS)), round);
                double silence = Math.max(seconds(), MIN_BURST_SECONDS);
                Load burst = load((long) (BURST_DATAGRAMS / silence), SIZE)
                        .during(silence)
                        .inBurstsOf(BURST_DATAGRAMS);
                series.run(BURST, burst, round);
                series.run(RATE, load(Load.MAX, SIZE), round);
                for (long rate : gsoRates()) {
                    series.run(GSO, Load.of(rate, seconds(), SIZE), round);
                }
            }
            run.end(series);
        }
    }

    @Override
    Document report(RunData data) {
        Document document = Sections.start("Loss of UDP syslog in several collectors", data);
        document.text(
                "Median of the rounds and range. Lost is what was sent and is not in the collector's own files or database."
                        + " Not reported is the part of it that the collector's own metrics and log do not have: the kernel drops"
                        + " datagrams at a socket, and only a program that asks the kernel knows. All have the same limits of the"
                        + " kernel, of which net.core.rmem_max is raised to 64 MiB: a collector that requests a large receive buffer"
                        + " gets it. How much it requests is its own choice, or its configuration's. A rate that the sender did not"
                        + " reach has the rate that it reached in the head of its column.");
        List<Long> plain = ratesOf(data, RATE, SIZE);
        table(document, data, RATE, SIZE, plain, "125 bytes, a system call per message");
        document.add(chart(data, plain, "Messages lost, %", trial -> 100 * trial.loss()));
        document.add(chart(data, plain, "CPU time, % of one CPU", TrialResult::cpuPercent));
        List<Long> large = ratesOf(data, RATE, LARGE_SIZE);
        if (!large.isEmpty()) {
            table(document, data, RATE, LARGE_SIZE, large, "1,000 bytes, a system call per message");
            others(document, data);
            costs(document, data);
            table(
                    document,
                    data,
                    GSO,
                    SIZE,
                    ratesOf(data, GSO, SIZE),
                    "125 bytes with GSO, 16 messages per system call");
        }
        return Sections.end(document, data);
    }

    /** The rates in order; the maximum, whose number is the lowest, is the last. */
    private static List<Long> ratesOf(RunData data, String part, int size) {
        List<Long> rates = new ArrayList<>(data.rates(part, size));
        if (rates.remove(Load.MAX)) {
            rates.add(Load.MAX);
        }
        return rates;
    }

    private static void table(
            Document document, RunData data, String part, int size, List<Long> rates, String heading) {
        List<String> columns = new ArrayList<>(List.of("collector"));
        for (long rate : rates) {
            columns.add(column(data, part, size, rate));
        }
        BiFunction<String, Long, List<TrialResult>> trials = (subject, rate) -> data.valid(part, subject, size, rate);
        document.heading(heading + ": lost, %").table(columns, rows(data, rates, trials, PeersCommand::lost));
        document.heading(heading + ": lost and not reported, messages")
                .table(columns, rows(data, rates, trials, PeersCommand::silent));
        document.heading(heading + ": CPU time per stored message, ns")
                .table(
                        columns,
                        rows(data, rates, trials, all -> Statistics.medianAndRange(Statistics.costs(all), "%,.0f")));
    }

    private static String title(String subject) {
        return TITLES.getOrDefault(subject, subject);
    }

    /** The rate, and the one that the sender reached if that is another one. */
    private static String column(RunData data, String part, int size, long rate) {
        double reached = Statistics.median(data.valid(part).stream()
                .filter(trial -> trial.load().size() == size && trial.load().rate() == rate)
                .map(TrialResult::achievedRate)
                .toList());
        if (rate == Load.MAX) {
            return "maximum, " + Statistics.rate(reached) + "/s";
        }
        String asked = Statistics.rate((double) rate) + "/s";
        return reached < rate * REACHED ? asked + ", sent at " + Statistics.rate(reached) + "/s" : asked;
    }

    private static List<List<String>> rows(
            RunData data,
            List<Long> rates,
            BiFunction<String, Long, List<TrialResult>> trials,
            Function<List<TrialResult>, String> cell) {
        List<List<String>> rows = new ArrayList<>();
        for (String subject : data.measured()) {
            List<String> row = new ArrayList<>(List.of(title(subject)));
            for (long rate : rates) {
                row.add(cell.apply(trials.apply(subject, rate)));
            }
            rows.add(row);
        }
        return rows;
    }

    private static String lost(List<TrialResult> trials) {
        return Statistics.medianAndRange(
                trials.stream().map(trial -> 100 * trial.loss()).toList(), "%.2f");
    }

    private static String silent(List<TrialResult> trials) {
        return Statistics.medianAndRange(
                trials.stream().map(trial -> (double) trial.lostSilently()).toList(), "%,.0f");
    }

    /** A burst, many sources, and a receiver that stops for 1 s. */
    private static void others(Document document, RunData data) {
        List<List<String>> rows = new ArrayList<>();
        for (String subject : data.measured()) {
            List<String> row = new ArrayList<>(List.of(title(subject)));
            for (String part : List.of(BURST, SOURCES, STALL)) {
                row.add(lost(data.valid(part, subject)));
                row.add(silent(data.valid(part, subject)));
            }
            rows.add(row);
        }
        document.heading("A burst, many sources, a stall")
                .text(String.format(
                        Locale.ROOT,
                        "A burst of %,d messages as fast as the sender can, and then silence; %,d sources, and a process that is stopped for"
                                + " one second, at %,d messages per second. Lost in percent, and messages not reported.",
                        BURST_DATAGRAMS,
                        MANY_SOURCES,
                        SOURCES_RATE))
                .table(
                        List.of(
                                "collector",
                                "burst",
                                "not reported",
                                "sources",
                                "not reported",
                                "stall",
                                "not reported"),
                        rows);
    }

    private static void costs(Document document, RunData data) {
        List<List<String>> rows = new ArrayList<>();
        List<Chart.Series> bars = new ArrayList<>();
        for (String subject : data.measured()) {
            List<Double> memory = data.valid(RATE, subject).stream()
                    .filter(trial ->
                            trial.load().rate() == WARM_UP_RATE && trial.load().size() == SIZE)
                    .map(trial -> trial.memoryBytes() / 1e6)
                    .toList();
            List<Double> idle = new ArrayList<>();
            for (TrialResult trial : data.valid(IDLE, subject)) {
                if (trial.cpuPercent() != null) {
                    idle.add(trial.cpuPercent());
                }
            }
            List<Double> lone = data.valid(LONE, subject).stream()
                    .map(trial -> Double.valueOf(String.valueOf(trial.detail())))
                    .toList();
            boolean isReadable = lone.stream().noneMatch(millis -> Double.isInfinite(millis));
            rows.add(List.of(
                    title(subject),
                    Statistics.medianAndRange(memory, "%,.0f"),
                    Statistics.medianAndRange(idle, "%.2f"),
                    isReadable ? Statistics.medianAndRange(lone, "%,.1f") : "more than 5,000"));
            bars.add(Chart.Series.medianAndRange(title(subject), isReadable ? lone : List.of()));
        }
        document.heading("Memory, idle, and the time until a message can be read")
                .text(
                        "Memory without mapped files, after 100,000 messages per second. Idle: CPU time in percent of one CPU. The"
                                + " time is that from the send of a message that comes alone until it is in the file, or is found in the"
                                + " database.")
                .table(List.of("collector", "memory, MB", "idle, %", "readable after, ms"), rows)
                .add(Chart.bars("Time until a message that comes alone can be read", "ms", bars));
    }

    private static Chart chart(
            RunData data, List<Long> rates, String label, Function<TrialResult, @Nullable Double> value) {
        List<Chart.Series> series = new ArrayList<>();
        for (String subject : data.measured()) {
            List<Chart.Point> points = new ArrayList<>();
            for (long rate : rates) {
                List<TrialResult> trials = data.valid(RATE, subject, SIZE, rate);
                List<Double> values = new ArrayList<>();
                for (TrialResult trial : trials) {
                    Double of = value.apply(trial);
                    if (of != null) {
                        values.add(of);
                    }
                }
                if (!values.isEmpty()) {
                    double sent = rate == Load.MAX
                            ? Statistics.median(trials.stream()
                                    .map(TrialResult::achievedRate)
                                    .toList())
                            : rate;
                    points.add(new Chart.Point(sent, Statistics.median(values)));
                }
            }
            points.sort(Comparator.comparingDouble(Chart.Point::x));
            series.add(new Chart.Series(title(subject), points));
        }
        return new Chart(label + ", against the rate", "messages per second", label, Chart.Kind.LINES, series);
    }
}
