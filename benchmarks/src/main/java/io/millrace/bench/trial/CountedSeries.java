package io.millrace.bench.trial;

import java.io.IOException;
import java.util.List;

/**
 * Trials of one process whose messages are counted at the end, for each trial, in what the receiver has stored. The losses that it
 * reports itself are read after each trial.
 */
public interface CountedSeries extends AutoCloseable {
    /** Runs a trial. Its result is one of {@link #end}. */
    void run(String suite, Load load, int round) throws InterruptedException;

    /** The same, while the process is stopped for 1 s in the middle of the load. */
    void runWithStall(String suite, Load load, int round) throws InterruptedException;

    /** Measures how long it takes until a message that comes alone can be read. The result has milliseconds as its detail. */
    void runLone(String suite, int round) throws InterruptedException;

    /** Stops the receiver and returns the results of all trials; each is invalid and has the reason if the receiver failed. */
    List<TrialResult> end() throws InterruptedException;

    /** Ends the receiver and deletes its output. */
    @Override
    void close() throws IOException;
}
