package io.millrace.internal.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.millrace.collector.StreamCounter;
import io.millrace.internal.counters.StreamCells;
import java.time.Instant;

/** The metrics of each stream input in each shard; {@link StreamCounter} has names and meanings. */
final class StreamMetric {
    private static final String STREAM = CollectorMeters.PREFIX + "stream.input.";

    private StreamMetric() {}

    static void register(MeterRegistry registry, StreamCells counters) {
        Tags tags = Tags.of("input", counters.input(), "shard", Integer.toString(counters.shard()));
        for (StreamCounter counter : StreamCounter.values()) {
            String reason = counter.reason();
            FunctionCounter.builder(STREAM + counter.metricName(), counters, it -> it.get(counter))
                    .description(counter.help())
                    .tags(reason == null ? tags : tags.and("reason", reason))
                    .register(registry);
        }
        Gauge.builder(STREAM + "open.connections", counters, StreamCells::open)
                .description("Connections that are open")
                .tags(tags)
                .register(registry);
        Gauge.builder(STREAM + "pending.bytes", counters, StreamCells::pendingBytes)
                .description("Bytes of messages that are not complete, or have no slab yet")
                .tags(tags)
                .register(registry);
        if (counters.certificateExpiry() != null) {
            Gauge.builder(STREAM + "certificate.expiry.timestamp.seconds", counters, StreamMetric::expirySeconds)
                    .description(
                            "When the server certificate in use expires, in seconds since 1970; inputs on TLS only")
                    .tags(tags)
                    .register(registry);
        }
    }

    private static double expirySeconds(StreamCells counters) {
        Instant expiry = counters.certificateExpiry();
        return expiry == null ? Double.NaN : expiry.getEpochSecond();
    }
}
