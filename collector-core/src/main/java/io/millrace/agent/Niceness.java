package io.millrace.agent;

import com.sun.jna.NativeLibrary;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The share of a busy processor that a thread takes. POSIX has one nice value for a process, Linux one for
 * each thread ({@code sched(7)}): one step more is about a fifth less of the processor.
 */
final class Niceness {
    /** About a tenth of the share of the other threads. With less a thread that holds a lock of the kernel's could hold up others. */
    static final int BACKGROUND = 10;

    private static final Logger LOG = LoggerFactory.getLogger(Niceness.class);

    private Niceness() {}

    /** A task that first makes the thread it runs on nicer. Where that cannot be done, it says so, and runs as it is. */
    static Runnable background(Runnable task) {
        return () -> {
            try {
                // What it returns is the new value; to take less is always allowed.
                var unused = NativeLibrary.getInstance("c").getFunction("nice").invokeInt(new Object[] {BACKGROUND});
            } catch (RuntimeException | LinkageError e) {
                LOG.warn(
                        "{} takes as much of a busy processor as those that receive: {}",
                        Thread.currentThread().getName(),
                        e.toString());
            }
            task.run();
        };
    }
}
