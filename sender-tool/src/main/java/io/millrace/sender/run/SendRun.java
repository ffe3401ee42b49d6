package io.millrace.sender.run;

import io.millrace.sender.payload.Payloads;
import io.millrace.sender.schedule.Schedule;
import io.millrace.sender.schedule.SendPlan;
import io.millrace.sender.transmit.SendCounts;
import io.millrace.sender.transmit.Transmitter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/**
 * One run: a {@link Sender} per thread, with the same start and one result. The first one sends in the thread that calls
 * {@link #run}. Any thread may call {@link #stop} and {@link #sent}.
 */
public final class SendRun {
    /** From this rate on, interpreted code is too slow. */
    private static final double WARM_UP_FROM_RATE = 10_000;

    private static final long WARM_UP_NANOS = 300_000_000;

    private final SendPlan plan;
    private final WaitClock clock;
    private final List<Sender> senders = new ArrayList<>();

    public SendRun(SendPlan plan, Supplier<Payloads> payloads, Transmitter transmitter, WaitClock clock) {
        this.plan = plan;
        this.clock = clock;
        for (int thread = 0; thread < plan.layout().threads(); thread++) {
            senders.add(new Sender(plan, thread, payloads.get(), transmitter, clock));
        }
    }

    /**
     * Lets the JIT compiler compile the code of a fast run: for 0.3 s the start of the plan goes to a transmitter that
     * sends nothing. Schedule, waiting and system calls are those of the run. A cold run is late for most of its first
     * second.
     *
     * @param transmitter sends nothing to the targets
     */
    public static void warmUp(SendPlan plan, Payloads payloads, Transmitter transmitter, WaitClock clock) {
        long end = clock.nanoTime() + WARM_UP_NANOS;
        for (long left = WARM_UP_NANOS; left > 0; left = end - clock.nanoTime()) {
            var unused = new Sender(plan.withDeadline(left), 0, payloads, transmitter, clock).run(StartTime.now(clock));
        }
    }

    public static boolean needsWarmUp(SendPlan plan) {
        return plan.schedule().isMax() || plan.schedule().askedRate(plan.count()) >= WARM_UP_FROM_RATE;
    }

    /** Runs the plan to its end. An interrupt ends the run. */
    public SendResult run() throws IOException {
        CountDownLatch ready = new CountDownLatch(senders.size() - 1);
        CompletableFuture<StartTime> start = new CompletableFuture<>();
        List<CompletableFuture<SendCounts>> results = new ArrayList<>();
        for (int thread = 1; thread < senders.size(); thread++) {
            results.add(startThread(thread, ready, start));
        }
        try {
            ready.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stop();
        }
        StartTime now = StartTime.now(clock);
        start.complete(now);
        SendCounts total = new SendCounts();
        total.add(runOne(senders.get(0), now));
        for (CompletableFuture<SendCounts> counts : results) {
            total.add(counts.join());
        }
        return result(total);
    }

    private CompletableFuture<SendCounts> startThread(
            int number, CountDownLatch ready, CompletableFuture<StartTime> start) {
        CompletableFuture<SendCounts> counts = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        ready.countDown();
                        counts.complete(runOne(senders.get(number), start.join()));
                    } catch (Throwable e) {
                        stop();
                        counts.completeExceptionally(e); // reported by the thread that waits for it
                    }
                },
                "millrace-send-" + number);
        thread.setDaemon(true);
        thread.start();
        return counts;
    }

    /** A failure of one thread, such as a closed channel, stops the run. */
    private SendCounts runOne(Sender sender, StartTime start) {
        SendCounts counts = sender.run(start);
        if (sender.isStopped()) {
            stop();
        }
        return counts;
    }

    private SendResult result(SendCounts total) {
        boolean broken = senders.stream().anyMatch(Sender::isBroken);
        boolean stopped = !broken && senders.stream().anyMatch(Sender::isStopped);
        long tried = total.sent + total.failed;
        Schedule schedule = plan.schedule();
        return new SendResult(
                total,
                schedule.dueNanos(tried),
                tried == 0 ? 0 : schedule.askedRate(tried),
                stopped || schedule.isMax() ? 0 : plan.count() - tried,
                stopped);
    }

    /** Ends the run before its next datagrams. */
    public void stop() {
        senders.forEach(Sender::stop);
    }

    /** The number of datagrams sent so far; it may lag a little. */
    public long sent() {
        long sent = 0;
        for (Sender sender : senders) {
            sent += sender.sent();
        }
        return sent;
    }
}
