package io.millrace.collector;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Does something that must not be broken off: on a thread of its own, for an interrupt of the caller's would end what it waits for,
 * and close the files it writes. The caller waits for it, and has its interrupt back afterwards.
 */
final class Undisturbed {
    private static final String THREAD = "millrace-close";

    /** What there is to do. */
    @FunctionalInterface
    interface Task {
        void run() throws IOException;
    }

    private Undisturbed() {}

    /**
     * Runs it to its end.
     *
     * @throws IOException if it throws that; so with what else it throws
     */
    static void run(Task task) throws IOException {
        Run run = new Run(task);
        Thread thread = new Thread(run, THREAD);
        boolean interrupted = Thread.interrupted();
        try {
            thread.start();
        } catch (OutOfMemoryError thereIsNoThread) {
            run.run();
        }
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        run.throwFailure();
    }

    /** Keeps what it threw, for the caller. */
    private static final class Run implements Runnable {
        private final Task task;
        private @Nullable Throwable failure;

        Run(Task task) {
            this.task = task;
        }

        @Override
        public void run() {
            try {
                task.run();
            } catch (Throwable e) {
                failure = e;
            }
        }

        void throwFailure() throws IOException {
            if (failure instanceof IOException e) {
                throw e;
            }
            if (failure instanceof RuntimeException e) {
                throw e;
            }
            if (failure instanceof Error e) {
                throw e;
            }
        }
    }
}
