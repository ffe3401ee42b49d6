package io.millrace.sender;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/**
 * One run: a {@link Sender} a thread, one start for all of them, one result. The first sends in the thread that calls
 * {@link #run}; {@link #stop} and {@link #sent} may be called from any.
 */
final class SendRun {
    /** From this rate on, code that is not compiled yet is too slow. */
    private static final double WARM_UP_FROM_RATE = 10_000;

    private static final long WARM_UP_NANOS = 300_000_000;

    private final SendPlan plan;
    private final WaitClock clock;
    private final List<Sender> senders = new ArrayList<>();

    SendRun(SendPlan plan, Supplier<Payloads> payloads, Transmitter transmitter, WaitClock clock) {
        this.plan = plan;
        this.clock = clock;
        for (int thread = 0; thread < plan.layout().threads(); thread++) {
            senders.add(new Sender(plan, thread, payloads.get(), transmitter, clock));
        }
    }

    /**
     * Has the JVM compile what a fast run executes: for a third of a second the plan's beginning is sent to nobody. The
     * schedule, the waiting and the way into the kernel are those of the run, so that the compiler learns what will be
     * true; a run that is started cold is late for most of its first second.
     *
     * @param idling takes what it is given and sends nothing
     */
    static void warmUp(SendPlan plan, Payloads payloads, Transmitter idling, WaitClock clock) {
        long end = clock.nanoTime() + WARM_UP_NANOS;
        for (long left = WARM_UP_NANOS; left > 0; left = end - clock.nanoTime()) {
            var unused = new Sender(plan.beginning(left), 0, payloads, idling, clock).run(Start.now(clock));
        }
    }

    static boolean needsWarmUp(SendPlan plan) {
        return plan.schedule().isMax() || plan.schedule().askedRate(plan.count()) >= WARM_UP_FROM_RATE;
    }

    /** Sends everything. An interrupt ends the run. */
    SendResult run() throws IOException {
        CountDownLatch ready = new CountDownLatch(senders.size() - 1);
        CompletableFuture<Start> start = new CompletableFuture<>();
        List<CompletableFuture<Tally>> tallies = new ArrayList<>();
        for (int thread = 1; thread < senders.size(); thread++) {
            tallies.add(startThread(thread, ready, start));
        }
        try {
            ready.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stop();
        }
        Start now = Start.now(clock);
        start.complete(now);
        Tally total = new Tally();
        total.add(runOne(senders.get(0), now));
        for (CompletableFuture<Tally> tally : tallies) {
            total.add(tally.join());
        }
        return result(total);
    }

    private CompletableFuture<Tally> startThread(int number, CountDownLatch ready, CompletableFuture<Start> start) {
        CompletableFuture<Tally> tally = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        ready.countDown();
                        tally.complete(runOne(senders.get(number), start.join()));
                    } catch (Throwable e) {
                        stop();
                        tally.completeExceptionally(e); // told by the thread that waits for it
                    }
                },
                "millrace-send-" + number);
        thread.setDaemon(true);
        thread.start();
        return tally;
    }

    /** What stops one thread, as a channel closed under it, stops the run. */
    private Tally runOne(Sender sender, Start start) {
        Tally tally = sender.run(start);
        if (sender.isStopped()) {
            stop();
        }
        return tally;
    }

    private SendResult result(Tally total) {
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

    /** Asks the run to end before its next datagrams. */
    void stop() {
        senders.forEach(Sender::stop);
    }

    /** How many datagrams have been sent so far, perhaps a little behind. */
    long sent() {
        long sent = 0;
        for (Sender sender : senders) {
            sent += sender.sent();
        }
        return sent;
    }
}
