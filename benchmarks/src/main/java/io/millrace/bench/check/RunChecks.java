package io.millrace.bench.check;

import java.util.List;
import java.util.stream.LongStream;

/** The checks of several runs of the sender, one after the other, in one output. One thread. */
public final class RunChecks {
    private final List<RunCheck> checks;
    /** The run of the last payload, of which the next one probably is too. */
    private int last;

    /**
     * Makes empty checks.
     *
     * @param runIds the runs to search for, at least one
     */
    public RunChecks(LongStream runIds) {
        checks = runIds.mapToObj(RunCheck::new).toList();
    }

    /** Adds a payload of one of the runs, or of none. */
    public void add(byte[] bytes, int offset, int length) {
        for (int i = 0; i < checks.size(); i++) {
            int next = (last + i) % checks.size();
            if (checks.get(next).addIfOfRun(bytes, offset, length)) {
                last = next;
                return;
            }
        }
    }

    /** The check of a run, in the order of the run ids. */
    public RunCheck get(int index) {
        return checks.get(index);
    }
}
