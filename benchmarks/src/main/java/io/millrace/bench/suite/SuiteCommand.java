package io.millrace.bench.suite;

import io.millrace.bench.host.CpuShare;
import io.millrace.bench.host.HostLock;
import io.millrace.bench.host.Programs;
import io.millrace.bench.host.ReceiveBufferLimit;
import io.millrace.bench.host.ScratchDirectory;
import io.millrace.bench.host.WarmMemory;
import io.millrace.bench.option.ByteSizeConverter;
import io.millrace.bench.option.CommandText;
import io.millrace.bench.option.Extent;
import io.millrace.bench.report.Document;
import io.millrace.bench.report.DocumentFiles;
import io.millrace.bench.report.Markdown;
import io.millrace.bench.report.RunData;
import io.millrace.bench.report.RunFolder;
import io.millrace.bench.report.Sections;
import io.millrace.bench.subject.Subject;
import io.millrace.bench.subject.Subjects;
import io.millrace.bench.trial.BufferProbe;
import io.millrace.bench.trial.Load;
import io.millrace.bench.trial.ProcessTrialRunner;
import io.millrace.bench.trial.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Base class of the suites: their common options, the folder of the run, and its course. */
abstract class SuiteCommand implements Callable<Integer> {
    private static final int MIN_SIZE = 32;
    private static final int MAX_SIZE = 65_507;
    private static final double MIN_SECONDS = 0.1;
    private static final int MAX_PERCENT = 100;

    /** More than a warm-up and a trial write at the highest rates. */
    private static final long FULL_WARM_BYTES = 11L << 30;

    private static final long QUICK_WARM_BYTES = 1L << 30;

    /** The receiver that the others are compared with. */
    static final String BASELINE = "baseline-append";

    @Spec
    @SuppressWarnings("NullAway.Init") // Picocli sets it.
    private CommandSpec spec;

    @ArgGroup(multiplicity = "0..1")
    private Extent extent = new Extent();

    @Option(
            names = "--receivers",
            paramLabel = "NAME",
            split = ",",
            description = "The receivers in this order (see 'millrace bench receivers').")
    private @Nullable List<String> receivers;

    @Option(
            names = "--receive-buffer",
            paramLabel = "SIZE",
            converter = ByteSizeConverter.class,
            description = "The receive buffer that every receiver requests, such as 64m or 1000000; the kernel grants"
                    + " twice as much (default: 64m, for receiver-comparison 4m, for million 8m).")
    private @Nullable Integer receiveBuffer;

    @Option(names = "--seconds", paramLabel = "N", description = "The length of a trial.")
    private @Nullable Double seconds;

    @Option(names = "--rounds", paramLabel = "N", description = "The number of interleaved rounds.")
    private @Nullable Integer rounds;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The folder of the report (default: bench-results/SUITE-TIME).")
    private @Nullable Path out;

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description =
                    "The directory for the output of receivers (default: /dev/shm, which is in memory, so no disk is measured).")
    private @Nullable Path work;

    @Option(
            names = "--pin",
            paramLabel = "WHAT",
            description =
                    "Which processes are pinned: none; sender, to the first CPU (default); both, with the receivers on"
                            + " the other CPUs.")
    private Pin pin = Pin.SENDER;

    @Option(
            names = "--share",
            paramLabel = "PCT",
            description =
                    "Limits receivers to this percentage of one CPU (default: no limit), so that the receiver and not the"
                            + " sender limits the rate. Needs root.")
    private @Nullable Integer sharePercent;

    @Option(
            names = "--cold-pages",
            description = "Do not warm up memory: in a virtual machine a receiver then waits for the host.")
    private boolean coldPages;

    @Option(
            names = "--tolerate",
            paramLabel = "PCT",
            description = "A trial is invalid if the sender misses its rate by more than this, in percent"
                    + " (default: ${DEFAULT-VALUE}).")
    private double toleratedPercent = 1;

    /** Which processes are pinned to CPUs. */
    enum Pin {
        NONE,
        SENDER,
        BOTH
    }

    abstract String suite();

    abstract List<String> defaultReceivers();

    /** Runs all trials. */
    abstract void measure(SuiteRun run) throws IOException, InterruptedException;

    /** The report of the trials so far. */
    abstract Document report(RunData data);

    final boolean isFull() {
        return extent.isFull();
    }

    /** The value for this mode, unless the user gave one. */
    final double seconds(double quick, double full) {
        return seconds != null ? seconds : isFull() ? full : quick;
    }

    /** The value for this mode, unless the user gave one. */
    final int rounds(int quick, int full) {
        return rounds != null ? rounds : isFull() ? full : quick;
    }

    final List<String> receivers() {
        return receivers == null ? defaultReceivers() : receivers;
    }

    /** The receivers. */
    List<Subject> subjects() {
        return Subjects.of(receivers());
    }

    /** The load for a receiver: without GSO if it would capture unsplit batches. */
    static Load load(Subject subject, long rate, double seconds, int size) {
        Load load = Load.of(rate, seconds, size);
        return subject.capturesUnsplitBatches() ? load.withoutGso() : load;
    }

    /** Rejects sizes and rates that the sender would reject. */
    static void check(List<Integer> sizes, List<Long> rates) {
        for (int size : sizes) {
            if (size < MIN_SIZE || size > MAX_SIZE) {
                throw new IllegalArgumentException("a size is " + MIN_SIZE + " to " + MAX_SIZE + " bytes, not " + size);
            }
        }
        if (rates.contains(Load.MAX)) {
            throw new IllegalArgumentException("a rate is 1 or more datagrams per second, not 0");
        }
    }

    /**
     * The warm-up before a trial in seconds. A JVM compiles for nearly 20 s, and again when the first file of the journal is
     * full, which at 300,000/s is after 25 s. With a share of a CPU the warm-up is longer.
     */
    double warmUpSeconds() {
        return isFull() ? 30 : 0.5;
    }

    private long warmMemoryBytes() {
        return coldPages ? 0 : isFull() ? FULL_WARM_BYTES : QUICK_WARM_BYTES;
    }

    /** True if a trial whose sender missed its rate narrowly is repeated. */
    boolean isWorthRetrying(TrialResult missed) {
        return true;
    }

    /**
     * True to sample the receive buffer at the end of trials, for suites that use {@link TrialResult#lossless}. Sampling changes the CPU time of
     * receivers, because the kernel lists all UDP sockets of the host. With 16 sources it lowered that of a C receiver by a fifth;
     * with 10,000 it took most of a CPU.
     */
    boolean samplesQueue() {
        return false;
    }

    /** The default receive buffer in bytes. */
    int defaultReceiveBuffer() {
        return 64 << 20;
    }

    /** The payload size of most trials, in bytes. */
    int typicalSize() {
        return 125;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        var unused = subjects(); // Checks the names first.
        int asked = receiveBuffer == null ? defaultReceiveBuffer() : receiveBuffer;
        if ((seconds != null && !(seconds >= MIN_SECONDS)) || (rounds != null && rounds < 1)) {
            throw new IllegalArgumentException("--seconds accepts 0.1 or more, --rounds 1 or more");
        }
        if (!(toleratedPercent >= 0 && toleratedPercent <= 100)) {
            throw new IllegalArgumentException("--tolerate accepts 0 to 100 percent");
        }
        if (sharePercent != null && (sharePercent < CpuShare.MIN_PERCENT || sharePercent > MAX_PERCENT)) {
            throw new IllegalArgumentException(
                    "--share accepts " + CpuShare.MIN_PERCENT + " to " + MAX_PERCENT + " percent");
        }
        RunFolder folder = new RunFolder(out == null ? DocumentFiles.defaultFolder(suite()) : out);
        Path parent = work == null ? ScratchDirectory.parent() : Files.createDirectories(work);
        Path scratch = Files.createTempDirectory(parent, "millrace-bench");
        ScratchDirectory.deleteAtShutdown(scratch);
        try (HostLock lock = HostLock.await();
                ReceiveBufferLimit limit = ReceiveBufferLimit.raiseTo(asked);
                @Nullable CpuShare share = sharePercent == null ? null : CpuShare.of(sharePercent)) {
            if (limit.bytes() < asked) {
                System.err.printf(
                        "millrace bench: net.core.rmem_max limits the receive buffer to %,d bytes; root could raise it%n",
                        limit.bytes());
            }
            lock.check();
            return measure(
                    new ProcessTrialRunner.Settings(
                            scratch,
                            limit.bytes(),
                            warmUpSeconds() * MAX_PERCENT / (sharePercent == null ? MAX_PERCENT : sharePercent),
                            senderCpus(),
                            receiverCpus(),
                            share,
                            toleratedPercent,
                            samplesQueue()),
                    folder);
        }
    }

    private int measure(ProcessTrialRunner.Settings settings, RunFolder folder)
            throws IOException, InterruptedException {
        try (WarmMemory warmMemory = WarmMemory.of(warmMemoryBytes())) {
            SuiteRun run = new SuiteRun(
                    suite(),
                    isFull() ? "full" : "quick",
                    described(settings, warmMemory.bytes()),
                    new ProcessTrialRunner(settings),
                    folder,
                    this::isWorthRetrying,
                    this::report);
            measure(run);
            System.out.print(Markdown.tables(run.finish()));
            run.doubts().forEach(doubt -> System.err.println("millrace bench: " + doubt));
            if (!isFull()) {
                System.err.println("millrace bench: " + Sections.QUICK);
            }
            System.err.println(
                    "millrace bench: the report is in " + folder.path().toAbsolutePath());
            if (run.isEmpty()) {
                System.err.println("millrace bench: none of the receivers is available");
                return 1;
            }
            if (!run.failed().isEmpty()) {
                System.err.println("millrace bench: no valid trial of: " + String.join(", ", run.failed()));
                return 1;
            }
            return 0;
        }
    }

    private List<Integer> senderCpus() {
        return pin == Pin.NONE || !canPin() ? List.of() : List.of(0);
    }

    private List<Integer> receiverCpus() {
        return pin == Pin.BOTH && canPin()
                ? IntStream.range(1, Runtime.getRuntime().availableProcessors())
                        .boxed()
                        .toList()
                : List.of();
    }

    private static boolean canPin() {
        return Runtime.getRuntime().availableProcessors() > 1
                && Programs.find("taskset").isPresent();
    }

    private Map<String, String> described(ProcessTrialRunner.Settings settings, long warmBytes) throws IOException {
        Map<String, String> found = new LinkedHashMap<>();
        found.put(RunData.COMMAND, CommandText.of(spec));
        found.put("requested receive buffer, bytes", Integer.toString(settings.receiveBufferBytes()));
        found.put(
                "capacity of this buffer, datagrams of " + typicalSize() + " bytes",
                String.format(Locale.ROOT, "%,d", BufferProbe.datagrams(settings.receiveBufferBytes(), typicalSize())));
        found.put(
                "warm-up before each trial, s",
                String.format(
                        Locale.ROOT,
                        "%s, above %,d/s at that rate, and then up to %,d datagrams at the rate of the trial (5 s at the maximum rate)",
                        settings.warmUpSeconds(),
                        Load.MAX_WARM_UP_RATE,
                        Load.BURST_DATAGRAMS));
        found.put(
                "a trial is invalid if the sender misses its rate by, %", Double.toString(settings.toleratedPercent()));
        found.put(
                "CPUs of the sender",
                settings.senderCpus().isEmpty() ? "any" : settings.senderCpus().toString());
        found.put(
                "CPUs of the receivers",
                settings.receiverCpus().isEmpty()
                        ? "any"
                        : settings.receiverCpus().toString());
        found.put("share of a CPU of the receivers, %", sharePercent == null ? "all" : sharePercent.toString());
        found.put(
                "pages",
                warmBytes == 0
                        ? "cold"
                        : String.format(Locale.ROOT, "warm: %,d MiB were touched before", warmBytes >> 20));
        found.put(
                "receivers write to",
                settings.work().getParent() + (settings.work().startsWith(ScratchDirectory.MEMORY) ? " (memory)" : ""));
        return found;
    }
}
