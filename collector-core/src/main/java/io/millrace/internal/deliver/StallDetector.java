package io.millrace.internal.deliver;

import io.millrace.collector.Counter;
import io.millrace.internal.counters.CounterFile;
import io.millrace.sink.Positions;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that a reader stands still although the journal has more. Readers follow length words in the files: behind a damaged word
 * the file looks as if it ended. One thread calls the methods, except for {@link #problem}.
 */
final class StallDetector {
    private static final Logger LOG = LoggerFactory.getLogger(StallDetector.class);
    private static final long STALLED_NS = TimeUnit.SECONDS.toNanos(5);

    private final String output;
    private final CounterFile counters;
    private final LongSupplier clock;
    private long sinceNs;
    private volatile @Nullable String problem;

    StallDetector(String output, CounterFile counters, LongSupplier clock) {
        this.clock = clock;
        this.output = output;
        this.counters = counters;
    }

    /** A reader has read something. */
    void advanced() {
        sinceNs = 0;
        problem = null;
    }

    /**
     * True if the journal has more, after a read that found nothing.
     *
     * @param next the next sequence number of each shard; 0 for shards beyond the array
     * @param positions know the end of what is read
     */
    boolean isStalled(long[] next, Positions positions) {
        for (int i = 0; i < counters.shardCount(); i++) {
            long from = i < next.length ? next[i] : 0;
            if (positions.upTo(i, counters.shard(i).get(Counter.JOURNALED_DATAGRAMS)) > from) {
                stalledAt(i, from);
                return true;
            }
        }
        advanced();
        return false;
    }

    private void stalledAt(int shard, long from) {
        long nowNs = clock.getAsLong();
        sinceNs = sinceNs == 0 ? nowNs : sinceNs;
        if (problem == null && nowNs - sinceNs > STALLED_NS) {
            problem = "shard " + shard + " cannot be read from datagram " + from
                    + " on: look with 'millrace journal verify', then stop the service and run 'millrace journal repair'";
            LOG.error("Output {}: {}", output, problem);
        }
    }

    /** The problem; null if the reader is not stalled. */
    @Nullable
    String problem() {
        return problem;
    }
}
