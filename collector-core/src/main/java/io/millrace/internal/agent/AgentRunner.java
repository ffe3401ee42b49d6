package io.millrace.internal.agent;

import io.millrace.collector.Counter;
import io.millrace.collector.Distribution;
import io.millrace.collector.Pinning;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.linux.LibC;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one {@link Agent} on a dedicated thread until the runner is closed. If the agent throws, the runner logs the
 * exception, at most once per minute, and calls the agent again. Only {@link FatalErrors} end the thread.
 */
public final class AgentRunner implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AgentRunner.class);

    private static final long CLOSE_MS = 10_000;
    /** How often {@link #close} ends a sleep of the thread: an idle strategy may sleep several times in one call. */
    private static final long WAKE_MS = 10;

    private final Agent agent;
    private final IdleStrategy idle;
    private final LongConsumer onCycle;
    private final Thread thread;
    private volatile boolean running = true;
    private volatile @Nullable NeededThreads needed;
    private final FailureLog failures = new FailureLog(LOG);

    /**
     * Prepares a runner; {@link #start()} starts its thread.
     *
     * @param counters counters of the shard that the agent works for
     * @param cycles the distribution of the agent's cycle times
     * @param cycleMax the maximum of the agent's cycle time
     * @param stalls the number of cycles that took too long
     * @param pinning the CPUs for threads of this kind
     * @param number the number of this thread among them, from 0
     */
    public AgentRunner(
            Agent agent,
            IdleStrategy idle,
            ShardCells counters,
            Distribution cycles,
            Counter cycleMax,
            Counter stalls,
            Pinning pinning,
            int number) {
        this(
                agent,
                idle,
                cycleNs -> counters.cycle(cycles, cycleMax, stalls, cycleNs),
                task -> CpuAffinity.bind(pinning, number, task));
    }

    private AgentRunner(Agent agent, IdleStrategy idle, LongConsumer onCycle, UnaryOperator<Runnable> onThread) {
        this.agent = agent;
        this.idle = idle;
        this.onCycle = onCycle;
        this.thread = new Thread(onThread.apply(this::run), "millrace-" + agent.roleName());
    }

    /** Creates a runner with a daemon thread and without cycle measurements; {@link #start()} starts its thread. */
    public static AgentRunner daemon(Agent agent, IdleStrategy idle) {
        return daemon(agent, idle, UnaryOperator.identity());
    }

    /**
     * Creates a {@link #daemon} runner whose thread gives way to receivers on a busy CPU.
     *
     * @param nice what is added to the nice value of the thread: 5 gives it a third of the share of a receiver, 10 a tenth
     */
    public static AgentRunner nice(Agent agent, IdleStrategy idle, int nice) {
        return daemon(agent, idle, task -> Niceness.raised(task, nice));
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

    /** Starts the thread as one of those that are needed until it is told to end. */
    public void start(NeededThreads among) {
        needed = among;
        among.add(thread);
        thread.start();
    }

    private void run() {
        NeededThreads among = needed;
        if (among == null) {
            loop();
        } else {
            among.guarded(this::loop).run();
        }
    }

    private void loop() {
        while (running) {
            int work = 0;
            try {
                long startNs = System.nanoTime();
                work = agent.doWork();
                if (work > 0) {
                    onCycle.accept(System.nanoTime() - startNs);
                }
            } catch (RuntimeException | Error e) {
                // An I/O error in mapped memory is an InternalError, and is not fatal.
                FatalErrors.rethrow(e);
                failures.report(agent.roleName() + " failed and continues", e);
            }
            idle.idle(work);
        }
    }

    /** Ends the thread when the agent's current call returns, and ends one sleep. Does not wait for it. */
    public void leave() {
        end();
        LockSupport.unpark(thread);
    }

    private void end() {
        NeededThreads among = needed;
        if (among != null) {
            // First: the thread looks whether it was told to end.
            among.remove(thread);
        }
        running = false;
    }

    /** Interrupts the thread. */
    public void interrupt() {
        thread.interrupt();
    }

    /**
     * Ends the thread when the agent's current call returns, and waits for it for at most ten seconds. Afterwards the
     * caller may use the agent.
     *
     * @throws IllegalStateException if the agent's current call does not return in time
     */
    @Override
    public void close() {
        end();
        boolean interrupted = false;
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_MS);
        while (thread.isAlive() && System.nanoTime() - deadlineNs < 0) {
            LockSupport.unpark(thread);
            try {
                thread.join(WAKE_MS);
            } catch (InterruptedException e) {
                // Keep waiting: two threads must never use the agent.
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            throw new IllegalStateException(agent.roleName() + " did not stop");
        }
    }

    /**
     * The nice value of a thread, which sets its share of a busy CPU. POSIX has one nice value per process, Linux one per
     * thread ({@code sched(7)}). A thread inherits the nice value of the thread that starts it.
     */
    static final class Niceness {
        private static final Logger LOG = LoggerFactory.getLogger(Niceness.class);

        private Niceness() {}

        /**
         * Returns a task that first adds to the nice value of its thread. If that fails, the task logs a warning and runs
         * anyway.
         */
        static Runnable raised(Runnable task, int increment) {
            return raised(task, () -> LibC.nice(increment));
        }

        static Runnable raised(Runnable task, Runnable increase) {
            return () -> {
                try {
                    increase.run();
                } catch (RuntimeException | Error e) {
                    LOG.warn(
                            "Cannot raise the nice value of {}, so it competes with receivers for a busy CPU: {}",
                            Thread.currentThread().getName(),
                            e.toString());
                }
                task.run();
            };
        }
    }
}
