package io.millrace.collector;

import io.millrace.agent.Agent;
import io.millrace.journal.write.PathCheck;
import io.millrace.journal.write.Retention;

/**
 * What one thread does for the journal every second: the check of its paths, then retention.
 *
 * @param paths checked first: retention may fail where the directory is gone
 * @param retention deletes what may go
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
