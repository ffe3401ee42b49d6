package io.millrace.receive;

import io.millrace.policy.Policy;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs which sources are limited by rate, on its own thread. Without rate limits there is no thread. One thread. */
final class PolicyReport {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyReport.class);

    private final Policy policy;
    private @Nullable ScheduledExecutorService thread;

    PolicyReport(Policy policy) {
        this.policy = policy;
    }

    void start() {
        if (policy.isLimiting() && thread == null) {
            thread = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread made = new Thread(task, "millrace-policy");
                made.setDaemon(true);
                return made;
            });
            var unused = thread.scheduleWithFixedDelay(() -> policy.tick(LOG::warn), 1, 1, TimeUnit.SECONDS);
        }
    }

    /** Ends the thread. May be called twice. */
    void close() {
        if (thread != null) {
            thread.shutdownNow();
        }
    }
}
