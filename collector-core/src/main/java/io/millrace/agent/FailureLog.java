package io.millrace.agent;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A rate-limited log for failures that can repeat: it writes the first one, and then at most one per minute. One
 * thread.
 */
public final class FailureLog {
    private static final long INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);

    private final Logger log;
    private long reportedAtNs = System.nanoTime() - INTERVAL_NS;

    /** Creates a failure log that writes to a logger. */
    public FailureLog(Logger log) {
        this.log = log;
    }

    /**
     * Logs a failure as an error, unless the limit is reached.
     *
     * @param what what failed, and what happens next
     * @param cause null if its place in the code does not matter
     */
    public void report(String what, @Nullable Throwable cause) {
        if (isDue()) {
            log.error(what, cause);
        }
    }

    /**
     * Logs a warning, unless the limit is reached.
     *
     * @param format the message, with the placeholders of SLF4J
     */
    public void report(String format, Object... arguments) {
        if (isDue()) {
            log.warn(format, arguments);
        }
    }

    private boolean isDue() {
        long now = System.nanoTime();
        boolean due = now - reportedAtNs >= INTERVAL_NS;
        reportedAtNs = due ? now : reportedAtNs;
        return due;
    }
}
