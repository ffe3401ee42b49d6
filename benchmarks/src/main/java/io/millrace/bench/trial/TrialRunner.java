package io.millrace.bench.trial;

import io.millrace.bench.subject.Launch;
import io.millrace.bench.subject.Subject;
import java.nio.file.Path;

/** Runs trials; a test of a suite puts one here that knows the answer. */
public interface TrialRunner {
    /** How a receiver is started in a directory. */
    Launch launch(Path directory);

    /**
     * Runs a trial once. A receiver that fails makes the trial void, and the result says why; it does not end the run.
     */
    TrialResult run(String suite, Subject subject, Load load, int round) throws InterruptedException;

    /** Trials of a receiver that is started once. It is not for one that sees GRO batches uncut, and so has no socket to look at. */
    TrialSeries series(Subject subject);
}
