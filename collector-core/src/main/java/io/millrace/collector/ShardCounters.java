package io.millrace.collector;

import io.millrace.collector.Distribution.Percentiles;

/** The counters of one shard. Those of kind {@link Counter.Kind#TOTAL} continue after a restart. Any thread. */
public interface ShardCounters {
    /** The current value. */
    long get(Counter counter);

    /** The percentiles of recent values. */
    Percentiles percentiles(Distribution distribution);

    /** Adds recorded values to the percentiles. To be called a few times per minute, so that they cover the last one. */
    void keepRecent();
}
