package io.millrace.receive;

import io.millrace.agent.Agent;
import io.millrace.agent.FailureLog;
import io.millrace.counters.Counter;
import io.millrace.counters.Distribution;
import io.millrace.counters.ShardCounters;
import org.jspecify.annotations.Nullable;

/** What runs on a receiver's thread after each of its cycles: in threading {@code shared} the journal writer, else nothing. */
final class Companion {
    private final @Nullable Agent agent;
    private final ShardCounters counters;
    private final FailureLog failures;

    Companion(@Nullable Agent agent, ShardCounters counters, FailureLog failures) {
        this.agent = agent;
        this.counters = counters;
        this.failures = failures;
    }

    /** The companion is the journal writer, and its cycle is counted as the writer's. */
    void run(long startNs) {
        if (agent != null) {
            int work = 0;
            try {
                work = agent.doWork();
            } catch (RuntimeException | Error e) {
                failures.report(agent.roleName() + " failed and goes on", e);
            }
            if (work > 0) {
                counters.cycle(
                        Distribution.WRITER_CYCLE,
                        Counter.WRITER_CYCLE_MAX_NS,
                        Counter.WRITER_STALLS,
                        System.nanoTime() - startNs);
            }
        }
    }
}
