package io.millrace.bench.trial;

import io.millrace.bench.check.RunCheck;
import io.millrace.bench.check.RunChecks;
import io.millrace.bench.host.CpuTime;
import io.millrace.bench.host.SocketState;
import io.millrace.bench.subject.RunningSubject;
import io.millrace.bench.subject.Subject;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A running receiver under load. One thread. */
final class LoadedReceiver {
    /** A capture may wait this long until its block is full. */
    private static final long CAPTURE_MS = 1300;

    private static final Duration DRAIN = Duration.ofSeconds(20);
    private static final Duration SETTLE = Duration.ofSeconds(60);
    private static final long IDLE_PERIOD_MS = 200;
    /** An idle JVM uses some CPU time; more than this per period is work. */
    private static final long IDLE_NANOS = 20_000_000;

    /** The period of counters that are written once per second, and a delay. */
    private static final long COUNTER_PERIOD_MS = 1200;

    private static final int LONE_MESSAGES = 9;
    private static final long LONE_PAUSE_MS = 300;
    private static final long LONE_LOOK_NS = 100_000;
    private static final long LONE_LIMIT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final DateTimeFormatter LONE_TIME = DateTimeFormatter.ofPattern("MMM ppd HH:mm:ss", Locale.ROOT);

    private final Subject subject;
    private final RunningSubject running;
    private final ProcessTrialRunner.Settings settings;
    private final List<String> target;
    /** Datagrams sent since the receiver was started. */
    private long sent;

    private long run = ThreadLocalRandom.current().nextLong(1, 1L << 31) * 2;

    LoadedReceiver(Subject subject, RunningSubject running, ProcessTrialRunner.Settings settings) {
        this.subject = subject;
        this.running = running;
        this.settings = settings;
        this.target = subject.addresses().stream()
                .map(address -> address + ":" + running.port())
                .toList();
    }

    /** Warms the receiver up, unless it only counts: its counts must be those of the trial. */
    void warmUp(Load load) throws IOException, InterruptedException {
        if (!load.isIdle() && !subject.countsOnly() && settings.warmUpSeconds() > 0) {
            Load warmUp = load.during(settings.warmUpSeconds());
            if (load.isFasterThanWarmUp()) {
                sendBefore(warmUp.at(Load.MAX_WARM_UP_RATE));
                sendBefore(load.burst(settings.warmUpSeconds()));
            } else {
                sendBefore(warmUp);
            }
        }
    }

    private void sendBefore(Load warmUp) throws IOException, InterruptedException {
        var unused = explainingItsEnd(() -> {
            SenderRun sender = send(warmUp);
            settle();
            return sender;
        });
    }

    /**
     * Runs a trial after which the receiver continues. Datagrams that the kernel did not drop at the socket count as received.
     *
     * @throws IOException if the receiver has ended, or does not read a socket
     */
    TrialResult trial(String suite, Load load, int round) throws IOException, InterruptedException {
        return explainingItsEnd(() -> {
            Measured measured = measure(load);
            if (measured.drops == null) {
                throw new IOException(subject.name() + " does not read a socket");
            }
            long received = measured.sender.sent() - measured.drops;
            return result(suite, load, round, measured, received, 0, 0, null, null);
        });
    }

    /** Runs a trial, stops the receiver and checks each datagram in its output. */
    TrialResult lastTrial(String suite, Load load, int round) throws IOException, InterruptedException {
        return explainingItsEnd(() -> {
            Measured measured = measure(load);
            running.stop();
            OptionalLong reported = running.received();
            RunCheck check = running.check(run);
            long received = subject.countsOnly()
                    ? reported.orElseThrow(() -> new IOException(subject.name() + " reports no count"))
                    : check.distinct();
            @Nullable String detail = running.detail().orElse(null);
            return result(suite, load, round, measured, received, check.duplicated(), check.reordered(), null, detail);
        });
    }

    /**
     * Stops the receiver after its last {@link #trial}, and compares its output with all that was sent since its start. The result
     * has no costs.
     */
    TrialResult end(String suite, Load last, int round) throws IOException, InterruptedException {
        return explainingItsEnd(() -> {
            running.stop();
            RunCheck check = running.check(run);
            Measured nothing = new Measured(
                    new SenderRun(sent, 0, 0, last.expectedRate(), 0, 0),
                    OptionalLong.empty(),
                    null,
                    0,
                    0,
                    null,
                    0,
                    0,
                    0);
            long received = check.distinct() + check.others();
            return result(suite, last, round, nothing, received, check.duplicated(), check.reordered(), null, null);
        });
    }

    /** A trial whose messages are counted later, in the output of the stopped receiver. */
    record Uncounted(
            String suite,
            Load load,
            int round,
            long run,
            Measured measured,
            @Nullable Long reportedLost) {}

    /** Loads the receiver, which continues. */
    Uncounted uncounted(String suite, Load load, boolean stalled, int round) throws IOException, InterruptedException {
        return explainingItsEnd(() -> {
            OptionalLong before = awaitLost();
            Stall stall = stalled ? Stall.in(running.pid(), load.seconds() / 2) : null;
            Measured measured;
            try {
                measured = measure(load);
            } catch (IOException | InterruptedException e) {
                if (stall != null) {
                    stall.end();
                }
                throw e;
            }
            if (stall != null) {
                stall.await();
            }
            OptionalLong after = awaitLost();
            @Nullable
            Long lost = after.isPresent() && before.isPresent() ? after.getAsLong() - before.getAsLong() : null;
            return new Uncounted(suite, load, round, run, measured, lost);
        });
    }

    /** Waits until counters that are written once per second are up to date. */
    private OptionalLong awaitLost() throws IOException, InterruptedException {
        OptionalLong lost = running.lost();
        if (lost.isPresent()) {
            Thread.sleep(COUNTER_PERIOD_MS);
            lost = running.lost();
        }
        return lost;
    }

    /** Stops the receiver, and counts the messages of each trial in its output. */
    List<TrialResult> count(List<Uncounted> trials) throws IOException, InterruptedException {
        return explainingItsEnd(() -> {
            running.stop();
            RunChecks checks = new RunChecks(trials.stream().mapToLong(Uncounted::run));
            running.messages(checks::add);
            List<TrialResult> results = new ArrayList<>();
            for (int i = 0; i < trials.size(); i++) {
                Uncounted trial = trials.get(i);
                RunCheck check = checks.get(i);
                TrialResult result = result(
                        trial.suite,
                        trial.load,
                        trial.round,
                        trial.measured,
                        check.distinct(),
                        check.duplicated(),
                        check.reordered(),
                        trial.reportedLost,
                        null);
                results.add(atItsOwnRate(result, trial.measured.sender));
            }
            return results;
        });
    }

    /** The median of the times until a message that comes alone can be read, in ms; infinite if one takes longer than 5 s. */
    double loneMillis() throws IOException, InterruptedException {
        return explainingItsEnd(() -> {
            List<Double> times = new ArrayList<>();
            try (DatagramChannel channel = DatagramChannel.open()) {
                channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), running.port()));
                for (int i = 0; i < LONE_MESSAGES; i++) {
                    Thread.sleep(LONE_PAUSE_MS);
                    double millis = loneMillis(channel);
                    if (Double.isInfinite(millis)) {
                        return millis;
                    }
                    times.add(millis);
                }
            }
            times.sort(Comparator.naturalOrder());
            return times.get(times.size() / 2);
        });
    }

    private double loneMillis(DatagramChannel channel) throws IOException, InterruptedException {
        String time = LONE_TIME.format(LocalDateTime.now(ZoneId.systemDefault()));
        byte[] message = ("<13>" + time + " lone lone: a message that comes alone").getBytes(StandardCharsets.US_ASCII);
        long before = running.readable();
        long startNs = System.nanoTime();
        channel.write(ByteBuffer.wrap(message));
        while (running.readable() == before) {
            if (System.nanoTime() - startNs > LONE_LIMIT_NS) {
                return Double.POSITIVE_INFINITY;
            }
            LockSupport.parkNanos(LONE_LOOK_NS);
        }
        return (System.nanoTime() - startNs) / 1e6;
    }

    private interface Step<T> {
        T run() throws IOException, InterruptedException;
    }

    private <T> T explainingItsEnd(Step<T> step) throws IOException, InterruptedException {
        try {
            return step.run();
        } catch (FileNotFoundException e) {
            // An ended process has no files in /proc; its last lines are the better message.
            throw running.ended().map(why -> new IOException(why, e)).orElse(e);
        }
    }

    private record Measured(
            SenderRun sender,
            OptionalLong granted,
            @Nullable Long drops,
            long nanos,
            double seconds,
            @Nullable Long queuedAtEnd,
            double drainSeconds,
            long memory,
            double stealPercent) {}

    private SenderRun send(Load load) throws IOException, InterruptedException {
        run = run + 1 & 0xffff_ffffL;
        if (load.isIdle()) {
            Thread.sleep(Math.round(load.seconds() * 1000));
            return new SenderRun(0, 0, 0, 0, 0, 0);
        }
        SenderRun sender = subject.takesConnections()
                ? StreamLoad.run(load, running.port(), run)
                : SenderRun.run(load, target, run, settings.senderCpus());
        sent += sender.sent();
        return sender;
    }

    private Measured measure(Load load) throws IOException, InterruptedException {
        OptionalLong granted =
                subject.hasCountingSocket() ? SocketState.grantedBytes(running.port()) : OptionalLong.empty();
        long drops = SocketState.of(running.port()).drops();
        long nanos = CpuTime.ofProcess(running.pid());
        CpuTime.Host host = CpuTime.Host.now();
        long startNs = System.nanoTime();
        SenderRun sender;
        @Nullable
        ReceiveQueueSampler queue =
                settings.samplesQueue() ? new ReceiveQueueSampler(running.port(), load.seconds()) : null;
        try (queue) {
            sender = send(load);
        }
        double steal = CpuTime.Host.now().stealPercentSince(host);
        double drainSeconds = settle();
        nanos = CpuTime.ofProcess(running.pid()) - nanos;
        // The time from the start of the sender's process until the receiver is idle is longer than the load.
        double seconds =
                sender.achievedRate() > 0 ? sender.sent() / sender.achievedRate() : (System.nanoTime() - startNs) / 1e9;
        drops = SocketState.of(running.port()).drops() - drops & 0xffff_ffffL;
        return new Measured(
                sender,
                granted,
                subject.hasCountingSocket() ? drops : null,
                nanos,
                seconds,
                queue == null ? null : queue.atEnd(),
                drainSeconds,
                CpuTime.memory(running.pid()),
                steal);
    }

    private TrialResult result(
            String suite,
            Load load,
            int round,
            Measured measured,
            long received,
            long duplicated,
            long reordered,
            @Nullable Long reportedLost,
            @Nullable String detail) {
        return new TrialResult(
                suite,
                subject.name(),
                round,
                load,
                measured.sender.sent(),
                received,
                duplicated,
                reordered,
                measured.drops,
                measured.sender.achievedRate(),
                received == 0 || measured.nanos < CpuTime.MIN_NANOS ? null : (double) measured.nanos / received,
                measured.seconds == 0 ? null : measured.nanos / 1e7 / measured.seconds,
                settings.receiveBufferBytes(),
                measured.granted.isPresent() ? measured.granted.getAsLong() : null,
                measured.queuedAtEnd,
                measured.drainSeconds,
                measured.memory,
                measured.stealPercent,
                reportedLost,
                detail,
                voidReason(load, measured.sender));
    }

    /** In a comparison of losses a rate that the sender missed is a result: some receivers leave it less of the CPU. */
    private static TrialResult atItsOwnRate(TrialResult result, SenderRun sender) {
        return sender.failed() > 0 ? result : result.withoutVoidReason();
    }

    private @Nullable String voidReason(Load load, SenderRun sender) {
        return sender.missed(settings.toleratedPercent())
                ? String.format(
                        Locale.ROOT,
                        "the sender reached %,.0f/s of %,d/s, %,d failed",
                        sender.achievedRate(),
                        load.rate(),
                        sender.failed())
                : null;
    }

    /** Waits until the socket is empty and the process idle; returns the time in seconds. */
    private double settle() throws IOException, InterruptedException {
        long start = System.nanoTime();
        if (subject.capturesUnsplitBatches()) {
            Thread.sleep(CAPTURE_MS);
        }
        long end = System.nanoTime() + DRAIN.toNanos();
        while (subject.hasCountingSocket()
                && SocketState.of(running.port()).queuedBytes() > 0
                && System.nanoTime() < end) {
            Thread.sleep(10);
        }
        end = System.nanoTime() + SETTLE.toNanos();
        long before = CpuTime.ofProcess(running.pid());
        while (System.nanoTime() < end) {
            Thread.sleep(IDLE_PERIOD_MS);
            long now = CpuTime.ofProcess(running.pid());
            if (now - before <= IDLE_NANOS) {
                // It was idle in this period already.
                return Math.max(0, System.nanoTime() - start - IDLE_PERIOD_MS * 1_000_000) / 1e9;
            }
            before = now;
        }
        return (System.nanoTime() - start) / 1e9;
    }
}
