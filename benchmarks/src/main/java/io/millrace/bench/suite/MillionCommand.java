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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace bench million}: ways to a million datagrams per second. */
@Command(
        name = "million",
        description =
                "Ways to a million 32-byte datagrams a second: one thread, pinned, two addresses, two threads on one"
                        + " socket, several sockets of one port, few flows, and steering; beside the published table.",
        footer = {"", "Examples:", "  millrace bench million", "  millrace bench million --full --rate 1.5M"})
public final class MillionCommand extends SuiteCommand {
    private static final String PART = "million";
    private static final int SIZE = 32;
    private static final String MODE = "discard";
    private static final String WHAT = "C, recvmmsg, counted and thrown away";
    private static final String LOCAL = "127.0.0.1";
    private static final int FEW = 2;
    private static final int MANY = 64;

    private final Map<String, Way> ways = new LinkedHashMap<>();

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            converter = WholeNumber.class,
            description = "Datagrams a second that are offered (default: as many as the sender can).")
    private long rate = Load.MAX;

    /**
     * A row of the table.
     *
     * @param flows source ports
     * @param published millions per second, as published; empty if not
     */
    private record Way(Subject subject, int flows, String published) {}

    /** Makes the command. */
    public MillionCommand() {
        way("one-thread", MANY, "0.20–0.35", 1, List.of());
        way("one-thread-pinned", MANY, "0.37", 1, List.of("--cpu", last()));
        ways.put(
                "two-addresses",
                new Way(
                        Subjects.baseline("two-addresses", MODE, WHAT, List.of(LOCAL, "127.0.0.2"), 2, List.of()),
                        MANY,
                        "0.65"));
        way("two-threads-one-socket", MANY, "0.48", 1, List.of("--threads", "2"));
        way("two-sockets", MANY, "", 2, List.of("--sockets", "2"));
        way("four-sockets", MANY, "1.1", 4, List.of("--sockets", "4"));
        way("four-sockets-two-flows", FEW, "2 of 4 got everything", 4, List.of("--sockets", "4"));
        way("four-sockets-two-flows-steered", FEW, "", 4, List.of("--sockets", "4", "--steer"));
        millrace("millrace-epoll-1", "epoll", 1);
        millrace("millrace-epoll-2", "epoll", 2);
        millrace("millrace-native-1", "native", 1);
        millrace("millrace-native-2", "native", 2);
    }

    private static String last() {
        return Integer.toString(Runtime.getRuntime().availableProcessors() - 1);
    }

    private void way(String name, int flows, String published, int sockets, List<String> options) {
        ways.put(
                name, new Way(Subjects.baseline(name, MODE, WHAT, List.of(LOCAL), sockets, options), flows, published));
    }

    private void millrace(String name, String transport, int receivers) {
        ways.put(name, new Way(Subjects.millrace(name, transport, receivers), MANY, ""));
    }

    @Override
    String suite() {
        return "million";
    }

    @Override
    List<String> defaultReceivers() {
        return List.copyOf(ways.keySet());
    }

    @Override
    List<Subject> subjects() {
        List<Subject> found = new ArrayList<>();
        for (String name : receivers()) {
            Way way = ways.get(name);
            if (way == null) {
                throw new IllegalArgumentException(
                        "there is no way '" + name + "'; there are " + String.join(", ", ways.keySet()));
            }
            found.add(way.subject());
        }
        return found;
    }

    /** What waits in a large buffer at the end would count as received in time. */
    @Override
    String defaultReceiveBuffer() {
        return "8m";
    }

    @Override
    int typicalSize() {
        return SIZE;
    }

    @Override
    void measure(SuiteRun run) throws IOException, InterruptedException {
        List<Subject> subjects = run.take(subjects());
        int turns = rounds(1, 3);
        run.plan(turns * subjects.size());
        for (int round = 1; round <= turns; round++) {
            for (Subject subject : subjects) {
                int flows = Optional.ofNullable(ways.get(subject.name()))
                        .map(Way::flows)
                        .orElse(MANY);
                var unused = run.run(
                        PART, subject, Load.of(rate, seconds(1, 5), SIZE).from(flows), round);
            }
        }
    }

    @Override
    Document report(RunData data) {
        Document document = Sections.start("Ways to a million datagrams a second", data);
        document.text("32-byte datagrams. Received, in millions a second, of what was offered; median of the rounds and"
                + " their range. Sockets share one receive buffer's worth of memory. The published figures are of two CPUs with six cores each and 10-Gigabit Ethernet,"
                + " where each way had cores of its own; here all of them share this host with the sender.");
        List<List<String>> rows = new ArrayList<>();
        List<Chart.Series> series = new ArrayList<>();
        for (String name : data.measured()) {
            List<TrialResult> trials = data.valid(PART).stream()
                    .filter(trial -> trial.subject().equals(name))
                    .toList();
            List<Double> received = trials.stream()
                    .map(trial -> trial.achievedRate() * (1 - trial.loss()) / 1e6)
                    .toList();
            Way way = ways.get(name);
            rows.add(List.of(
                    name,
                    way == null ? "–" : Integer.toString(way.flows()),
                    Statistics.medianAndRange(
                            trials.stream()
                                    .map(trial -> trial.achievedRate() / 1e6)
                                    .toList(),
                            "%.2f"),
                    Statistics.medianAndRange(received, "%.2f"),
                    Statistics.medianAndRange(
                            trials.stream().map(trial -> 100 * trial.loss()).toList(), "%.1f"),
                    shares(trials),
                    way == null || way.published().isEmpty() ? "–" : way.published()));
            List<Chart.Point> points = new ArrayList<>();
            if (!received.isEmpty()) {
                points.add(new Chart.Point(0, Statistics.median(received)));
                received.forEach(value -> points.add(new Chart.Point(0, value)));
            }
            series.add(new Chart.Series(name, points));
        }
        document.heading("Received")
                .table(
                        List.of(
                                "way",
                                "flows",
                                "offered, M/s",
                                "received, M/s",
                                "lost, %",
                                "share of each socket, %",
                                "published, M/s"),
                        rows)
                .add(new Chart("Received", "", "millions a second, median and range", Chart.Kind.BARS, series));
        return Sections.end(document, data);
    }

    /** How the last trial's datagrams were spread over the sockets. */
    private static String shares(List<TrialResult> trials) {
        if (trials.isEmpty()) {
            return "–";
        }
        String detail = trials.get(trials.size() - 1).detail();
        if (detail == null || !detail.contains(",")) {
            return "–";
        }
        List<Double> counts = new ArrayList<>();
        for (String count : detail.split(",", -1)) {
            counts.add(Double.parseDouble(count.strip()));
        }
        double all = counts.stream().mapToDouble(Double::doubleValue).sum();
        return String.join(
                " / ",
                counts.stream()
                        .map(count -> String.format(Locale.ROOT, "%.0f", all == 0 ? 0 : 100 * count / all))
                        .toList());
    }
}
