package io.millrace.bench.suite;

import io.millrace.bench.host.CpuTime;
import io.millrace.bench.host.Programs;
import io.millrace.bench.host.ReceiveBufferLimit;
import io.millrace.bench.host.TouchedPages;
import io.millrace.bench.report.Chart;
import io.millrace.bench.report.Document;
import io.millrace.bench.report.ReportCommand;
import io.millrace.bench.report.Statistics;
import io.millrace.bench.subject.LaunchSettings;
import io.millrace.bench.subject.RunningSubject;
import io.millrace.bench.subject.Subject;
import io.millrace.bench.subject.Subjects;
import io.millrace.bench.trial.Load;
import io.millrace.bench.trial.SenderRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace bench pages}: the memory that a receiver touches in a second. */
@Command(
        name = "pages",
        description =
                "How much memory a receiver touches per second while nothing arrives, and at 1,000 datagrams per second, after a"
                        + " load of 100,000: with default settings and one raw file output, beside rsyslog. Needs a kernel that tells touched"
                        + " pages, and the user of the receivers.",
        footer = {"", "Examples:", "  millrace bench pages", "  millrace bench pages --full"})
public final class PagesCommand extends ReportCommand {
    private static final List<String> SUBJECTS = List.of("millrace-file", "rsyslog-defaults", "rsyslog");
    private static final long WARM_UP_RATE = 100_000;
    private static final long RATE = 1_000;
    private static final int SIZE = 125;
    /** The default of the service. */
    private static final int RECEIVE_BUFFER = 64 << 20;

    private static final long WINDOW_MS = 1000;

    private static final double KIB_PER_MB = 1000.0 / 1.024;
    private static final String FORMAT = "%.1f";

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "How many seconds of each state are measured (default: 3; with --full 20).")
    private @Nullable Integer seconds;

    private record Result(long readyKib, List<TouchedPages> idle, List<TouchedPages> loaded, long laterKib) {}

    @Override
    protected Document measure(Path scratch) throws IOException, InterruptedException {
        int windows = seconds != null ? seconds : isFull() ? 20 : 3;
        if (windows < 1) {
            throw new IllegalArgumentException("--seconds accepts 1 or more");
        }
        try (ReceiveBufferLimit limit = ReceiveBufferLimit.raiseTo(RECEIVE_BUFFER)) {
            return measure(scratch, windows, limit.bytes());
        }
    }

    private Document measure(Path scratch, int windows, int receiveBuffer) throws IOException, InterruptedException {
        Document document = new Document("Memory touched per second");
        document.text(String.format(
                Locale.ROOT,
                "UDP, datagrams of %d bytes. After %.0f s at %,d/s and %.0f s without a datagram, each second the kernel's marks of touched pages"
                        + " are cleared and counted; the same after %.0f s at %,d/s. Median and range of %d seconds, in MB. A page of a file may"
                        + " count because another process that had it has ended.",
                SIZE,
                warmUpSeconds(),
                WARM_UP_RATE,
                settleMillis() / 1000.0,
                settleMillis() / 1000.0,
                RATE,
                windows));
        List<List<String>> rows = new ArrayList<>();
        List<List<String>> kinds = new ArrayList<>();
        List<Chart.Series> series = new ArrayList<>();
        Document configurations = new Document("");
        for (Subject subject : Subjects.of(SUBJECTS)) {
            Optional<String> why = subject.unavailable();
            configurations.text(subject.name() + ": " + subject.description()
                    + why.map(text -> ". Not measured: " + text).orElse("") + ".");
            if (why.isEmpty()) {
                LaunchSettings launch = new LaunchSettings(
                        Files.createDirectory(scratch.resolve(subject.name())), receiveBuffer, List.of());
                Result result = measure(subject, launch, windows);
                rows.add(row(subject, result));
                kinds.add(kinds(subject.name() + ", idle", result.idle));
                kinds.add(kinds(String.format(Locale.ROOT, "%s, %,d/s", subject.name(), RATE), result.loaded));
                series.add(new Chart.Series(
                        subject.name(), List.of(new Chart.Point(0, Statistics.median(megabytes(result.loaded))))));
                configurations.code(Programs.withoutPaths(
                        subject.configuration(new LaunchSettings(Path.of("DIRECTORY"), receiveBuffer, List.of()))));
            }
        }
        document.heading("Results")
                .table(
                        List.of("receiver", "idle, MB/s", "1,000 msg/s, MB/s", "resident when ready", "at the end, MB"),
                        rows)
                .add(Chart.bars("Memory touched per second at 1,000 msg/s", "MB", series))
                .heading("By kind of memory, MB per second")
                .table(List.of("receiver", "files", "compiled code", "other"), kinds)
                .heading("Receivers");
        configurations.blocks().forEach(document::add);
        return document;
    }

    private double warmUpSeconds() {
        return isFull() ? 60 : 2;
    }

    /** From a change of the load to the measurement: the JVM compiles what runs now. */
    private long settleMillis() {
        return isFull() ? 30_000 : 2000;
    }

    private static List<String> row(Subject subject, Result result) {
        List<String> row = List.of(
                subject.name(),
                Statistics.medianAndRange(megabytes(result.idle), FORMAT),
                Statistics.medianAndRange(megabytes(result.loaded), FORMAT),
                String.format(Locale.ROOT, "%.0f", result.readyKib / KIB_PER_MB),
                String.format(Locale.ROOT, "%.0f", result.laterKib / KIB_PER_MB));
        System.err.println("millrace bench: " + String.join(", ", row));
        return row;
    }

    private static List<String> kinds(String name, List<TouchedPages> windows) {
        return List.of(
                name,
                Statistics.medianAndRange(megabytes(windows, TouchedPages::files), FORMAT),
                Statistics.medianAndRange(megabytes(windows, TouchedPages::code), FORMAT),
                Statistics.medianAndRange(megabytes(windows, TouchedPages::other), FORMAT));
    }

    private static List<Double> megabytes(List<TouchedPages> windows) {
        return megabytes(windows, TouchedPages::sum);
    }

    private static List<Double> megabytes(List<TouchedPages> windows, ToLongFunction<TouchedPages> kind) {
        return windows.stream().map(each -> kind.applyAsLong(each) / KIB_PER_MB).toList();
    }

    private Result measure(Subject subject, LaunchSettings launch, int windows)
            throws IOException, InterruptedException {
        ExecutorService sender = Executors.newSingleThreadExecutor();
        try (RunningSubject running = subject.start(launch)) {
            long ready = CpuTime.resident(running.pid());
            List<String> target = List.of("127.0.0.1:" + running.port());
            var unused = SenderRun.run(Load.of(WARM_UP_RATE, warmUpSeconds(), SIZE), target, 1, List.of());
            Thread.sleep(settleMillis());
            List<TouchedPages> idle = windows(running.pid(), windows);
            double time = windows + TimeUnit.MILLISECONDS.toSeconds(settleMillis()) + 1;
            Future<SenderRun> sending =
                    sender.submit(() -> SenderRun.run(Load.of(RATE, time, SIZE), target, 2, List.of()));
            Thread.sleep(settleMillis());
            List<TouchedPages> loaded = windows(running.pid(), windows);
            long later = CpuTime.resident(running.pid());
            sending.get();
            running.stop();
            return new Result(ready, idle, loaded, later);
        } catch (ExecutionException e) {
            throw new IOException("the sender failed: " + e.getCause(), e);
        } finally {
            sender.shutdownNow();
        }
    }

    private static List<TouchedPages> windows(long pid, int count) throws IOException, InterruptedException {
        List<TouchedPages> windows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            windows.add(TouchedPages.within(pid, WINDOW_MS));
        }
        return windows;
    }
}
