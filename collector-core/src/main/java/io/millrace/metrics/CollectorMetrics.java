package io.millrace.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.millrace.counters.Counter;
import io.millrace.counters.CounterFile;
import io.millrace.counters.ShardCounters;
import io.millrace.deliver.SinkStatus;
import java.util.List;
import java.util.function.Supplier;

/**
 * Binds every {@link Counter} of every shard to a registry, as {@code millrace.<name>} with the tag {@code shard}. Totals
 * are those of the data directory's whole life: they go on where they were after a restart.
 */
public final class CollectorMetrics implements MeterBinder {
    private static final String PREFIX = "millrace.";

    private final CounterFile counters;
    private final long askedReceiveBuffer;
    private final long grantedReceiveBuffer;
    private final Supplier<List<SinkStatus>> outputs;

    /**
     * Makes the metrics of a collector.
     *
     * @param askedReceiveBuffer receive buffer asked for, in bytes
     * @param grantedReceiveBuffer the smallest the kernel granted, in bytes
     * @param outputs how each output stands; always the same outputs
     */
    public CollectorMetrics(
            CounterFile counters,
            long askedReceiveBuffer,
            long grantedReceiveBuffer,
            Supplier<List<SinkStatus>> outputs) {
        this.counters = counters;
        this.askedReceiveBuffer = askedReceiveBuffer;
        this.grantedReceiveBuffer = grantedReceiveBuffer;
        this.outputs = outputs;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (int i = 0; i < counters.shardCount(); i++) {
            ShardCounters shard = counters.shard(i);
            String tag = Integer.toString(i);
            for (Counter counter : Counter.values()) {
                if (counter.kind() == Counter.Kind.TOTAL) {
                    FunctionCounter.builder(PREFIX + counter.metricName(), shard, cells -> cells.get(counter))
                            .description(counter.help())
                            .tag("shard", tag)
                            .register(registry);
                } else {
                    Gauge.builder(PREFIX + counter.metricName(), shard, cells -> cells.get(counter))
                            .description(counter.help())
                            .tag("shard", tag)
                            .register(registry);
                }
            }
            Gauge.builder(PREFIX + "in.flight.datagrams", shard, CollectorMetrics::inFlight)
                    .description("Datagrams in slabs on their way to the journal")
                    .tag("shard", tag)
                    .register(registry);
        }
        Gauge.builder(PREFIX + "shard.skew.ratio", counters, CollectorMetrics::skew)
                .description("What the busiest shard received, of what it would have if all had the same; 1 is even")
                .register(registry);
        Gauge.builder(PREFIX + "receive.buffer.asked.bytes", () -> askedReceiveBuffer)
                .description("Receive buffer asked for, for each socket")
                .register(registry);
        Gauge.builder(PREFIX + "receive.buffer.granted.bytes", () -> grantedReceiveBuffer)
                .description("Smallest receive buffer the kernel granted to a socket")
                .register(registry);
        List<SinkStatus> now = outputs.get();
        for (int i = 0; i < now.size(); i++) {
            for (OutputFigure figure : OutputFigure.values()) {
                figure.register(registry, now.get(i).name(), i, outputs);
            }
        }
    }

    /** Over the life of the data directory; shards that receive no more count too. */
    private static double skew(CounterFile counters) {
        long most = 0;
        long all = 0;
        for (int i = 0; i < counters.shardCount(); i++) {
            long received = counters.shard(i).get(Counter.RECEIVED_DATAGRAMS);
            most = Math.max(most, received);
            all += received;
        }
        return all == 0 ? 1 : (double) most * counters.shardCount() / all;
    }

    private static long inFlight(ShardCounters shard) {
        // What a datagram becomes is read before it is read as received: never negative.
        long done = shard.get(Counter.JOURNALED_DATAGRAMS) + shard.get(Counter.CRASH_DATAGRAMS);
        return shard.get(Counter.RECEIVED_DATAGRAMS) - done;
    }
}
