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
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace bench streams}: messages of TCP connections, as fast as each receiver takes them. */
@Command(
        name = "streams",
        description = {
            "TCP: how many messages per second a receiver accepts and stores, and its CPU time per message, on one and on ten"
                    + " connections. The sender writes as fast as it can; TCP slows it down to the receiver's rate, so nothing"
                    + " is lost. Each message is numbered, and the output of each receiver is checked.",
        },
        footer = {
            "",
            "Examples:",
            "  millrace bench streams",
            "  millrace bench streams --full",
            "  millrace bench streams --full --tls"
        })
public final class StreamsCommand extends SuiteCommand {
    private static final String BASELINE_NAME = "baseline-stream";
    private static final int SIZE = 125;
    private static final List<Case> CASES = List.of(
            new Case("newline, 1 connection", Load.Framing.NEWLINE, 1),
            new Case("newline, 10 connections", Load.Framing.NEWLINE, 10),
            new Case("octet counting, 1 connection", Load.Framing.OCTET_COUNTING, 1),
            new Case("octet counting, 10 connections", Load.Framing.OCTET_COUNTING, 10));
    private static final List<Case> TLS_CASES = List.of(
            new Case("TLS, 1 connection", Load.Framing.TLS, 1), new Case("TLS, 10 connections", Load.Framing.TLS, 10));

    @Option(
            names = "--tls",
            description =
                    "TLS from 'openssl s_client', whose processes need as much CPU time as the receivers or more.")
    private boolean tls;

    /** What is sent; its name is that of the part of the run. */
    private record Case(String name, Load.Framing framing, int connections) {}

    @Override
    String suite() {
        return "streams";
    }

    @Override
    List<String> defaultReceivers() {
        return tls ? List.of("millrace-tls", peer()) : List.of(BASELINE_NAME, "millrace-tcp", peer());
    }

    private List<Case> cases() {
        return tls ? TLS_CASES : CASES;
    }

    private String peer() {
        return tls ? "rsyslog-tls" : "rsyslog-imptcp";
    }

    @Override
    double warmUpSeconds() {
        return isFull() ? 20 : 1;
    }

    @Override
    void measure(SuiteRun run) throws IOException, InterruptedException {
        List<Subject> subjects = run.take(Subjects.of(receivers()));
        for (Subject subject : subjects) {
            if (!subject.takesConnections()) {
                throw new IllegalArgumentException("the receiver '" + subject.name() + "' does not take connections");
            }
        }
        int rounds = rounds(1, 5);
        int perRound = 0;
        for (Case each : cases()) {
            perRound += (int)
                    subjects.stream().filter(subject -> takes(subject, each)).count();
        }
        run.plan(rounds * perRound);
        for (int round = 1; round <= rounds; round++) {
            for (Case each : cases()) {
                for (Subject subject : subjects) {
                    if (takes(subject, each)) {
                        Load load = Load.connections(each.connections, seconds(1, 10), SIZE, each.framing);
                        var unused = run.run(each.name, subject, load, round);
                    }
                }
            }
        }
    }

    private static boolean takes(Subject subject, Case each) {
        return switch (each.framing) {
            case NEWLINE -> !subject.takesTls();
            case OCTET_COUNTING -> subject.takesOctetCounting();
            case TLS -> subject.takesTls();
        };
    }

    @Override
    Document report(RunData data) {
        Document document = Sections.start("Messages of TCP connections", data);
        document.text(
                "Messages of 125 bytes, from the first that was sent until all were stored, and CPU time of all threads of"
                        + " the receiver per message: median of the rounds and range. At most 12 million messages are sent, after"
                        + " a warm-up at %,d messages per second, and another at full speed."
                                .formatted(Load.MAX_WARM_UP_RATE));
        if (tls) {
            document.text(
                    "The senders are processes of openssl s_client, and their start and handshake are part of the time. If they"
                            + " limit the rate of both receivers, the ratio of the rates is too near to 1; that of the CPU time is not"
                            + " affected.");
        }
        table(document, data, "Million messages per second", trial -> rate(trial) / 1e6, "%.2f");
        table(document, data, "Nanoseconds of CPU time per message", TrialResult::nanosPerDatagram, "%,.0f");
        ratios(document, data, "Rate ÷ " + peer(), peer(), StreamsCommand::rate);
        ratios(document, data, "CPU time ÷ " + peer(), peer(), TrialResult::nanosPerDatagram);
        if (!tls) {
            ratios(document, data, "CPU time ÷ " + BASELINE_NAME, BASELINE_NAME, TrialResult::nanosPerDatagram);
        }
        delivered(document, data);
        for (Case each : cases()) {
            document.add(chart(data, each));
        }
        return Sections.end(
                document,
                data,
                "The sender is on the same host, with a thread for each connection that writes 256 messages per system call.");
    }

    /** Until the last message is stored: receivers may have read it into a queue before. */
    private static Double rate(TrialResult trial) {
        return trial.received() / (trial.sent() / trial.achievedRate() + trial.drainSeconds());
    }

    private List<String> columns(String first) {
        List<String> columns = new ArrayList<>(List.of(first));
        cases().forEach(each -> columns.add(each.name));
        return columns;
    }

    private void table(
            Document document, RunData data, String heading, Function<TrialResult, Double> value, String format) {
        List<List<String>> rows = new ArrayList<>();
        for (String subject : data.measured()) {
            List<String> row = new ArrayList<>(List.of(subject));
            for (Case each : cases()) {
                row.add(Statistics.medianAndRange(
                        data.valid(each.name, subject).stream()
                                .map(value)
                                .filter(it -> it != null)
                                .toList(),
                        format));
            }
            rows.add(row);
        }
        document.heading(heading).table(columns("receiver"), rows);
    }

    private void ratios(
            Document document, RunData data, String heading, String peer, Function<TrialResult, Double> value) {
        List<List<String>> rows = new ArrayList<>();
        for (String subject : data.measured()) {
            List<String> row = new ArrayList<>(List.of(subject));
            for (Case each : cases()) {
                List<Double> ratios = new ArrayList<>();
                for (TrialResult trial : data.valid(each.name, subject)) {
                    for (TrialResult other : data.valid(each.name, peer)) {
                        Double of = value.apply(trial);
                        Double to = value.apply(other);
                        if (other.round() == trial.round() && of != null && to != null) {
                            ratios.add(of / to);
                        }
                    }
                }
                row.add(Statistics.medianAndRange(ratios, "%.2f"));
            }
            rows.add(row);
        }
        document.heading(heading + ", in the same round").table(columns("receiver"), rows);
    }

    private void delivered(Document document, RunData data) {
        List<List<String>> rows = new ArrayList<>();
        for (String subject : data.measured()) {
            long sent = 0;
            long received = 0;
            long duplicated = 0;
            for (Case each : cases()) {
                for (TrialResult trial : data.valid(each.name, subject)) {
                    sent += trial.sent();
                    received += trial.received();
                    duplicated += trial.duplicated();
                }
            }
            rows.add(List.of(
                    subject,
                    String.format(Locale.ROOT, "%,d", sent),
                    String.format(Locale.ROOT, "%,d", received),
                    String.format(Locale.ROOT, "%,d", duplicated)));
        }
        document.heading("Sent and stored").table(List.of("receiver", "sent", "stored", "duplicates"), rows);
    }

    private Chart chart(RunData data, Case each) {
        List<Chart.Series> series = data.measured().stream()
                .map(subject -> Chart.Series.medianAndRange(
                        subject,
                        data.valid(each.name, subject).stream()
                                .map(trial -> rate(trial) / 1e6)
                                .toList()))
                .filter(it -> !it.points().isEmpty())
                .toList();
        return Chart.bars((tls ? "" : "TCP: ") + each.name, "million messages per second, median and range", series);
    }
}
