package io.millrace.deliver;

import io.millrace.counters.Counter;
import io.millrace.counters.CounterFile;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that there is more in the journal than can be read. Readers go from batch to batch by words in the files: where such a word
 * is damaged, what is behind it looks as if it were not there yet. One thread looks; any may ask for the {@link #problem}.
 */
final class StallDetector {
    private static final Logger LOG = LoggerFactory.getLogger(StallDetector.class);
    private static final long HELD_UP_NS = TimeUnit.SECONDS.toNanos(5);

    private final String output;
    private final CounterFile counters;
    private long sinceNs;
    private volatile @Nullable String problem;

    StallDetector(String output, CounterFile counters) {
        this.output = output;
        this.counters = counters;
    }

    /** Something was read. */
    void wentOn() {
        sinceNs = 0;
        problem = null;
    }

    /**
     * True if there is more, now that nothing was found to read.
     *
     * @param next the sequence number to go on with in each shard; 0 in those beyond its end
     */
    boolean isHeldUp(long[] next) {
        for (int i = 0; i < counters.shardCount(); i++) {
            long from = i < next.length ? next[i] : 0;
            if (counters.shard(i).get(Counter.JOURNALED_DATAGRAMS) > from) {
                lastsAt(i, from);
                return true;
            }
        }
        wentOn();
        return false;
    }

    private void lastsAt(int shard, long from) {
        long nowNs = System.nanoTime();
        sinceNs = sinceNs == 0 ? nowNs : sinceNs;
        if (problem == null && nowNs - sinceNs > HELD_UP_NS) {
            problem = "shard " + shard + " cannot be read from datagram " + from
                    + " on: look with 'millrace journal verify', then stop the service and run 'millrace journal repair'";
            LOG.error("Output {}: {}", output, problem);
        }
    }

    /** What there is to say of it; null if nothing is. */
    @Nullable
    String problem() {
        return problem;
    }
}
