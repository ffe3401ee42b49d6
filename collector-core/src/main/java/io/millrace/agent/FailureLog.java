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
        long now = System.nanoTime();
        if (now - reportedAtNs >= INTERVAL_NS) {
            reportedAtNs = now;
            log.error(what, cause);
        }
    }
}
