package io.millrace.internal.receive;

import io.millrace.collector.Counter;
import io.millrace.collector.Distribution;
import io.millrace.internal.agent.Agent;
import io.millrace.internal.agent.FailureLog;
import io.millrace.internal.agent.FatalErrors;
import io.millrace.internal.counters.ShardCells;
import org.jspecify.annotations.Nullable;

/**
 * An agent that runs on the event loop: the receiver, and with threading {@code shared} the journal writer. Its cycles are
 * counted, and its failures are logged, so that the rest of the loop's cycle follows. The loop's thread.
 */
final class LoopAgent {
    private final @Nullable Agent agent;
    private final FailureLog failures;
    private final ShardCells counters;
    private final Distribution cycles;
    private final Counter cycleMax;
    private final Counter stalls;

    private LoopAgent(
            @Nullable Agent agent,
            FailureLog failures,
            ShardCells counters,
            Distribution cycles,
            Counter cycleMax,
            Counter stalls) {
        this.agent = agent;
        this.failures = failures;
        this.counters = counters;
        this.cycles = cycles;
        this.cycleMax = cycleMax;
        this.stalls = stalls;
    }

    static LoopAgent ofReceiver(Agent receiver, FailureLog failures, ShardCells counters) {
        return new LoopAgent(
                receiver,
                failures,
                counters,
                Distribution.RECEIVER_CYCLE,
                Counter.RECEIVER_CYCLE_MAX_NS,
                Counter.RECEIVER_STALLS);
    }

    /** Takes the journal writer; null if it has its own thread. */
    static LoopAgent ofWriter(@Nullable Agent writer, FailureLog failures, ShardCells counters) {
        return new LoopAgent(
                writer,
                failures,
                counters,
                Distribution.WRITER_CYCLE,
                Counter.WRITER_CYCLE_MAX_NS,
                Counter.WRITER_STALLS);
    }

    /** Calls the agent once. */
    void run() {
        if (agent == null) {
            return;
        }
        long startNs = System.nanoTime();
        int work = 0;
        try {
            work = agent.doWork();
        } catch (RuntimeException | Error e) {
            if (!FatalErrors.report(e)) {
                failures.report(agent.roleName() + " failed and continues", e);
            }
        }
        if (work > 0) {
            counters.cycle(cycles, cycleMax, stalls, System.nanoTime() - startNs);
        }
    }
}
