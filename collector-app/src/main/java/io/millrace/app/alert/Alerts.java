package io.millrace.app.alert;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.millrace.app.config.AlertSettings;
import io.millrace.app.config.ConfigException;
import io.millrace.app.fault.Fault;
import io.millrace.internal.agent.FatalErrors;
import io.millrace.internal.agent.Ticks;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The alerts of a running service. Without a target there are only metrics. Any thread. */
public final class Alerts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Alerts.class);
    private static final long PERIOD_NS = TimeUnit.SECONDS.toNanos(1);
    /** Without a target only metrics use the result. */
    private static final long PERIOD_WITHOUT_TARGET_NS = TimeUnit.SECONDS.toNanos(5);

    private static final int MAX_PER_MINUTE = 100;

    private final Supplier<List<Fault>> faults;
    private final Notification.Sender sender;
    private final AlertStates states = new AlertStates();
    private final NotificationLimit limit = new NotificationLimit(MAX_PER_MINUTE);
    private final Map<String, AlertSender> senders = new HashMap<>();
    /** By target, also of removed ones: counters never fall. */
    private final Map<String, AlertCounts> counts = new ConcurrentSkipListMap<>();

    private final AlertMetrics metrics = new AlertMetrics(this::firing, () -> counts);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "millrace-alert");
        thread.setDaemon(true);
        return thread;
    });
    private final Runnable check = FatalErrors.survivor("The look at the faults", LOG, this::check);
    private volatile AlertSettings settings;
    private volatile List<Fault> firing = List.of();
    private boolean closed;

    /**
     * Creates alerts.
     *
     * @param faults finds the current faults
     * @param version of the service
     * @throws ConfigException if a target cannot be created
     */
    public Alerts(Supplier<List<Fault>> faults, AlertSettings settings, String version) {
        this.faults = faults;
        this.settings = settings;
        this.sender = Notification.Sender.here(version);
        configure(settings);
    }

    public void start() {
        scheduleCheck();
    }

    private synchronized void scheduleCheck() {
        if (!closed) {
            long period = senders.isEmpty() ? PERIOD_WITHOUT_TARGET_NS : PERIOD_NS;
            var unused = timer.schedule(check, Ticks.nsToNext(period), TimeUnit.NANOSECONDS);
        }
    }

    /**
     * Changes the settings. Alerts that fire continue, and targets that stay keep what waits for them.
     *
     * @throws ConfigException if a target cannot be created; nothing has changed then
     */
    public synchronized void configure(AlertSettings next) {
        Map<String, AlertTarget> targets = AlertTargets.of(next);
        if (closed) {
            return;
        }
        settings = next;
        senders.entrySet().removeIf(each -> {
            boolean removed = !targets.containsKey(each.getKey());
            if (removed) {
                each.getValue().close();
            }
            return removed;
        });
        targets.forEach((name, target) -> {
            AlertSender known = senders.get(name);
            if (known != null) {
                known.target(target);
            } else {
                AlertCounts count = counts.computeIfAbsent(name, it -> new AlertCounts());
                AlertSender made = new AlertSender(name, target, sender, count, AlertSender.Retries.DEFAULT);
                senders.put(name, made);
                made.start();
            }
        });
    }

    private void check() {
        try {
            List<Fault> now = faults.get();
            AlertSettings current = settings;
            long nowNs = System.nanoTime();
            Instant time = Instant.now();
            List<Notification> told = states.update(now, current.after(), current.repeat(), nowNs, time);
            firing = states.firing();
            send(limit.admit(told, nowNs, time));
        } finally {
            scheduleCheck();
        }
    }

    private synchronized void send(List<Notification> notifications) {
        notifications.forEach(each -> senders.values().forEach(it -> it.offer(each)));
    }

    private List<Fault> firing() {
        return firing;
    }

    /** The metrics of the alerts. They are to be bound again before each scrape, because alerts come and go. */
    public MeterBinder metrics() {
        return metrics;
    }

    /** Ends without waiting: what is not sent is not sent any more. */
    @Override
    public synchronized void close() {
        closed = true;
        timer.shutdownNow();
        senders.values().forEach(AlertSender::close);
        senders.clear();
    }
}
