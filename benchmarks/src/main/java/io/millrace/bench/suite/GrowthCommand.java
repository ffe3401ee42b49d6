package io.millrace.bench.suite;

import io.millrace.bench.option.CountConverter;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace bench growth}: CPU time of the whole job as sources, journal files and outputs become more. */
@Command(
        name = "growth",
        description =
                "CPU time of the whole job with more sources, more journal files and more outputs, at a fixed rate. In"
                        + " each round all services are started and warmed up, and take turns; at its end the file of each output is"
                        + " compared with all that was sent.",
        footer = {"", "Examples:", "  millrace bench growth", "  millrace bench growth --full"})
public final class GrowthCommand extends SuiteCommand {
    private static final String ONE_OUTPUT = "millrace-file";
    private static final String BASELINE = "baseline-append";
    private static final String DELIVERED = "delivered";
    private static final String WARM_UP = "warm-up";
    private static final double MIN_LEARN_SECONDS = 10;
    private static final int SIZE = 125;
    private static final int MANY_SOURCES = 10_000;
    private static final int MAX_SOURCES = 1_000_000;

    private static final Case FIRST = new Case("1 output, 1 journal file, 16 sources", ONE_OUTPUT, Load.SOURCES);
    private static final Case FIRST_OF_BASELINE = new Case("C baseline, 16 sources", BASELINE, Load.SOURCES);
    private static final List<Case> CASES = List.of(
            FIRST,
            new Case("10,000 sources", ONE_OUTPUT, MANY_SOURCES),
            new Case("1,000,000 sources", ONE_OUTPUT, MAX_SOURCES),
            new Case("10,000 journal files", "millrace-10000-files", Load.SOURCES),
            new Case("no output", "millrace-native", Load.SOURCES),
            new Case("8 outputs", "millrace-8-outputs", Load.SOURCES),
            FIRST_OF_BASELINE,
            new Case("C baseline, 10,000 sources", BASELINE, MANY_SOURCES));

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            converter = CountConverter.class,
            description = "Datagrams per second (default: ${DEFAULT-VALUE}).")
    private long rate = 100_000;

    private record Case(String name, String receiver, int sources) {}

    @Override
    String suite() {
        return "growth";
    }

    @Override
    List<String> defaultReceivers() {
        return CASES.stream().map(Case::receiver).distinct().toList();
    }

    @Override
    double warmUpSeconds() {
        return isFull() ? 20 : 1;
    }

    @Override
    void measure(SuiteRun run) throws IOException, InterruptedException {
        check(List.of(SIZE), List.of(rate));
        List<Subject> subjects = run.take(Subjects.of(receivers()));
        int rounds = rounds(1, 5);
        List<Case> cases = CASES.stream()
                .filter(each ->
                        subjects.stream().anyMatch(subject -> subject.name().equals(each.receiver)))
                .toList();
        run.plan(rounds * (cases.size() + subjects.size()));
        for (int round = 1; round <= rounds; round++) {
            Map<String, CheckedSeries> series = new LinkedHashMap<>();
            try {
                for (Subject subject : subjects) {
                    series.put(subject.name(), run.checkedSeries(subject, load(FIRST)));
                }
                for (Case each : cases) {
                    measure(run, Objects.requireNonNull(series.get(each.receiver)), each, round);
                }
                for (CheckedSeries each : series.values()) {
                    var unused = run.end(DELIVERED, each, load(FIRST), round);
                }
            } finally {
                for (CheckedSeries each : series.values()) {
                    each.close();
                }
            }
        }
    }

    private void measure(SuiteRun run, CheckedSeries series, Case of, int round)
            throws IOException, InterruptedException {
        if (isFull() && of.sources > Load.SOURCES) {
            learnSources(series, of, round);
        }
        var unused = run.run(of.name, series, load(of), round);
    }

    /** At least one datagram from each source, and long enough for the JVM to compile what many sources need. */
    private void learnSources(CheckedSeries series, Case of, int round) throws InterruptedException {
        double seconds = Math.max(MIN_LEARN_SECONDS, (double) of.sources / rate);
        var unused = series.run(WARM_UP, load(of).during(seconds), round);
    }

    private Load load(Case of) {
        return Load.of(rate, seconds(1, 10), SIZE).withoutGso().from(of.sources);
    }

    @Override
    Document report(RunData data) {
        Document document = Sections.start("CPU time with more sources, files and outputs", data);
        document.text(
                "CPU time of all threads of the process per message of 125 bytes, default settings, raw file outputs:"
                        + " median of the rounds and range. In a full run a service has received from each source before it is"
                        + " measured. The ratios are to the first row, and of the C baseline, which only journals, to its own"
                        + " first.");
        List<List<String>> rows = new ArrayList<>();
        for (Case each : CASES) {
            if (!data.measured().contains(each.receiver)) {
                continue;
            }
            List<TrialResult> trials = trials(data, each);
            rows.add(List.of(
                    each.name,
                    Statistics.medianAndRange(Statistics.costs(trials), "%,.0f"),
                    Statistics.medianAndRange(
                            ratios(data, trials, each.receiver.equals(BASELINE) ? FIRST_OF_BASELINE : FIRST), "%.2f"),
                    memory(trials)));
        }
        document.heading("Nanoseconds per message at " + Statistics.rate((double) rate) + "/s")
                .table(List.of("", "ns per message", "ratio, same round", "memory, MB"), rows);
        document.heading("Delivered").table(List.of("receiver", "sent", "delivered", "duplicates"), delivered(data));
        return Sections.end(document, data);
    }

    private static List<TrialResult> trials(RunData data, Case of) {
        return data.valid(of.name, of.receiver);
    }

    private static List<Double> ratios(RunData data, List<TrialResult> trials, Case to) {
        List<Double> ratios = new ArrayList<>();
        for (TrialResult trial : trials) {
            for (TrialResult first : trials(data, to)) {
                if (first.round() == trial.round()
                        && first.nanosPerDatagram() != null
                        && trial.nanosPerDatagram() != null) {
                    ratios.add(trial.nanosPerDatagram() / first.nanosPerDatagram());
                }
            }
        }
        return ratios;
    }

    private static String memory(List<TrialResult> trials) {
        return Statistics.medianAndRange(
                trials.stream().map(trial -> trial.memoryBytes() / 1e6).toList(), "%,.0f");
    }

    private static List<List<String>> delivered(RunData data) {
        List<List<String>> rows = new ArrayList<>();
        for (String subject : data.measured()) {
            long sent = 0;
            long received = 0;
            long duplicated = 0;
            for (TrialResult end : data.valid(DELIVERED, subject)) {
                sent += end.sent();
                received += end.received();
                duplicated += end.duplicated();
            }
            rows.add(List.of(
                    subject,
                    String.format(Locale.ROOT, "%,d", sent),
                    String.format(Locale.ROOT, "%,d", received),
                    String.format(Locale.ROOT, "%,d", duplicated)));
        }
        return rows;
    }
}
