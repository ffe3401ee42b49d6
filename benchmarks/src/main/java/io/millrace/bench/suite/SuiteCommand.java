package io.millrace.bench.suite;

import io.millrace.bench.command.BenchHelpOption;
import io.millrace.bench.report.Document;
import io.millrace.bench.report.RunData;
import io.millrace.bench.report.RunFolder;
import io.millrace.bench.report.TextDocument;
import io.millrace.bench.subject.ChildProcess;
import io.millrace.bench.subject.Programs;
import io.millrace.bench.subject.Subject;
import io.millrace.bench.subject.Subjects;
import io.millrace.bench.trial.Ballast;
import io.millrace.bench.trial.BufferProbe;
import io.millrace.bench.trial.CpuShare;
import io.millrace.bench.trial.Load;
import io.millrace.bench.trial.Trials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
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

/** What all suites have in common: their options, the folder of the run, and the way through it. */
abstract class SuiteCommand extends BenchHelpOption implements Callable<Integer> {
    private static final int MIN_SIZE = 32;
    private static final int MAX_SIZE = 65_507;
    private static final double MIN_SECONDS = 0.1;
    private static final int MAX_SHARE = 100;
    private static final Path MEMORY = Path.of("/dev/shm");

    /** A trial at the highest rates writes so much. */
    private static final long FULL_BALLAST = 8L << 30;

    private static final long QUICK_BALLAST = 1L << 30;

    @Spec
    @SuppressWarnings("NullAway.Init") // Picocli sets it.
    private CommandSpec spec;

    @ArgGroup(multiplicity = "0..1")
    private Extent extent = new Extent();

    /** How long a run may take. */
    static final class Extent {
        @Option(names = "--quick", description = "A look at everything in under 3 minutes (the default).")
        @SuppressWarnings("UnusedVariable") // It is the default, and may be said.
        private boolean quick;

        @Option(names = "--full", description = "Figures to quote: longer trials, several rounds.")
        private boolean full;
    }

    @Option(
            names = "--receivers",
            paramLabel = "NAME",
            split = ",",
            description = "What to measure, in this order (see 'millrace bench receivers').")
    private @Nullable List<String> receivers;

    @Option(
            names = "--receive-buffer",
            paramLabel = "SIZE",
            description = "What every receiver asks for, such as 64m or 1000000; the kernel counts twice as much"
                    + " (default: 64m, for receiver comparison 4m, for million 8m).")
    private @Nullable String receiveBuffer;

    @Option(names = "--seconds", paramLabel = "N", description = "The length of a trial.")
    private @Nullable Double seconds;

    @Option(names = "--rounds", paramLabel = "N", description = "How often everything is measured, in turns.")
    private @Nullable Integer rounds;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The folder of the report (default: bench-results/SUITE-TIME).")
    private @Nullable Path out;

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description = "Where receivers write (default: /dev/shm, which is memory: no disk is measured).")
    private @Nullable Path work;

    @Option(
            names = "--pin",
            paramLabel = "WHAT",
            description = "none: the scheduler decides; sender: the sender has the first CPU (default); both: and"
                    + " receivers have the others. Valid values: none, sender, both.")
    private Pin pin = Pin.SENDER;

    @Option(
            names = "--share",
            paramLabel = "PCT",
            description = "Receivers get so much of one CPU's time, in percent (default: all there is). With less"
                    + " than a whole one the receiver ends first, not the sender beside it. Needs root.")
    private @Nullable Integer sharePercent;

    @Option(
            names = "--cold-pages",
            description = "Do not warm memory up: in a virtual machine a receiver then waits for its host.")
    private boolean coldPages;

    @Option(
            names = "--tolerate",
            paramLabel = "PCT",
            description = "A trial is void if the sender falls short of its rate by more than this, in percent"
                    + " (default: ${DEFAULT-VALUE}).")
    private double toleratedPercent = 1;

    /** Who is bound to a CPU. */
    enum Pin {
        NONE,
        SENDER,
        BOTH
    }

    /** The name of the suite. */
    abstract String suite();

    /** The receivers it measures if none are named. */
    abstract List<String> defaultReceivers();

    /** Runs all trials. */
    abstract void measure(SuiteRun run) throws IOException, InterruptedException;

    /** What the trials so far show. */
    abstract Document report(RunData data);

    final boolean isFull() {
        return extent.full;
    }

    /** The value for this mode, unless the user gave one. */
    final double seconds(double quick, double full) {
        return seconds != null ? seconds : isFull() ? full : quick;
    }

    /** The value for this mode, unless the user gave one. */
    final int rounds(int quick, int full) {
        return rounds != null ? rounds : isFull() ? full : quick;
    }

    /** The names of the receivers to measure. */
    final List<String> receivers() {
        return receivers == null ? defaultReceivers() : receivers;
    }

    /** The receivers to measure. */
    List<Subject> subjects() {
        return Subjects.of(receivers());
    }

    /** Refuses what the sender would refuse, before anything is made. */
    static void check(List<Integer> sizes, List<Long> rates) {
        for (int size : sizes) {
            if (size < MIN_SIZE || size > MAX_SIZE) {
                throw new IllegalArgumentException("a size is " + MIN_SIZE + " to " + MAX_SIZE + " bytes, not " + size);
            }
        }
        if (rates.contains(Load.MAX)) {
            throw new IllegalArgumentException("a rate is 1 or more datagrams a second, not 0");
        }
    }

    /**
     * Seconds of load before a trial is measured: a JVM goes on compiling for nearly twenty, last what runs once a batch, and again
     * for a few after the journal's first file is full, which at 300,000 per second it is after 25. With a part of a CPU's time all
     * of it takes longer.
     */
    double warmUpSeconds() {
        return isFull() ? 30 : 0.5;
    }

    private long ballastBytes() {
        return coldPages ? 0 : isFull() ? FULL_BALLAST : QUICK_BALLAST;
    }

    /** What receivers ask for if the user does not say. */
    String defaultReceiveBuffer() {
        return "64m";
    }

    /** The payload size of most trials, in bytes. */
    int typicalSize() {
        return 125;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        var unused = subjects(); // Names are checked before anything is made.
        int asked = bytes(receiveBuffer == null ? defaultReceiveBuffer() : receiveBuffer);
        if ((seconds != null && !(seconds >= MIN_SECONDS)) || (rounds != null && rounds < 1)) {
            throw new IllegalArgumentException("--seconds takes 0.1 or more, --rounds 1 or more");
        }
        if (!(toleratedPercent >= 0 && toleratedPercent <= 100)) {
            throw new IllegalArgumentException("--tolerate takes 0 to 100 percent");
        }
        if (sharePercent != null && (sharePercent < CpuShare.MIN_PERCENT || sharePercent > MAX_SHARE)) {
            throw new IllegalArgumentException(
                    "--share takes " + CpuShare.MIN_PERCENT + " to " + MAX_SHARE + " percent");
        }
        RunFolder folder = new RunFolder(out == null ? defaultFolder() : out);
        Path parent = work == null
                ? Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"))
                : Files.createDirectories(work);
        Path scratch = Files.createTempDirectory(parent, "millrace-bench");
        ChildProcess.atShutdown(() -> WorkDirectory.delete(scratch));
        try (InterleavedRound turn = InterleavedRound.await();
                ReceiveBufferLimit limit = ReceiveBufferLimit.raiseTo(asked);
                @Nullable CpuShare share = sharePercent == null ? null : CpuShare.of(sharePercent)) {
            if (limit.bytes() < asked) {
                System.err.printf(
                        "millrace bench: net.core.rmem_max lets receivers ask for %,d bytes only, and this is not root:"
                                + " all of them do%n",
                        limit.bytes());
            }
            turn.hold();
            return measure(
                    new Trials.Settings(
                            scratch,
                            limit.bytes(),
                            warmUpSeconds() * MAX_SHARE / (sharePercent == null ? MAX_SHARE : sharePercent),
                            senders(),
                            receiverProcessors(),
                            share,
                            toleratedPercent),
                    folder);
        }
    }

    private int measure(Trials.Settings settings, RunFolder folder) throws IOException, InterruptedException {
        try (Ballast ballast = Ballast.of(ballastBytes())) {
            SuiteRun run = new SuiteRun(
                    suite(),
                    isFull() ? "full" : "quick",
                    described(settings, ballast.bytes()),
                    new Trials(settings),
                    folder,
                    this::report);
            measure(run);
            System.out.print(TextDocument.text(run.finish()));
            System.err.println(
                    "millrace bench: the report is in " + folder.path().toAbsolutePath());
            if (run.nothing()) {
                System.err.println("millrace bench: none of the receivers can be measured here");
                return 1;
            }
            if (!run.failed().isEmpty()) {
                System.err.println("millrace bench: not one trial counts of: " + String.join(", ", run.failed()));
                return 1;
            }
            return 0;
        }
    }

    private Path defaultFolder() {
        String time = LocalDateTime.now(ZoneId.systemDefault())
                .format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT));
        return Path.of("bench-results", suite() + "-" + time);
    }

    private List<Integer> senders() {
        return pin == Pin.NONE || !canPin() ? List.of() : List.of(0);
    }

    private List<Integer> receiverProcessors() {
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

    private Map<String, String> described(Trials.Settings settings, long warmBytes) throws IOException {
        Map<String, String> found = new LinkedHashMap<>();
        List<String> arguments = spec.root().commandLine().getParseResult().expandedArgs();
        found.put(RunData.COMMAND, commandLine(arguments));
        found.put("receive buffer asked for, bytes", Integer.toString(settings.receiveBufferBytes()));
        found.put(
                "such a buffer holds, datagrams of " + typicalSize() + " bytes",
                String.format(Locale.ROOT, "%,d", BufferProbe.datagrams(settings.receiveBufferBytes(), typicalSize())));
        found.put("warm-up before each trial, s", Double.toString(settings.warmUpSeconds()));
        found.put("a trial is void if the sender misses its rate by, %", Double.toString(settings.toleratedPercent()));
        found.put(
                "sender runs on CPUs",
                settings.senderProcessors().isEmpty()
                        ? "any"
                        : settings.senderProcessors().toString());
        found.put(
                "receivers run on CPUs",
                settings.receiverProcessors().isEmpty()
                        ? "any"
                        : settings.receiverProcessors().toString());
        found.put("receivers have of a CPU's time, %", sharePercent == null ? "all" : sharePercent.toString());
        found.put(
                "pages",
                warmBytes == 0
                        ? "cold"
                        : String.format(Locale.ROOT, "warm: %,d MiB were touched first", warmBytes >> 20));
        found.put(
                "receivers write to",
                settings.work().getParent() + (settings.work().startsWith(MEMORY) ? " (memory)" : ""));
        return found;
    }

    /** A command that does the same, but for the folders it uses: where they are on one host tells nobody anything. */
    static String commandLine(List<String> arguments) {
        StringBuilder text = new StringBuilder("millrace bench");
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.equals("--out") || argument.equals("--work")) {
                i++;
            } else if (!argument.startsWith("--out=") && !argument.startsWith("--work=")) {
                text.append(' ').append(argument.contains(" ") ? '"' + argument + '"' : argument);
            }
        }
        return text.toString();
    }

    /** A size with k, m or g. */
    private static int bytes(String text) {
        String digits = text.toLowerCase(Locale.ROOT).replaceAll("(b|ib)$", "");
        int shift = digits.endsWith("k") ? 10 : digits.endsWith("m") ? 20 : digits.endsWith("g") ? 30 : 0;
        try {
            long value = Math.multiplyExact(
                    Long.parseLong(shift == 0 ? digits : digits.substring(0, digits.length() - 1)), 1L << shift);
            if (value >= 1024 && value <= Integer.MAX_VALUE / 2) {
                return (int) value;
            }
        } catch (ArithmeticException | NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException(
                "--receive-buffer takes bytes from 1k to 1023m, such as 64m or 1000000, not '" + text + "'");
    }
}
