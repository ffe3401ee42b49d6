package io.millrace.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.counters.SocketCounters;
import java.util.function.ToDoubleFunction;

/** What there is to tell of each socket, that of an input in a shard: the one place for names and meanings. */
enum SocketMetric {
    RECEIVED("received.datagrams", true, "Datagrams read from the input's socket, since the start"),
    BYTES("received.bytes", true, "Payload bytes of these, as stored"),
    TRUNCATED("truncated.datagrams", true, "Datagrams of the input truncated to max-datagram, since the start"),
    ERRORS("receive.errors", true, "Receive calls on the input's socket that failed, since the start"),
    DROPPED("dropped.datagrams", true, "Datagrams the kernel dropped at the input's socket, since the start"),
    QUEUED("queued.bytes", false, "How much of the socket's receive buffer is taken"),
    BUFFER("buffer.bytes", false, "The socket's receive buffer");

    private final String metricName;
    private final boolean total;
    private final String help;

    SocketMetric(String name, boolean total, String help) {
        this.metricName = CollectorMetrics.PREFIX + "input." + name;
        this.total = total;
        this.help = help;
    }

    private double of(SocketCounters socket) {
        return switch (this) {
            case RECEIVED -> socket.received();
            case BYTES -> socket.bytes();
            case TRUNCATED -> socket.truncated();
            case ERRORS -> socket.errors();
            case DROPPED -> socket.dropped();
            case QUEUED -> {
                Long bytes = socket.queuedBytes();
                yield bytes == null ? Double.NaN : bytes;
            }
            case BUFFER -> socket.bufferBytes();
        };
    }

    void register(MeterRegistry registry, SocketCounters socket) {
        ToDoubleFunction<SocketCounters> value = this::of;
        String shard = Integer.toString(socket.shard());
        if (total) {
            FunctionCounter.builder(metricName, socket, value)
                    .description(help)
                    .tag("input", socket.input())
                    .tag("shard", shard)
                    .register(registry);
        } else {
            Gauge.builder(metricName, socket, value)
                    .description(help)
                    .tag("input", socket.input())
                    .tag("shard", shard)
                    .register(registry);
        }
    }
}
