package io.millrace.bench.trial;

import io.millrace.bench.subject.LaunchSettings;
import io.millrace.bench.subject.Subject;
import java.nio.file.Path;

/** Runs trials; tests replace it by a fake. */
public interface TrialRunner {
    /** The settings of a receiver in a directory. */
    LaunchSettings launch(Path directory);

    /**
     * Runs a trial once. If the receiver fails, the trial is invalid and contains the reason.
     */
    TrialResult run(String suite, Subject subject, Load load, int round) throws InterruptedException;

    /** A series of trials with one process. Not for a receiver that captures unsplit batches, as it has no socket to sample. */
    TrialSeries series(Subject subject);

    /**
     * The same, with a comparison of all output at the end.
     *
     * @param warmUp the load of the warm-up
     */
    CheckedSeries checkedSeries(Subject subject, Load warmUp);

    /**
     * A series whose messages are counted at the end, for each trial.
     *
     * @param warmUp the load of the warm-up
     */
    CountedSeries countedSeries(Subject subject, Load warmUp);
}
