package io.millrace.collector;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * A collector's metrics for a registry, as {@code millrace.<name>}: every {@link Counter} and {@link Distribution} of every
 * shard, sockets, outputs, sources, and the host's counters. Totals of shards cover the whole life of the data directory and
 * continue after a restart. Any thread.
 */
public interface CollectorMetrics extends MeterBinder {
    /** Removes the meters of removed outputs from a registry and adds those of new ones. */
    void bindOutputs(MeterRegistry registry);
}
