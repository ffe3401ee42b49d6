package io.millrace.bench.trial;

import java.io.IOException;

/**
 * Trials of one process: it is started and warmed up once, and datagrams that the kernel did not drop at its socket count as
 * received. Searches use series; a trial that checks each datagram confirms the result.
 */
public interface TrialSeries extends AutoCloseable {
    /** Runs a trial once. If the receiver fails, the trial is invalid and contains the reason. */
    TrialResult run(String suite, Load load, int round) throws InterruptedException;

    /** Ends the receiver and deletes its output. */
    @Override
    default void close() throws IOException {
        // For a series without a process.
    }
}
