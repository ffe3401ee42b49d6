package io.millrace.bench.trial;

/** A series at whose end the receiver's output is compared with what was sent. */
public interface CheckedSeries extends TrialSeries {
    /**
     * Stops the receiver, and compares its output with all that was sent since its start, warm-up included.
     *
     * @param last the load of the last trial
     */
    TrialResult end(String suite, Load last, int round) throws InterruptedException;
}
