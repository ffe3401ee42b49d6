package io.millrace.receive;

import io.millrace.agent.Agent;
import io.millrace.agent.FailureLog;
import io.millrace.counters.Counter;
import io.millrace.counters.Distribution;
import io.millrace.counters.ShardCounters;
import org.jspecify.annotations.Nullable;

/**
 * The journal writer that runs on its receiver's thread, with threading {@code shared}. Its cycles are counted as the writer's.
 * The loop's thread.
 */
final class SharedWriter {
    private final @Nullable Agent agent;
    private final ShardCounters counters;
    private final FailureLog failures;

    /** Takes the journal writer; null if it has its own thread. */
    SharedWriter(@Nullable Agent agent, ShardCounters counters, FailureLog failures) {
        this.agent = agent;
        this.counters = counters;
        this.failures = failures;
    }

    void run() {
        if (agent == null) {
            return;
        }
        long startNs = System.nanoTime();
        int work = 0;
        try {
            work = agent.doWork();
        } catch (RuntimeException | Error e) {
            failures.report(agent.roleName() + " failed and continues", e);
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
