package io.millrace.collector;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A task that an interrupt of the caller does not end. It runs on another thread, because an interrupt would close the
 * files it writes. The caller waits for it, and is interrupted again afterwards.
 */
final class UninterruptibleTask {
    private static final String THREAD = "millrace-close";

    /** The work. */
    @FunctionalInterface
    interface Task {
        void run() throws IOException;
    }

    private UninterruptibleTask() {}

    /**
     * Runs the task to its end.
     *
     * @throws IOException if the task throws one; other exceptions are rethrown as well
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
            // Rethrows checked exceptions of languages that do not declare them.
            throw new IOException(cause);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
