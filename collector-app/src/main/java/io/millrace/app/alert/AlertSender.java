package io.millrace.app.alert;

import io.millrace.internal.agent.FatalErrors;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sender of notifications to one target, in their order, on a thread of its own. It retries with growing pauses until a
 * notification is too old. When the queue is full, the oldest notification is given up.
 */
final class AlertSender implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AlertSender.class);

    /** Notifications that wait. */
    static final int QUEUE = 100;

    /**
     * How to retry.
     *
     * @param first the pause after the first failure; each further one is twice as long
     * @param max the longest pause
     * @param giveUp the age at which a notification is not sent any more
     */
    record Retries(Duration first, Duration max, Duration giveUp) {
        static final Retries DEFAULT = new Retries(Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofHours(1));
    }

    private record Waiting(Notification notification, long queuedNs) {}

    private final String name;
    private final Notification.Sender sender;
    private final AlertCounts counts;
    private final Retries retries;
    private final LinkedBlockingDeque<Waiting> queue = new LinkedBlockingDeque<>(QUEUE);
    private final Thread thread;
    private volatile AlertTarget target;
    private volatile boolean closed;
    private boolean failing;
    private long unsentBefore;

    /**
     * Creates a sender.
     *
     * @param name the path of the target in the configuration, for the log
     */
    AlertSender(String name, AlertTarget target, Notification.Sender sender, AlertCounts counts, Retries retries) {
        this.name = name;
        this.target = target;
        this.sender = sender;
        this.counts = counts;
        this.retries = retries;
        this.unsentBefore = counts.unsent().get();
        this.thread = new Thread(this::run, "millrace-alert-" + name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Replaces the target; the next attempt uses it. */
    void target(AlertTarget next) {
        target = next;
    }

    /** Queues a notification. It never waits. One thread. */
    void offer(Notification notification) {
        Waiting waiting = new Waiting(notification, System.nanoTime());
        while (!queue.offerLast(waiting)) {
            if (queue.pollFirst() != null) {
                counts.unsent().incrementAndGet();
            }
        }
    }

    private void run() {
        try {
            while (!closed) {
                deliver(queue.takeFirst());
            }
        } catch (InterruptedException e) {
            LOG.debug("{} ends", name);
        }
    }

    private void deliver(Waiting waiting) throws InterruptedException {
        long pauseMs = retries.first().toMillis();
        while (!attempt(waiting.notification())) {
            if (System.nanoTime() - waiting.queuedNs() >= retries.giveUp().toNanos()) {
                counts.unsent().incrementAndGet();
                return;
            }
            Thread.sleep(pauseMs);
            pauseMs = Math.min(2 * pauseMs, retries.max().toMillis());
        }
    }

    private boolean attempt(Notification notification) throws InterruptedException {
        long unsent = counts.unsent().get();
        try {
            var unused = target.send(notification.json(sender, unsent - unsentBefore));
        } catch (IOException | RuntimeException | Error e) {
            FatalErrors.rethrow(e);
            counts.failedAttempts().incrementAndGet();
            if (!failing) {
                failing = true;
                LOG.warn("{}: an alert could not be sent, and is retried: {}", name, e.getMessage());
            }
            return false;
        }
        counts.sent().incrementAndGet();
        if (failing) {
            failing = false;
            LOG.info("{} works again; {} alerts were not sent", name, unsent - unsentBefore);
        }
        unsentBefore = unsent;
        return true;
    }

    /** Ends the thread, without waiting. What is queued is not sent. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
