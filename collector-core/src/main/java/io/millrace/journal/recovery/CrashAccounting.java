package io.millrace.journal.recovery;

import io.millrace.counters.Counter;
import io.millrace.counters.ShardCounters;
import io.millrace.journal.JournalPaths;
import io.millrace.journal.file.FirstBatch;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts at the start what an earlier process left open. Before any other thread writes the shard's counters. */
public final class CrashAccounting {
    private static final Logger LOG = LoggerFactory.getLogger(CrashAccounting.class);

    private CrashAccounting() {}

    /**
     * Has new counters say where the journal begins: everything before that was deleted when nobody counted. Else {@code journal
     * verify} would take it for lost. Before {@link #account}.
     */
    public static void noteBegin(Path shard, long journalId, ShardCounters counters) throws IOException {
        if (counters.get(Counter.RECEIVED_DATAGRAMS) != 0 || counters.get(Counter.EXPIRED_DATAGRAMS) != 0) {
            return;
        }
        for (Path file : JournalPaths.files(shard)) {
            FirstBatch first = FirstBatch.find(file, journalId);
            if (first != null) {
                counters.set(Counter.EXPIRED_DATAGRAMS, first.firstSequence());
                return;
            }
        }
    }

    /**
     * A process that was killed leaves the counters at most one append behind the journal, and datagrams counted as
     * received that never got there. As many datagrams were journaled as have a number, so one cell tells both.
     *
     * @return the sequence number to go on with
     */
    public static long account(int shard, long journalEnd, ShardCounters counters) {
        long counted = counters.get(Counter.JOURNALED_DATAGRAMS);
        if (counted > journalEnd) {
            LOG.warn(
                    "Shard {}: the journal ends before datagram {}, but {} were appended: a power failure, or a file"
                            + " that was truncated or removed. The numbering goes on after them",
                    shard,
                    journalEnd,
                    counted);
        }
        long nextSequence = Math.max(journalEnd, counted);
        counters.set(Counter.JOURNALED_DATAGRAMS, nextSequence);
        long lost = counters.get(Counter.RECEIVED_DATAGRAMS)
                - nextSequence
                - counters.get(Counter.DENIED_DATAGRAMS)
                - counters.get(Counter.RATE_LIMITED_DATAGRAMS)
                - counters.get(Counter.CRASH_DATAGRAMS);
        if (lost > 0) {
            counters.add(Counter.CRASH_DATAGRAMS, lost);
            LOG.warn(
                    "Shard {}: the last run died with {} datagrams received but not journaled; counted as crash",
                    shard,
                    lost);
        } else if (lost < 0) {
            counters.add(Counter.RECEIVED_DATAGRAMS, -lost);
            LOG.warn(
                    "Shard {}: the journal holds {} datagrams more than were counted; the counters now say so",
                    shard,
                    -lost);
        }
        return nextSequence;
    }
}
