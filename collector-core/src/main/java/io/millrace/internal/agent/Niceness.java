package io.millrace.internal.agent;

import io.millrace.internal.linux.LibC;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nice value of a thread, which sets its share of a busy CPU. POSIX has one nice value per process, Linux one per
 * thread ({@code sched(7)}). A thread inherits the nice value of the thread that starts it.
 */
final class Niceness {
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
