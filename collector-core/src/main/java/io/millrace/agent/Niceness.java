package io.millrace.agent;

import io.millrace.linux.LibC;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much of a busy CPU a thread takes. POSIX has one nice value for a process, Linux one for each thread
 * ({@code sched(7)}), which the threads that it starts inherit.
 */
final class Niceness {
    /**
     * Added to the nice value: a weight of about a tenth. A thread with less than that may, where it holds a lock of the kernel's,
     * hold up the others for longer.
     */
    private static final int BACKGROUND = 10;

    private static final Logger LOG = LoggerFactory.getLogger(Niceness.class);

    private Niceness() {}

    /** A task that first makes the thread it runs on nicer. Where that is refused, it says so, and runs as it is. */
    static Runnable background(Runnable task) {
        return background(task, Niceness::increase);
    }

    static Runnable background(Runnable task, Runnable increase) {
        return () -> {
            try {
                increase.run();
            } catch (RuntimeException | Error e) {
                LOG.warn(
                        "{} takes as much of a busy CPU as receivers do: its nice value stays as it is: {}",
                        Thread.currentThread().getName(),
                        e.toString());
            }
            task.run();
        };
    }

    private static void increase() {
        LibC.nice(BACKGROUND);
    }
}
