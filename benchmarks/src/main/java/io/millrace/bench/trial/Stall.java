package io.millrace.bench.trial;

import io.millrace.bench.host.Programs;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Stops a process for 1 s with SIGSTOP, as a host that swaps or a debugger does. */
final class Stall {
    private static final long LENGTH_MS = TimeUnit.SECONDS.toMillis(1);

    private final Thread thread;

    private Stall(Thread thread) {
        this.thread = thread;
    }

    /** Begins one after a time in seconds. */
    static Stall in(long pid, double seconds) {
        Thread thread = new Thread(() -> run(pid, Math.round(seconds * 1000)), "stall");
        thread.start();
        return new Stall(thread);
    }

    private static void run(long pid, long afterMs) {
        try {
            Thread.sleep(afterMs);
            signal(pid, "STOP");
            Thread.sleep(LENGTH_MS);
        } catch (InterruptedException e) {
            // The process goes on at once.
        } finally {
            signal(pid, "CONT");
        }
    }

    private static void signal(long pid, String name) {
        try {
            var unused = Programs.output(List.of("kill", "-" + name, Long.toString(pid)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until the process goes on. */
    void await() throws InterruptedException {
        thread.join();
    }

    /** Lets the process go on now, so that it can be ended. */
    void end() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }
}
