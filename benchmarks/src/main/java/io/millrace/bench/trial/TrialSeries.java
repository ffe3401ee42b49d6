package io.millrace.bench.trial;

import java.io.IOException;

/**
 * Trials of one process, one after the other: it is started and warmed up once, and what it received is what the kernel did not drop at
 * its socket. A search is made of such; what it has found is to be confirmed by a trial in which each datagram is looked for.
 */
public interface TrialSeries extends AutoCloseable {
    /** Runs a trial once. A receiver that fails makes the trial void, and the result says why. */
    TrialResult run(String suite, Load load, int round) throws InterruptedException;

    /** Ends the receiver, and deletes what it wrote. */
    @Override
    default void close() throws IOException {
        // For one that has none.
    }
}
