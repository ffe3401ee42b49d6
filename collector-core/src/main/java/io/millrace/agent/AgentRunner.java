package io.millrace.agent;

import io.millrace.counters.Counter;
import io.millrace.counters.Distribution;
import io.millrace.counters.ShardCounters;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
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
    private final LongConsumer onCycle;
    private final Thread thread;
    private volatile boolean running = true;
    private final FailureLog failures = new FailureLog(LOG);

    /**
     * Prepares a runner; {@link #start()} starts its thread.
     *
     * @param counters cells of the shard the agent works for
     * @param cycles the distribution of the agent's cycle times
     * @param cycleMax the high-water mark of the agent's cycle time
     * @param stalls the count of cycles that took too long
     * @param pinning where threads of this kind run
     * @param number the number of this one
     */
    public AgentRunner(
            Agent agent,
            IdleStrategy idle,
            ShardCounters counters,
            Distribution cycles,
            Counter cycleMax,
            Counter stalls,
            Pinning pinning,
            int number) {
        this(
                agent,
                idle,
                cycleNs -> counters.cycle(cycles, cycleMax, stalls, cycleNs),
                task -> pinning.bind(number, task));
    }

    private AgentRunner(Agent agent, IdleStrategy idle, LongConsumer onCycle, UnaryOperator<Runnable> onThread) {
        this.agent = agent;
        this.idle = idle;
        this.onCycle = onCycle;
        this.thread = new Thread(onThread.apply(this::run), "millrace-" + agent.roleName());
    }

    /** A runner whose cycles nobody measures, and which does not keep the JVM running; {@link #start()} starts its thread. */
    public static AgentRunner daemon(Agent agent, IdleStrategy idle) {
        return daemon(agent, idle, UnaryOperator.identity());
    }

    /** The same for an agent that nobody waits for: on a busy CPU its thread leaves most of the time to the others. */
    public static AgentRunner background(Agent agent, IdleStrategy idle) {
        return daemon(agent, idle, Niceness::background);
    }

    private static AgentRunner daemon(Agent agent, IdleStrategy idle, UnaryOperator<Runnable> onThread) {
        AgentRunner runner = new AgentRunner(agent, idle, cycleNs -> {}, onThread);
        runner.thread.setDaemon(true);
        return runner;
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
                    onCycle.accept(System.nanoTime() - startNs);
                }
            } catch (RuntimeException | Error e) {
                // Errors too: a disk that fails under mapped memory is an InternalError.
                failures.report(agent.roleName() + " failed and goes on", e);
            }
            idle.idle(work);
        }
    }

    /** Ends the thread after the call of the agent that runs now, whenever that comes back. Does not wait. */
    public void leave() {
        running = false;
    }

    /** Interrupts what the agent waits for. */
    public void interrupt() {
        thread.interrupt();
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
        // It may sleep between two calls for longer than whoever stops wants to wait.
        LockSupport.unpark(thread);
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
