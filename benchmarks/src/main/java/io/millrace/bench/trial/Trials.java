package io.millrace.bench.trial;

import io.millrace.bench.check.RunCheck;
import io.millrace.bench.subject.Launch;
import io.millrace.bench.subject.RunningSubject;
import io.millrace.bench.subject.SocketState;
import io.millrace.bench.subject.Subject;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs trials, one at a time, each with a fresh process on an empty directory. */
public final class Trials implements TrialRunner {
    /** What a receiver may write for each datagram besides its payload. */
    private static final int OVERHEAD_BYTES = 24;

    /** Files are mapped and grown in large pieces. */
    private static final long SPARE_BYTES = 256 << 20;

    /** A capture may wait so long for its block to fill up. */
    private static final long CAPTURE_MS = 1300;

    private static final Duration DRAIN = Duration.ofSeconds(20);
    private static final Duration SETTLE = Duration.ofSeconds(60);
    private static final long IDLE_PERIOD_MS = 200;
    /** A JVM with nothing to do still uses some; more than this in a period is work. */
    private static final long IDLE_NANOS = 20_000_000;

    private final Settings settings;
    private int number;

    /**
     * What all trials of a run have in common.
     *
     * @param work an empty directory for what receivers write; each trial's is deleted after it
     * @param receiveBufferBytes what each receiver asks for
     * @param warmUpSeconds how long a receiver is loaded before it is measured, at the rate of the trial
     * @param senderProcessors where the sender runs; empty for anywhere
     * @param receiverProcessors where receivers run; empty for anywhere
     * @param toleratedPercent how far the sender may fall short of its rate before a trial is void
     */
    public record Settings(
            Path work,
            int receiveBufferBytes,
            double warmUpSeconds,
            List<Integer> senderProcessors,
            List<Integer> receiverProcessors,
            double toleratedPercent) {}

    /** Makes a runner; it starts nothing. */
    public Trials(Settings settings) {
        this.settings = settings;
    }

    @Override
    public Launch launch(Path directory) {
        return new Launch(directory, settings.receiveBufferBytes(), settings.receiverProcessors());
    }

    @Override
    public TrialResult run(String suite, Subject subject, Load load, int round) throws InterruptedException {
        try {
            return once(suite, subject, load, round);
        } catch (IOException e) {
            return TrialResult.failed(suite, subject.name(), round, load, String.valueOf(e.getMessage()));
        }
    }

    private TrialResult once(String suite, Subject subject, Load load, int round)
            throws IOException, InterruptedException {
        Path directory = settings.work().resolve("trial-" + ++number);
        // Not with its parents: those of an interrupted run are being deleted.
        Files.createDirectory(directory);
        double seconds = load.seconds() + settings.warmUpSeconds();
        checkRoom((long) (load.expectedRate() * (load.size() + OVERHEAD_BYTES) * seconds), subject);
        try (RunningSubject running = subject.start(launch(directory))) {
            return measured(new Measurement(suite, subject, load, round, running), running);
        } finally {
            delete(directory);
        }
    }

    private static TrialResult measured(Measurement measurement, RunningSubject running)
            throws IOException, InterruptedException {
        try {
            return measurement.measure();
        } catch (FileNotFoundException e) {
            // One that is gone has no files in /proc any more; what it said is the better message.
            throw running.ended().map(why -> new IOException(why, e)).orElse(e);
        }
    }

    /** A receiver that finds no room fails in ways of its own, and some of them look like loss. */
    private void checkRoom(long bytes, Subject subject) throws IOException {
        long room = Files.getFileStore(settings.work()).getUsableSpace();
        if (!subject.countsOnly() && room < bytes + SPARE_BYTES) {
            throw new IOException(String.format(
                    Locale.ROOT,
                    "it may write %,d MB, and %s has %,d MB: choose another --work, or fewer --seconds",
                    (bytes + SPARE_BYTES) >> 20,
                    settings.work(),
                    room >> 20));
        }
    }

    /** The steps of one trial on a started receiver. */
    private final class Measurement {
        private final String suite;
        private final Subject subject;
        private final Load load;
        private final int round;
        private final RunningSubject running;
        private final List<String> target;
        private final long warmUpRun = ThreadLocalRandom.current().nextLong(1, 1L << 31) * 2;
        private final long run = warmUpRun + 1 & 0xffff_ffffL;

        Measurement(String suite, Subject subject, Load load, int round, RunningSubject running) {
            this.suite = suite;
            this.subject = subject;
            this.load = load;
            this.round = round;
            this.running = running;
            this.target = subject.addresses().stream()
                    .map(address -> address + ":" + running.port())
                    .toList();
        }

        TrialResult measure() throws IOException, InterruptedException {
            // One that cannot say which datagrams it counted is not warmed up: all it counts is the trial.
            if (!subject.countsOnly() && settings.warmUpSeconds() > 0) {
                var unused = SenderRun.run(
                        load.during(settings.warmUpSeconds()), target, warmUpRun, settings.senderProcessors());
                settle();
            }
            OptionalLong granted =
                    subject.seesTrains() ? OptionalLong.empty() : SocketState.grantedBytes(running.port());
            long drops = SocketState.of(running.port()).drops();
            long nanos = ProcessorTime.ofProcess(running.pid());
            ProcessorTime.Host host = ProcessorTime.Host.now();
            SenderRun sender;
            QueueWatch watch = new QueueWatch(running.port());
            try (watch) {
                sender = SenderRun.run(load, target, run, settings.senderProcessors());
            }
            double steal = ProcessorTime.Host.now().stealPercentSince(host);
            double drainSeconds = settle();
            nanos = ProcessorTime.ofProcess(running.pid()) - nanos;
            drops = SocketState.of(running.port()).drops() - drops & 0xffff_ffffL;
            long memory = ProcessorTime.memory(running.pid());
            running.stop();
            OptionalLong said = running.received();
            RunCheck check = running.check(run);
            long received = subject.countsOnly()
                    ? said.orElseThrow(() -> new IOException(subject.name() + " does not say a number"))
                    : check.distinct();
            return new TrialResult(
                    suite,
                    subject.name(),
                    round,
                    load,
                    sender.sent(),
                    received,
                    check.duplicated(),
                    check.reordered(),
                    subject.seesTrains() ? null : drops,
                    sender.achievedRate(),
                    received == 0 || nanos < ProcessorTime.LEAST_NANOS ? null : (double) nanos / received,
                    settings.receiveBufferBytes(),
                    granted.isPresent() ? granted.getAsLong() : null,
                    watch.highest(),
                    watch.atTheEnd(load.seconds()),
                    drainSeconds,
                    memory,
                    steal,
                    running.detail().orElse(null),
                    voidReason(sender));
        }

        private @Nullable String voidReason(SenderRun sender) {
            return sender.missed(settings.toleratedPercent())
                    ? String.format(
                            Locale.ROOT,
                            "the sender reached %,.0f/s of %,d/s, %,d failed",
                            sender.achievedRate(),
                            load.rate(),
                            sender.failed())
                    : null;
        }

        /** Waits until the socket is empty and the process idle; how long that took, in seconds. */
        private double settle() throws IOException, InterruptedException {
            long start = System.nanoTime();
            if (subject.seesTrains()) {
                Thread.sleep(CAPTURE_MS);
            }
            long end = System.nanoTime() + DRAIN.toNanos();
            while (!subject.seesTrains()
                    && SocketState.of(running.port()).queuedBytes() > 0
                    && System.nanoTime() < end) {
                Thread.sleep(10);
            }
            end = System.nanoTime() + SETTLE.toNanos();
            long before = ProcessorTime.ofProcess(running.pid());
            while (System.nanoTime() < end) {
                Thread.sleep(IDLE_PERIOD_MS);
                long now = ProcessorTime.ofProcess(running.pid());
                if (now - before <= IDLE_NANOS) {
                    break;
                }
                before = now;
            }
            return (System.nanoTime() - start) / 1e9;
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
