package io.millrace.bench.socket;

import io.millrace.bench.check.RunCheck;
import io.millrace.bench.host.ScratchDirectory;
import io.millrace.bench.report.Chart;
import io.millrace.bench.report.Document;
import io.millrace.bench.report.ReportCommand;
import io.millrace.bench.report.Statistics;
import io.millrace.bench.subject.MillraceService;
import io.millrace.bench.trial.Load;
import io.millrace.bench.trial.SenderRun;
import io.millrace.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;

/** {@code millrace bench local}: ways from a process to another on the same host. */
@Command(
        name = "local",
        description =
                "Messages of 100 bytes over Unix sockets, TCP and UDP on one host: how many per second, and how long one is"
                        + " on its way. First between two threads, each message with a system call at both ends; then from the sender"
                        + " to the service's journal.",
        footer = {"", "Examples:", "  millrace bench local", "  millrace bench local --full"})
public final class LocalCommand extends ReportCommand {
    private static final int SIZE = 100;
    private static final long LATENCY_RATE = 1_000;
    private static final Duration STOP = Duration.ofSeconds(60);
    private static final Pattern PORT = Pattern.compile("(?:udp|tcp) \\S*:(\\d+)[ ,]");

    /** The results of a transport. */
    private static final class Result {
        final List<Double> rate = new ArrayList<>();
        final List<Double> median = new ArrayList<>();
        final List<Double> high = new ArrayList<>();
        final List<Double> journaled = new ArrayList<>();
        final List<Double> toJournal = new ArrayList<>();
    }

    @Override
    protected Document measure(Path scratch) throws IOException, InterruptedException {
        double seconds = isFull() ? 5 : 0.5;
        Map<LocalTransport, Result> results = new EnumMap<>(LocalTransport.class);
        for (LocalTransport transport : LocalTransport.values()) {
            results.put(transport, new Result());
        }
        for (int round = 0; round < (isFull() ? 5 : 1); round++) {
            for (LocalTransport transport : LocalTransport.values()) {
                Path directory = Files.createDirectory(scratch.resolve("trial"));
                try {
                    Result result = Objects.requireNonNull(results.get(transport));
                    raw(transport, directory, seconds, result);
                    throughService(transport, directory, seconds, result);
                } finally {
                    ScratchDirectory.delete(directory);
                }
            }
        }
        return document(results);
    }

    private static void raw(LocalTransport transport, Path directory, double seconds, Result result)
            throws IOException, InterruptedException {
        try (LocalTransport.Pair pair = transport.open(directory)) {
            LocalTraffic traffic = new LocalTraffic(pair, SIZE);
            result.rate.add(traffic.perSecond(seconds));
            LocalTraffic.Latency latency = traffic.latency(seconds);
            result.median.add(latency.medianMicros());
            result.high.add(latency.highMicros());
        }
    }

    private static void throughService(LocalTransport transport, Path directory, double seconds, Result result)
            throws IOException, InterruptedException {
        boolean unix = transport == LocalTransport.UNIX_STREAM || transport == LocalTransport.UNIX_DATAGRAM;
        Path socket = directory.resolve("service");
        Path data = directory.resolve("data");
        MillraceService service = MillraceService.start(
                "the service",
                MillraceService.command(
                        "--listen",
                        unix ? transport.scheme() + socket : transport.scheme() + "127.0.0.1:0",
                        "--admin",
                        "off",
                        "--data",
                        data.toString()));
        try {
            String target = transport.scheme() + (unix ? socket.toString() : "127.0.0.1:" + service.find(PORT));
            Load load = new Load(Load.MAX, seconds, SIZE, 1, 1, "sequence");
            SenderRun warmUp = SenderRun.run(load, List.of(target), 1, List.of());
            SenderRun fast = SenderRun.run(load, List.of(target), 2, List.of());
            Load slow = new Load(LATENCY_RATE, seconds, SIZE, 1, 1, "sequence");
            SenderRun paced = SenderRun.run(slow, List.of(target), 3, List.of());
            if (warmUp.failed() + fast.failed() + paced.failed() > 0) {
                throw new IOException("the sender could not send all messages to " + target);
            }
            var unused = service.process().terminate(STOP);
            Journal journal = Journal.open(data);
            result.journaled.add(RunCheck.of(journal, 2).distinct() / (fast.sent() / fast.achievedRate()));
            result.toJournal.add((double) RunCheck.of(journal, 3).latency().getValueAtPercentile(50));
        } finally {
            service.process().close();
        }
    }

    private static Document document(Map<LocalTransport, Result> results) {
        Document document = new Document("Ways from one process to another on a host");
        document.text(
                "Messages of 100 bytes, one socket. Median of the rounds and range. Between two threads: one writes"
                        + " messages, the other reads; for latency, one message per millisecond with the time in it. To the journal:"
                        + " `millrace send` to the service with default settings, where `receive.latency` lets several messages wait for"
                        + " one wake-up. Unix datagrams between threads: Java has no blocking socket for them, and"
                        + " both ends look every 20 µs.");
        List<List<String>> rows = new ArrayList<>();
        List<Chart.Series> series = new ArrayList<>();
        results.forEach((transport, result) -> {
            rows.add(List.of(
                    transport.text(),
                    Statistics.medianAndRange(result.rate, "%,.0f"),
                    Statistics.medianAndRange(result.median, "%,.1f"),
                    Statistics.medianAndRange(result.high, "%,.1f"),
                    Statistics.medianAndRange(result.journaled, "%,.0f"),
                    Statistics.medianAndRange(result.toJournal, "%,.0f")));
            series.add(Chart.Series.medianAndRange(transport.text(), result.rate));
        });
        return document.heading("Results")
                .table(
                        List.of(
                                "transport",
                                "messages/s",
                                "one way, µs: p50",
                                "p99",
                                "journaled/s",
                                "to the service, µs: p50"),
                        rows)
                .add(Chart.bars("Messages of 100 bytes between two threads", "messages per second", series));
    }
}
