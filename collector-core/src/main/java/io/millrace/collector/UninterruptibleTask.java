package io.millrace.collector;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Does something that must not be broken off: on a thread of its own, for an interrupt of the caller's would end what it waits for,
 * and close the files it writes. The caller waits for it, and has its interrupt back afterwards.
 */
final class UninterruptibleTask {
    private static final String THREAD = "millrace-close";

    /** What there is to do. */
    @FunctionalInterface
    interface Task {
        void run() throws IOException;
    }

    private UninterruptibleTask() {}

    /**
     * Runs it to its end.
     *
     * @throws IOException if it throws that; so with what else it throws
     */
    static void run(Task task) throws IOException {
        FutureTask<Void> run = new FutureTask<>(() -> {
            task.run();
            return null;
        });
        boolean interrupted = Thread.interrupted();
        try {
            new Thread(run, THREAD).start();
        } catch (OutOfMemoryError thereIsNoThread) {
            run.run();
        }
        try {
            while (true) {
                try {
                    run.get();
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof IOException failure) {
                throw failure;
            }
            if (cause instanceof RuntimeException failure) {
                throw failure;
            }
            if (cause instanceof Error failure) {
                throw failure;
            }
            // From a language that need not declare what it throws.
            throw new IOException(cause);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
