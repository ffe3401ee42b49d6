package io.millrace.internal.agent;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A rate-limited log for failures that can repeat: it writes the first one, and then at most one per minute, or another
 * interval. Any thread.
 */
public final class FailureLog {
    private static final long INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long OUTAGE_NS = TimeUnit.SECONDS.toNanos(10);

    private final Logger log;
    private final long intervalNs;
    private long reportedAtNs;
    private boolean isTold;

    /** Creates a failure log that writes to a logger. */
    public FailureLog(Logger log) {
        this(log, INTERVAL_NS);
    }

    /** Creates a failure log for a destination, which may fail and answer in turn: one outage per ten seconds. */
    public static FailureLog ofOutages(Logger log) {
        return new FailureLog(log, OUTAGE_NS);
    }

    FailureLog(Logger log, long intervalNs) {
        this.log = log;
        this.intervalNs = intervalNs;
        this.reportedAtNs = System.nanoTime() - intervalNs;
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

    /** Logs a warning as {@link #report} does, but once until {@link #recovered}. To be called as long as the failure lasts. */
    public void reportOnce(String format, Object... arguments) {
        if (!isTold()) {
            report(format, arguments);
        }
    }

    /** Logs that it works again, if the failure was logged. */
    public void recovered(String format, Object... arguments) {
        if (forget()) {
            log.info(format, arguments);
        }
    }

    private synchronized boolean isDue() {
        long now = System.nanoTime();
        boolean due = now - reportedAtNs >= intervalNs;
        reportedAtNs = due ? now : reportedAtNs;
        isTold |= due;
        return due;
    }

    private synchronized boolean isTold() {
        return isTold;
    }

    /** True if the failure was logged; the next one is logged again. */
    synchronized boolean forget() {
        boolean told = isTold;
        isTold = false;
        return told;
    }
}
