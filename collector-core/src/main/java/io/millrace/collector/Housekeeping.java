package io.millrace.collector;

import io.millrace.agent.Agent;
import io.millrace.journal.write.PathCheck;
import io.millrace.journal.write.Retention;

/**
 * Periodic work on the journal, once per second on one thread: the check of its paths, then retention.
 *
 * @param paths the check of the paths, which comes first because retention may fail without the directory
 * @param retention the retention
 */
record Housekeeping(PathCheck paths, Retention retention) implements Agent {
    @Override
    public String roleName() {
        return retention.roleName();
    }

    @Override
    public int doWork() {
        return paths.doWork() + retention.doWork();
    }
}
