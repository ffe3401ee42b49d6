package io.millrace.internal.agent;

import org.slf4j.Logger;

/**
 * The rule which errors a thread survives. An exception of one call is logged, and the thread continues. After a fatal error
 * it does not, because nobody knows what it left undone: the error goes to the thread's handler of uncaught exceptions.
 */
public final class FatalErrors {
    private static final int MAX_CAUSES = 20;

    private FatalErrors() {}

    /**
     * True for an {@link OutOfMemoryError} and for errors of the JVM itself, also as the cause of an exception. An {@link
     * InternalError} is not fatal, because an I/O error in mapped memory is one. Neither is a {@link StackOverflowError},
     * which a single message can cause.
     */
    public static boolean isFatal(Throwable e) {
        Throwable cause = e;
        for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
            if (cause instanceof VirtualMachineError
                    && !(cause instanceof InternalError)
                    && !(cause instanceof StackOverflowError)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /** Throws a fatal error, so that it ends the thread; returns if the exception is not fatal. */
    public static void rethrow(Throwable e) {
        if (!isFatal(e)) {
            return;
        }
        if (e instanceof Error error) {
            throw error;
        }
        throw new IllegalStateException(e);
    }

    /**
     * Passes a fatal error to the thread's handler of uncaught exceptions, where a caller would catch what is thrown; returns
     * false if the exception is not fatal.
     */
    public static boolean report(Throwable e) {
        boolean fatal = isFatal(e);
        if (fatal) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
        return fatal;
    }

    /**
     * Creates a task for an executor that repeats it. Without this, the executor would keep an exception to itself and never
     * call the task again.
     *
     * @param what what the task does, for the log
     */
    public static Runnable survivor(String what, Logger log, Runnable task) {
        FailureLog failures = new FailureLog(log);
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                if (!report(e)) {
                    failures.report(what + " failed and continues", e);
                }
            }
        };
    }
}
