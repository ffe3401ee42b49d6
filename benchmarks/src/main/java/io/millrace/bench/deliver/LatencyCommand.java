package io.millrace.bench.deliver;

import io.millrace.bench.check.RunCheck;
import io.millrace.bench.host.Programs;
import io.millrace.bench.host.ReceiveBufferLimit;
import io.millrace.bench.report.Chart;
import io.millrace.bench.report.Document;
import io.millrace.bench.report.ReportCommand;
import io.millrace.bench.subject.LaunchSettings;
import io.millrace.bench.subject.RunningSubject;
import io.millrace.bench.subject.Subject;
import io.millrace.bench.subject.Subjects;
import io.millrace.bench.trial.Load;
import io.millrace.bench.trial.SenderRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace bench latency}: from the sender's clock to the line in the output's file. */
@Command(
        name = "latency",
        description =
                "How long a datagram is on its way from the sender to its line in the file of an output, at 1,000 datagrams per second:"
                        + " with default settings, with shorter waits, and rsyslog with default settings. Then a datagram after a"
                        + " pause of a second, with default settings.",
        footer = {"", "Examples:", "  millrace bench latency", "  millrace bench latency --full"})
public final class LatencyCommand extends ReportCommand {
    private static final List<String> SUBJECTS =
            List.of("millrace-file", "millrace-linger-1ms", "millrace-no-wait", "rsyslog-defaults");

    /** Those that are measured after a pause, too: with default settings. */
    private static final Set<String> AFTER_PAUSE = Set.of("millrace-file", "rsyslog-defaults");

    private static final long RATE = 1_000;
    private static final int SIZE = 125;

    /** The default of the service, which waits less with a small one. */
    private static final int RECEIVE_BUFFER = 64 << 20;

    /** A rate at which a JVM compiles within seconds what it uses. */
    private static final long WARM_UP_RATE = 50_000;

    private static final double MIN_SECONDS = 0.1;
    private static final double[] PERCENTILES = {50, 90, 99, 100};
    private static final double MICROS_PER_MS = 1000;
    private static final long LOOK_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(2);

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "The length of each case (default: 5; with --full 60). After pauses, as many datagrams.")
    private @Nullable Double seconds;

    /** With a steady flow, and with a datagram after a pause if that was measured. */
    private record Result(
            SenderRun sent, Histogram micros, @Nullable Histogram afterPause) {}

    @Override
    protected Document measure(Path scratch) throws IOException, InterruptedException {
        double time = seconds != null ? seconds : isFull() ? 60 : 5;
        if (!(time >= MIN_SECONDS)) {
            throw new IllegalArgumentException("--seconds accepts " + MIN_SECONDS + " or more");
        }
        try (ReceiveBufferLimit limit = ReceiveBufferLimit.raiseTo(RECEIVE_BUFFER)) {
            return measure(scratch, time, limit.bytes());
        }
    }

    private Document measure(Path scratch, double time, int receiveBuffer) throws IOException, InterruptedException {
        List<List<String>> rows = new ArrayList<>();
        List<List<String>> pauseRows = new ArrayList<>();
        List<Chart.Series> series = new ArrayList<>();
        Document configurations = new Document("");
        for (Subject subject : Subjects.of(SUBJECTS)) {
            Optional<String> why = subject.unavailable();
            configurations.text(subject.name() + ": " + subject.description()
                    + why.map(text -> ". Not measured: " + text).orElse("") + ".");
            if (why.isEmpty()) {
                LaunchSettings launch = new LaunchSettings(
                        Files.createDirectory(scratch.resolve(subject.name())), receiveBuffer, List.of());
                Result result = measure(subject, launch, time);
                rows.add(row(subject.name(), result.micros, List.of(millis(result.sent.maxLateMicros()))));
                if (result.afterPause != null) {
                    pauseRows.add(row(subject.name(), result.afterPause, List.of()));
                }
                series.add(new Chart.Series(
                        subject.name(),
                        List.of(
                                new Chart.Point(0, result.micros.getValueAtPercentile(50) / MICROS_PER_MS),
                                new Chart.Point(0, result.micros.getValueAtPercentile(99) / MICROS_PER_MS))));
                configurations.code(Programs.withoutPaths(
                        subject.configuration(new LaunchSettings(Path.of("DIRECTORY"), receiveBuffer, List.of()))));
            }
        }
        Document document = new Document("From the sender to the file")
                .text(method(time, receiveBuffer))
                .heading("Results")
                .table(columns("sender late, ms"), rows)
                .add(Chart.bars("Latency to the line in the file", "ms, p50, and a line to p99", series))
                .heading("After a pause")
                .text(
                        "After the trial above: one datagram after a pause of a second, and the next when its line was there. Latency runs from the"
                                + " call that sends it.")
                .table(columns(), pauseRows)
                .heading("Receivers");
        configurations.blocks().forEach(document::add);
        return document;
    }

    private static String method(double time, int receiveBuffer) {
        return String.format(
                Locale.ROOT,
                "UDP, %,d datagrams of %d bytes per second for %.1f s, after a warm-up at %,d/s and another at this rate, with a"
                        + " receive buffer of %,d KiB. Latency runs from the time at which a datagram was due by the sender's clock, which is that of the same host, until the"
                        + " benchmark has read its line in the file; it looks every 50 µs. A delay of the sender counts, too: the"
                        + " longest is in the table. All lines were found, each once.",
                RATE,
                SIZE,
                time,
                WARM_UP_RATE,
                receiveBuffer >> 10);
    }

    private static List<String> columns(String... more) {
        List<String> columns =
                new ArrayList<>(List.of("receiver", "lines", "p50, ms", "p90, ms", "p99, ms", "max, ms"));
        columns.addAll(List.of(more));
        return columns;
    }

    private static List<String> row(String name, Histogram micros, List<String> more) {
        List<String> row = new ArrayList<>(List.of(name, String.format(Locale.ROOT, "%,d", micros.getTotalCount())));
        for (double percentile : PERCENTILES) {
            row.add(millis(micros.getValueAtPercentile(percentile)));
        }
        row.addAll(more);
        System.err.println("millrace bench: " + String.join(" ", row));
        return row;
    }

    private static String millis(long micros) {
        return String.format(Locale.ROOT, "%.2f", micros / MICROS_PER_MS);
    }

    private Result measure(Subject subject, LaunchSettings launch, double time)
            throws IOException, InterruptedException {
        ExecutorService sender = Executors.newSingleThreadExecutor();
        try (RunningSubject running = subject.start(launch);
                FollowedFile file = new FollowedFile(launch.lines())) {
            String target = "127.0.0.1:" + running.port();
            double warmUp = isFull() ? 20 : 1;
            var unused = run(sender, target, file, Load.of(WARM_UP_RATE, warmUp, SIZE), new RunCheck(1));
            unused = run(sender, target, file, Load.of(RATE, warmUp, SIZE), new RunCheck(2));
            RunCheck check = new RunCheck(3);
            SenderRun sent = run(sender, target, file, Load.of(RATE, time, SIZE), check);
            Histogram afterPause = AFTER_PAUSE.contains(subject.name())
                    ? LoneMessages.measure(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), running.port()),
                            file,
                            (int) Math.ceil(time),
                            SIZE)
                    : null;
            running.stop();
            if (check.distinct() != sent.sent() || check.duplicated() > 0) {
                throw new IOException(String.format(
                        Locale.ROOT,
                        "%s: %,d datagrams were sent, the file has %,d of them, and %,d duplicates",
                        subject.name(),
                        sent.sent(),
                        check.distinct(),
                        check.duplicated()));
            }
            return new Result(sent, check.latency(), afterPause);
        } finally {
            sender.shutdownNow();
        }
    }

    /** Sends, and follows the file until it has everything, or nothing more comes. */
    private static SenderRun run(ExecutorService sender, String target, FollowedFile file, Load load, RunCheck check)
            throws IOException, InterruptedException {
        long runId = check.runId();
        Future<SenderRun> sending = sender.submit(() -> SenderRun.run(load, List.of(target), runId, List.of()));
        long lastNs = System.nanoTime();
        try {
            while (!sending.isDone()
                    || (check.distinct() < sending.get().sent() && System.nanoTime() - lastNs < QUIET_NS)) {
                if (file.poll(check)) {
                    lastNs = System.nanoTime();
                } else {
                    LockSupport.parkNanos(LOOK_NS);
                }
            }
            return sending.get();
        } catch (ExecutionException e) {
            throw new IOException("the sender failed: " + e.getCause(), e);
        }
    }
}
