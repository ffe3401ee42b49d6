package io.millrace.internal.receive;

import io.millrace.collector.PolicySettings;
import io.millrace.internal.agent.FatalErrors;
import io.millrace.internal.policy.Policy;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The policy of the receivers until it is replaced. With rate limits, a thread logs which sources they affect. One thread.
 */
final class ActivePolicy {
    private static final Logger LOG = LoggerFactory.getLogger(ActivePolicy.class);

    private final Map<String, Integer> inputs;
    private PolicySettings settings;
    private Policy policy;
    private @Nullable ScheduledExecutorService thread;

    /**
     * Creates a policy.
     *
     * @param inputs the ids of the inputs, by name
     */
    ActivePolicy(PolicySettings settings, Map<String, Integer> inputs) {
        this.inputs = Map.copyOf(inputs);
        this.settings = settings;
        this.policy = Policy.of(settings, inputs);
    }

    /** A gate for a receiver; null if the policy accepts everything. */
    @Nullable
    PolicyGate gate() {
        return policy == Policy.NONE ? null : new PolicyGate(policy);
    }

    /** Replaces the policy; false if it is the same, which keeps the state of its rate limits. */
    boolean replace(PolicySettings next) {
        if (next.equals(settings)) {
            return false;
        }
        close();
        settings = next;
        policy = Policy.of(next, inputs);
        start();
        return true;
    }

    /** Begins to log. */
    void start() {
        if (policy.isLimiting() && thread == null) {
            Policy logged = policy;
            thread = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread made = new Thread(task, "millrace-policy");
                made.setDaemon(true);
                return made;
            });
            var unused = thread.scheduleWithFixedDelay(
                    FatalErrors.survivor("The log of rate limits", LOG, () -> logged.tick(LOG::warn)),
                    1,
                    1,
                    TimeUnit.SECONDS);
        }
    }

    /** Ends the thread. May be called twice. */
    void close() {
        if (thread != null) {
            thread.shutdownNow();
            thread = null;
        }
    }
}
