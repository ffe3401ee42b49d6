package io.millrace.bench.suite;

import io.millrace.bench.option.CountConverter;
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

/** {@code millrace bench million}: socket and thread layouts for a million datagrams per second. */
@Command(
        name = "million",
        description =
                "Socket and thread layouts for a million 32-byte datagrams per second: one thread, pinned, two addresses, two"
                        + " threads on one socket, several sockets on one port, few flows, and steering; with the published"
                        + " results.",
        footer = {"", "Examples:", "  millrace bench million", "  millrace bench million --full --rate 1.5M"})
public final class MillionCommand extends SuiteCommand {
    private static final String PART = "million";
    private static final int SIZE = 32;
    private static final String MODE = "discard";
    private static final String DESCRIPTION = "C, recvmmsg, counted and discarded";
    private static final String LOCAL = "127.0.0.1";
    private static final int FEW_FLOWS = 2;
    private static final int MANY_FLOWS = 64;

    private final Map<String, Layout> layouts = new LinkedHashMap<>();

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            converter = CountConverter.class,
            description = "Offered datagrams per second (default: as many as the sender can send).")
    private long rate = Load.MAX;

    /**
     * A layout, which is a row of the table.
     *
     * @param flows the number of source ports
     * @param published the published result in millions per second; empty for none
     */
    private record Layout(Subject subject, int flows, String published) {}

    /** Defines the layouts. */
    public MillionCommand() {
        layout("one-thread", MANY_FLOWS, "0.20–0.35", 1, List.of());
        layout("one-thread-pinned", MANY_FLOWS, "0.37", 1, List.of("--cpu", last()));
        layouts.put(
                "two-addresses",
                new Layout(
                        Subjects.baseline(
                                "two-addresses", MODE, DESCRIPTION, List.of(LOCAL, "127.0.0.2"), 2, List.of()),
                        MANY_FLOWS,
                        "0.65"));
        layout("two-threads-one-socket", MANY_FLOWS, "0.48", 1, List.of("--threads", "2"));
        layout("two-sockets", MANY_FLOWS, "", 2, List.of("--sockets", "2"));
        layout("four-sockets", MANY_FLOWS, "1.1", 4, List.of("--sockets", "4"));
        layout("four-sockets-two-flows", FEW_FLOWS, "2 of 4 got everything", 4, List.of("--sockets", "4"));
        layout("four-sockets-two-flows-steered", FEW_FLOWS, "", 4, List.of("--sockets", "4", "--steer"));
        millrace("millrace-epoll-1", "epoll", 1);
        millrace("millrace-epoll-2", "epoll", 2);
        millrace("millrace-native-1", "native", 1);
        millrace("millrace-native-2", "native", 2);
    }

    private static String last() {
        return Integer.toString(Runtime.getRuntime().availableProcessors() - 1);
    }

    private void layout(String name, int flows, String published, int sockets, List<String> options) {
        layouts.put(
                name,
                new Layout(
                        Subjects.baseline(name, MODE, DESCRIPTION, List.of(LOCAL), sockets, options),
                        flows,
                        published));
    }

    private void millrace(String name, String transport, int receivers) {
        layouts.put(name, new Layout(Subjects.millrace(name, transport, receivers), MANY_FLOWS, ""));
    }

    @Override
    String suite() {
        return "million";
    }

    @Override
    List<String> defaultReceivers() {
        return List.copyOf(layouts.keySet());
    }

    @Override
    List<Subject> subjects() {
        List<Subject> found = new ArrayList<>();
        for (String name : receivers()) {
            Layout layout = layouts.get(name);
            if (layout == null) {
                throw new IllegalArgumentException(
                        "unknown layout '" + name + "'; valid are " + String.join(", ", layouts.keySet()));
            }
            found.add(layout.subject());
        }
        return found;
    }

    /** The content of a large buffer at the end would count as received in time. */
    @Override
    int defaultReceiveBuffer() {
        return 8 << 20;
    }

    @Override
    int typicalSize() {
        return SIZE;
    }

    @Override
    void measure(SuiteRun run) throws IOException, InterruptedException {
        List<Subject> subjects = run.take(subjects());
        int rounds = rounds(1, 3);
        run.plan(rounds * subjects.size());
        for (int round = 1; round <= rounds; round++) {
            for (Subject subject : subjects) {
                int flows = Optional.ofNullable(layouts.get(subject.name()))
                        .map(Layout::flows)
                        .orElse(MANY_FLOWS);
                var unused = run.run(
                        PART, subject, Load.of(rate, seconds(1, 5), SIZE).from(flows), round);
            }
        }
    }

    @Override
    Document report(RunData data) {
        Document document = Sections.start("A million datagrams per second", data);
        document.text("32-byte datagrams: offered and received, in millions per second; median of the rounds and range."
                + " Sockets share the memory of one receive buffer. The published results are from a host with 2 × 6 cores"
                + " and 10-Gigabit Ethernet; here receivers share the host with the sender.");
        List<List<String>> rows = new ArrayList<>();
        List<Chart.Series> series = new ArrayList<>();
        for (String name : data.measured()) {
            List<TrialResult> trials = data.valid(PART, name);
            List<Double> received = trials.stream()
                    .map(trial -> trial.achievedRate() * (1 - trial.loss()) / 1e6)
                    .toList();
            Layout layout = layouts.get(name);
            rows.add(List.of(
                    name,
                    layout == null ? "–" : Integer.toString(layout.flows()),
                    Statistics.medianAndRange(
                            trials.stream()
                                    .map(trial -> trial.achievedRate() / 1e6)
                                    .toList(),
                            "%.2f"),
                    Statistics.medianAndRange(received, "%.2f"),
                    Statistics.medianAndRange(
                            trials.stream().map(trial -> 100 * trial.loss()).toList(), "%.1f"),
                    shares(trials),
                    layout == null || layout.published().isEmpty() ? "–" : layout.published()));
            series.add(Chart.Series.medianAndRange(name, received));
        }
        document.heading("Received")
                .table(
                        List.of(
                                "layout",
                                "flows",
                                "offered, M/s",
                                "received, M/s",
                                "lost, %",
                                "share of each socket, %",
                                "published, M/s"),
                        rows)
                .add(Chart.bars("Received", "millions per second, median and range", series));
        return Sections.end(document, data);
    }

    /** The distribution of the last trial over the sockets. */
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
