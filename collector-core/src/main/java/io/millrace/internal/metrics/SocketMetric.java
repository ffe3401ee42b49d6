package io.millrace.internal.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.internal.counters.SocketCells;
import java.util.function.ToDoubleFunction;

/** The metrics of a socket, which is an input in a shard: the only definition of their names and meanings. */
enum SocketMetric {
    RECEIVED(
            "received.datagrams",
            true,
            "Datagrams read from the input's socket, since the start",
            SocketCells::received),
    BYTES(
            "received.bytes",
            true,
            "Stored payload bytes of the datagrams received on this input, since the start",
            SocketCells::bytes),
    TRUNCATED(
            "truncated.datagrams",
            true,
            "Datagrams of the input truncated to max-datagram, since the start",
            SocketCells::truncated),
    ERRORS("receive.errors", true, "Failed receive calls on the input's socket, since the start", SocketCells::errors),
    DROPPED(
            "dropped.datagrams",
            true,
            "Datagrams dropped at the input's socket, since the start",
            SocketCells::dropped),
    QUEUED("queued.bytes", false, "Used part of the socket's receive buffer", SocketMetric::queuedBytes),
    BUFFER("buffer.bytes", false, "The socket's receive buffer", SocketCells::bufferBytes);

    private final String metricName;
    private final boolean total;
    private final String help;

    @SuppressWarnings("ImmutableEnumChecker") // The functions have no state.
    private final ToDoubleFunction<SocketCells> value;

    SocketMetric(String name, boolean total, String help, ToDoubleFunction<SocketCells> value) {
        this.metricName = CollectorMeters.PREFIX + "input." + name;
        this.total = total;
        this.help = help;
        this.value = value;
    }

    private static double queuedBytes(SocketCells socket) {
        Long bytes = socket.queuedBytes();
        return bytes == null ? Double.NaN : bytes;
    }

    void register(MeterRegistry registry, SocketCells socket) {
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
