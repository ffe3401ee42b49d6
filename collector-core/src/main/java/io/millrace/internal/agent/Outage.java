package io.millrace.internal.agent;

import io.millrace.internal.text.DurationText;
import java.time.Duration;
import org.slf4j.Logger;

/**
 * Logs the outages of a destination: one line when an outage begins, and one when it is over, with how long it lasted and how many messages
 * waited. A destination that fails and answers in turn has at most one outage per ten seconds in the log. Any thread.
 */
public final class Outage {
    private final Logger log;
    private final FailureLog failures;
    private final String name;
    private boolean on;
    private boolean slow;
    private boolean told;
    private long sinceNs;
    private long mostBehind;

    /**
     * Creates one that is over.
     *
     * @param name what the lines begin with, such as {@code Output search}
     */
    public Outage(Logger log, String name) {
        this(log, name, FailureLog.ofOutages(log));
    }

    Outage(Logger log, String name, FailureLog failures) {
        this.log = log;
        this.name = name;
        this.failures = failures;
    }

    /**
     * The destination has failed. To be called at each attempt.
     *
     * @param cause why
     * @param behind how many messages wait
     */
    public synchronized void failed(String cause, long behind) {
        begin(0, behind);
        failures.reportOnce("{} cannot deliver and retries: {}", name, cause);
    }

    /**
     * The destination does not answer. To be called as long as that lasts.
     *
     * @param what what to say, once
     * @param waitingNs how long it has not answered, in ns
     * @param behind how many messages wait
     */
    public synchronized void slow(String what, long waitingNs, long behind) {
        begin(waitingNs, behind);
        if (!slow) {
            slow = true;
            told = true;
            log.warn("{}: {}", name, what);
        }
    }

    private void begin(long agoNs, long behind) {
        if (!on) {
            on = true;
            sinceNs = System.nanoTime() - agoNs;
            mostBehind = 0;
        }
        mostBehind = Math.max(mostBehind, behind);
    }

    /** True from the first failure until {@link #over}. */
    public synchronized boolean isOn() {
        return on;
    }

    /**
     * The destination accepts messages. To be called while it does.
     *
     * @param behind how many messages wait
     */
    public synchronized void over(long behind) {
        if (!on) {
            return;
        }
        told |= failures.forget();
        if (told) {
            log.info(
                    "{} delivers again after {}; it was {} messages behind",
                    name,
                    DurationText.of(Duration.ofNanos(System.nanoTime() - sinceNs)),
                    Math.max(mostBehind, behind));
        }
        on = false;
        slow = false;
        told = false;
    }
}
