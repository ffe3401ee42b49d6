package io.millrace.internal.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.collector.CollectorMetrics;
import io.millrace.collector.Counter;
import io.millrace.collector.Distribution;
import io.millrace.collector.Distribution.Percentiles;
import io.millrace.collector.HostCounter;
import io.millrace.collector.HostCounters;
import io.millrace.collector.JournalStatus;
import io.millrace.collector.SourcesStatus;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.counters.SocketCells;
import io.millrace.internal.counters.StreamCells;
import io.millrace.internal.disk.Disk;
import io.millrace.sink.SinkStatus;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Binds the metrics of a collector. */
public final class CollectorMeters implements CollectorMetrics {
    static final String PREFIX = "millrace.";

    /** Cells have ns; metrics have seconds by convention. */
    private static final String SECONDS = ".seconds";

    private static final Map<String, ToLongFunction<Percentiles>> PERCENTILES = Map.of(
            "50", Percentiles::p50,
            "90", Percentiles::p90,
            "99", Percentiles::p99,
            "99.9", Percentiles::p999,
            "100", Percentiles::max);

    private final CounterFile counters;
    private final List<SocketCells> sockets;
    private final List<StreamCells> streams;
    private final long askedReceiveBuffer;
    private final Path dataDirectory;
    private final Supplier<JournalStatus> files;
    private final Supplier<List<SinkStatus>> outputs;
    private final @Nullable Supplier<SourcesStatus> sources;
    private final Supplier<HostCounters> host = new Recent<>(HostCounters::read);

    /**
     * Creates the metrics of a collector.
     *
     * @param sockets the counters of each socket; always the same sockets
     * @param streams the counters of each input of connections, in each shard; always the same
     * @param askedReceiveBuffer the requested receive buffer in bytes
     * @param dataDirectory the data directory
     * @param files the state of the journal's files
     * @param outputs the state of each output
     * @param sources the state of the sources; null without source tracking
     */
    public CollectorMeters(
            CounterFile counters,
            List<SocketCells> sockets,
            List<StreamCells> streams,
            long askedReceiveBuffer,
            Path dataDirectory,
            Supplier<JournalStatus> files,
            Supplier<List<SinkStatus>> outputs,
            @Nullable Supplier<SourcesStatus> sources) {
        this.counters = counters;
        this.sockets = List.copyOf(sockets);
        this.streams = List.copyOf(streams);
        this.askedReceiveBuffer = askedReceiveBuffer;
        this.dataDirectory = dataDirectory;
        this.files = files;
        this.outputs = new Recent<>(outputs);
        this.sources = sources == null ? null : new Recent<>(sources);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (int i = 0; i < counters.shardCount(); i++) {
            bindShard(registry, counters.shard(i), Integer.toString(i));
        }
        Gauge.builder(PREFIX + "shard.skew.ratio", counters, CollectorMeters::skew)
                .description("Datagrams of the busiest shard relative to the mean of all shards; 1 is even")
                .register(registry);
        for (SocketCells socket : sockets) {
            for (SocketMetric metric : SocketMetric.values()) {
                metric.register(registry, socket);
            }
        }
        streams.forEach(stream -> StreamMetric.register(registry, stream));
        long granted =
                sockets.stream().mapToLong(SocketCells::bufferBytes).min().orElse(0);
        Gauge.builder(PREFIX + "receive.buffer.asked.bytes", () -> askedReceiveBuffer)
                .description("Requested receive buffer of each socket")
                .register(registry);
        Gauge.builder(PREFIX + "receive.buffer.granted.bytes", () -> granted)
                .description("Smallest receive buffer that the kernel granted to a socket")
                .register(registry);
        Gauge.builder(
                        PREFIX + "data.free.bytes",
                        dataDirectory,
                        directory -> Disk.of(directory).usableBytes(directory))
                .description("Free space on the disk of the data directory")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder(PREFIX + "journal.files", files, now -> now.get().files())
                .description("Files of the journal")
                .register(registry);
        Gauge.builder(PREFIX + "journal.bytes", files, now -> now.get().bytes())
                .description("Size of the journal's files")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder(
                        PREFIX + "journal.oldest.timestamp.seconds",
                        files,
                        now -> seconds(now.get().oldestNs()))
                .description("Receive time of the oldest datagram in the journal, in seconds since 1970")
                .register(registry);
        for (HostCounter counter : HostCounter.values()) {
            FunctionCounter.builder(PREFIX + counter.metricName(), host, reading -> value(reading.get(), counter))
                    .description(counter.help() + ", on the whole host since its boot")
                    .register(registry);
        }
        if (sources != null) {
            for (SourcesMetric metric : SourcesMetric.values()) {
                metric.register(registry, sources);
            }
        }
        bindOutputs(registry);
    }

    @Override
    public void bindOutputs(MeterRegistry registry) {
        Set<String> names = outputs.get().stream().map(SinkStatus::name).collect(Collectors.toSet());
        Set<String> bound = new HashSet<>();
        for (Meter meter : registry.getMeters()) {
            String name = OutputMetric.output(meter.getId());
            if (name != null && !names.contains(name)) {
                registry.remove(meter);
            } else if (name != null) {
                bound.add(name);
            }
        }
        names.removeAll(bound);
        for (String name : names) {
            for (OutputMetric metric : OutputMetric.values()) {
                metric.register(registry, name, outputs);
            }
            OutputMetric.registerKinds(registry, name, outputs);
        }
    }

    private static void bindShard(MeterRegistry registry, ShardCells shard, String tag) {
        for (Counter counter : Counter.values()) {
            String name = PREFIX + counter.metricName();
            double unit = counter.metricName().endsWith(SECONDS) ? TimeUnit.SECONDS.toNanos(1) : 1;
            if (counter.kind() == Counter.Kind.TOTAL) {
                FunctionCounter.builder(name, shard, cells -> cells.get(counter) / unit)
                        .description(counter.help())
                        .tag("shard", tag)
                        .register(registry);
            } else {
                Gauge.builder(name, shard, cells -> cells.get(counter) / unit)
                        .description(counter.help())
                        .tag("shard", tag)
                        .register(registry);
            }
        }
        Gauge.builder(PREFIX + "in.flight.datagrams", shard, CollectorMeters::inFlight)
                .description("Datagrams in slabs that are not journaled yet, and chunks that wait for others")
                .tag("shard", tag)
                .register(registry);
        for (Distribution distribution : Distribution.values()) {
            boolean isTime = distribution.unit() == Distribution.Unit.NANOSECONDS;
            String name = PREFIX + distribution.metricName() + (isTime ? SECONDS : "");
            double unit = isTime ? TimeUnit.SECONDS.toNanos(1) : 1;
            PERCENTILES.forEach((percentile, of) -> Gauge.builder(
                            name, shard, cells -> of.applyAsLong(cells.percentiles(distribution)) / unit)
                    .description(distribution.help() + ": percentiles of the last minute, 100 being the highest")
                    .tag("shard", tag)
                    .tag("percentile", percentile)
                    .register(registry));
        }
    }

    /** An unavailable value is NaN, and never 0. */
    private static double value(HostCounters host, HostCounter counter) {
        Long value = host.get(counter);
        return value == null ? Double.NaN : value;
    }

    private static double seconds(@Nullable Long epochNs) {
        return epochNs == null ? Double.NaN : epochNs / 1e9;
    }

    /** Over the life of the data directory, including shards that no longer receive. */
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

    private static long inFlight(ShardCells shard) {
        // Reads the parts before the total, so that the difference is never negative.
        long accounted = shard.accounted();
        return shard.get(Counter.RECEIVED_DATAGRAMS) - accounted;
    }

    /** Cache of a value for 200 ms, so that one scrape reads it once. Any thread. */
    static final class Recent<T> implements Supplier<T> {
        private static final long FRESH_NS = TimeUnit.MILLISECONDS.toNanos(200);

        private final Supplier<T> source;
        private @Nullable T last;
        private long askedAtNs;

        Recent(Supplier<T> source) {
            this.source = source;
        }

        @Override
        public synchronized T get() {
            T answer = last;
            long nowNs = System.nanoTime();
            if (answer == null || nowNs - askedAtNs > FRESH_NS) {
                answer = source.get();
                last = answer;
                askedAtNs = nowNs;
            }
            return answer;
        }
    }
}
