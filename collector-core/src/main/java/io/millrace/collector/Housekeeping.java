package io.millrace.collector;

import io.millrace.internal.agent.Agent;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.journal.write.PathCheck;
import io.millrace.internal.journal.write.Retention;

/**
 * Periodic work on the data directory, once per second on one thread: a sign of life, the check of the journal's paths, then
 * retention.
 *
 * @param counters where the sign of life is stored
 * @param paths the check of the paths, which comes first because retention may fail without the directory
 * @param retention the retention
 */
record Housekeeping(CounterFile counters, PathCheck paths, Retention retention) implements Agent {
    @Override
    public String roleName() {
        return retention.roleName();
    }

    @Override
    public int doWork() {
        counters.noteAlive();
        return paths.doWork() + retention.doWork();
    }
}
