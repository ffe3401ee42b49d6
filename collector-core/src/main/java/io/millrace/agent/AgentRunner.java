package io.millrace.agent;

import io.millrace.counters.Counter;
import io.millrace.counters.ShardCounters;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one {@link Agent} on a thread of its own until it is closed. An agent that throws is reported, once a minute at
 * the most, and called again: nothing ends a stage but the stop of the collector.
 */
public final class AgentRunner implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AgentRunner.class);

    private static final long CLOSE_MS = 10_000;

    private final Agent agent;
    private final IdleStrategy idle;
    private final ShardCounters counters;
    private final Counter cycleMax;
    private final Thread thread;
    private volatile boolean running = true;
    private final FailureLog failures = new FailureLog(LOG);

    /**
     * Prepares a runner; {@link #start()} starts its thread.
     *
     * @param counters cells of the shard the agent works for
     * @param cycleMax the high-water mark of the agent's cycle time
     * @param pinning where threads of this kind run
     * @param number the number of this one
     */
    public AgentRunner(
            Agent agent, IdleStrategy idle, ShardCounters counters, Counter cycleMax, Pinning pinning, int number) {
        this.agent = agent;
        this.idle = idle;
        this.counters = counters;
        this.cycleMax = cycleMax;
        this.thread = new Thread(pinning.bind(number, this::run), "millrace-" + agent.roleName());
    }

    /** Starts the thread. */
    public void start() {
        thread.start();
    }

    private void run() {
        while (running) {
            int work = 0;
            try {
                long startNs = System.nanoTime();
                work = agent.doWork();
                if (work > 0) {
                    counters.raise(cycleMax, System.nanoTime() - startNs);
                }
            } catch (RuntimeException | Error e) {
                // Errors too: a disk that fails under mapped memory is an InternalError.
                failures.report(agent.roleName() + " failed and goes on", e);
            }
            idle.idle(work);
        }
    }

    /**
     * Ends the thread after the call of the agent that runs now, and waits for that, at most ten seconds. Afterwards the
     * agent may be used by the caller.
     *
     * @throws IllegalStateException if the agent does not come back
     */
    @Override
    public void close() {
        running = false;
        boolean interrupted = false;
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_MS);
        while (thread.isAlive() && System.nanoTime() - deadlineNs < 0) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(thread, deadlineNs - System.nanoTime());
            } catch (InterruptedException e) {
                // An interrupted caller wants to hurry, but the agent must still not be used by two threads.
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            throw new IllegalStateException(agent.roleName() + " does not end");
        }
    }
}
