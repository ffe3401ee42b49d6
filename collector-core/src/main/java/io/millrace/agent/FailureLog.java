package io.millrace.agent;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/** Says a failure that may come again and again: the first time, and then once a minute at the most. One thread. */
public final class FailureLog {
    private static final long INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);

    private final Logger log;
    private long reportedAtNs = System.nanoTime() - INTERVAL_NS;

    /** Makes one that writes to a logger. */
    public FailureLog(Logger log) {
        this.log = log;
    }

    /**
     * Takes note of a failure.
     *
     * @param what what failed, and what happens now
     */
    public void report(String what, Throwable cause) {
        if (isDue()) {
            log.error(what, cause);
        }
    }

    /**
     * Takes note of something that is no defect.
     *
     * @param format what it is, as the logger takes it
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
