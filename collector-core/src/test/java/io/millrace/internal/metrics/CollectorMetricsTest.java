package io.millrace.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.collector.Counter;
import io.millrace.collector.Distribution;
import io.millrace.collector.DropReason;
import io.millrace.collector.JournalStatus;
import io.millrace.collector.SourcesStatus;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.SocketCells;
import io.millrace.internal.counters.StreamCells;
import io.millrace.sink.Adjustment;
import io.millrace.sink.Positions;
import io.millrace.sink.Refusal;
import io.millrace.sink.SinkStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CollectorMetricsTest {
    private static final int SHARDS = 3;
    private static final Path REFERENCE = Path.of("..", "docs", "reference", "metrics.md");
    private static final String HEAD = "| metric | type | labels | meaning |";

    private static final SourcesStatus SOURCES =
            new SourcesStatus(1, 2, 9, 3, 4, 5, 6, 8, true, List.of(), List.of(), 7, List.of());

    @TempDir
    Path directory;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final SocketCells socket = new SocketCells("syslog", 0, 900);
    private CounterFile counters;
    private SinkStatus status = status(null);

    @BeforeEach
    void bind() throws IOException {
        counters = CounterFile.open(directory.resolve("counters"), 1, SHARDS);
        new CollectorMeters(
                        counters,
                        List.of(socket, new SocketCells("syslog", 1, 800)),
                        List.of(new StreamCells("tls", 0, () -> Instant.ofEpochSecond(1_800_000_000))),
                        1000,
                        directory,
                        () -> new JournalStatus(2, 3000, 4_500_000_000L),
                        () -> List.of(status),
                        () -> SOURCES)
                .bindTo(registry);
    }

    private static SinkStatus status(@Nullable String problem) {
        Positions.Counts counts = new Positions.Counts(1, 2, 3, 4);
        return new SinkStatus(
                "archive",
                counts,
                5,
                51,
                6,
                7_000_000_000L,
                8,
                9,
                10,
                11,
                12_000_000_000L,
                13_000_000_000L,
                Map.of(Refusal.TOO_LONG, 14L),
                Map.of(Adjustment.TRUNCATED, 15L),
                16,
                "192.0.2.7",
                17,
                false,
                problem);
    }

    private double output(String name) {
        Meter meter =
                registry.get("millrace.output." + name).tag("output", "archive").meter();
        return meter.measure().iterator().next().getValue();
    }

    private double outputByTag(String name, String tag, String value) {
        return registry.get("millrace.output." + name)
                .tag("output", "archive")
                .tag(tag, value)
                .functionCounter()
                .count();
    }

    @Test
    void outputsHaveCurrentValues() {
        System.gc();
        assertThat(output("acked.datagrams")).isEqualTo(1);
        assertThat(output("pending.datagrams")).isEqualTo(5);
        assertThat(output("expired.datagrams")).isEqualTo(51);
        assertThat(output("lag.seconds")).isEqualTo(7);
        assertThat(output("ack.seconds")).isEqualTo(12);
        assertThat(output("dead.letters.deleted")).isEqualTo(16);
        assertThat(outputByTag("refused.records", "kind", "too-long")).isEqualTo(14);
        assertThat(outputByTag("refused.records", "kind", "rejected")).isZero();
        assertThat(outputByTag("adjusted.records", "how", "truncated")).isEqualTo(15);
        assertThat(output("failing")).isZero();
        status = status("connection refused");
        // An answer serves for a moment.
        await().untilAsserted(() -> assertThat(output("failing")).isEqualTo(1));
    }

    @Test
    void journalFilesHaveMetrics() {
        System.gc();
        assertThat(registry.get("millrace.journal.files").gauge().value()).isEqualTo(2);
        assertThat(registry.get("millrace.journal.bytes").gauge().value()).isEqualTo(3000);
        assertThat(registry.get("millrace.journal.oldest.timestamp.seconds")
                        .gauge()
                        .value())
                .isEqualTo(4.5);
    }

    @Test
    void sourcesHaveTotals() {
        assertThat(registry.get("millrace.sources.known").gauge().value()).isEqualTo(1);
        assertThat(registry.get("millrace.sources.forgotten").functionCounter().count())
                .isEqualTo(2);
        assertThat(registry.get("millrace.sources.untracked.datagrams")
                        .functionCounter()
                        .count())
                .isEqualTo(9);
        assertThat(registry.get("millrace.sources.missing.datagrams")
                        .functionCounter()
                        .count())
                .isEqualTo(3);
        assertThat(registry.get("millrace.sources.behind.datagrams").gauge().value())
                .isEqualTo(6);
        assertThat(registry.get("millrace.sources.silent").gauge().value()).isEqualTo(7);
    }

    @Test
    void socketsAreTaggedByInputAndShard() {
        socket.received(3, 300, 1);
        socket.dropped(7);
        assertThat(input("received.datagrams", "0")).isEqualTo(3);
        assertThat(input("received.bytes", "0")).isEqualTo(300);
        assertThat(input("truncated.datagrams", "0")).isEqualTo(1);
        assertThat(input("dropped.datagrams", "0")).isEqualTo(7);
        assertThat(input("received.datagrams", "1")).isZero();
        assertThat(input("buffer.bytes", "0")).isEqualTo(900);
        assertThat(input("queued.bytes", "0")).isNaN();
        socket.queued(55);
        assertThat(input("queued.bytes", "0")).isEqualTo(55);
    }

    private double input(String name, String shard) {
        Meter meter = registry.get("millrace.input." + name)
                .tag("input", "syslog")
                .tag("shard", shard)
                .meter();
        return meter.measure().iterator().next().getValue();
    }

    @Test
    void distributionsArePercentilesInSeconds() {
        counters.shard(0).reset();
        for (int i = 1; i <= 1000; i++) {
            counters.shard(0).record(Distribution.JOURNAL_LATENCY, i * 1_000_000L);
            counters.shard(0).record(Distribution.BATCH_DATAGRAMS, i);
        }
        assertThat(percentile("journal.latency.seconds", "50")).isCloseTo(0.5, Offset.offset(0.01));
        assertThat(percentile("journal.latency.seconds", "99")).isCloseTo(0.99, Offset.offset(0.01));
        assertThat(percentile("journal.latency.seconds", "100")).isCloseTo(1, Offset.offset(0.01));
        assertThat(percentile("batch.datagrams", "90")).isCloseTo(900, Offset.offset(9.0));
    }

    private double percentile(String name, String percentile) {
        return registry.get("millrace." + name)
                .tag("shard", "0")
                .tag("percentile", percentile)
                .gauge()
                .value();
    }

    @Test
    void hostCountersHaveMetrics() {
        assertThat(registry.get("millrace.host.no.port").functionCounter().count())
                .isNotNegative();
    }

    @Test
    void referenceNamesEveryMetric() throws IOException {
        List<String> rows = registry.getMeters().stream()
                .collect(Collectors.toMap(
                        meter -> meter.getId().getName(), CollectorMetricsTest::row, (one, other) -> one, TreeMap::new))
                .values()
                .stream()
                .toList();
        if (Boolean.getBoolean("millrace.docs.write")) {
            List<String> lines = new ArrayList<>(Files.readAllLines(REFERENCE));
            int first = lines.indexOf(HEAD) + 2;
            while (first < lines.size() && lines.get(first).startsWith("|")) {
                lines.remove(first);
            }
            lines.addAll(first, rows);
            Files.write(REFERENCE, lines);
        }
        assertThat(Files.readAllLines(REFERENCE).stream()
                        .dropWhile(line -> !line.equals(HEAD))
                        .skip(2)
                        .takeWhile(line -> line.startsWith("|")))
                .as("run with -Dmillrace.docs.write=true to write it again")
                .containsExactlyElementsOf(rows);
    }

    private static String row(Meter meter) {
        boolean counter = meter.getId().getType() == Meter.Type.COUNTER;
        String labels = meter.getId().getTags().stream()
                .map(tag -> "`" + tag.getKey() + "`")
                .collect(Collectors.joining(", "));
        return "| `" + meter.getId().getName().replace('.', '_') + (counter ? "_total" : "") + "` | "
                + (counter ? "counter" : "gauge") + " | " + labels + " | "
                + meter.getId().getDescription() + " |";
    }

    @AfterEach
    void close() {
        registry.close();
    }

    @Test
    void everyCounterHasAMeterPerShard() {
        for (Counter counter : Counter.values()) {
            Collection<Meter> meters =
                    registry.find("millrace." + counter.metricName()).meters();
            assertThat(meters).as(counter.toString()).hasSize(SHARDS).allSatisfy(meter -> {
                assertThat(meter.getId().getDescription()).isEqualTo(counter.help());
                assertThat(meter.getId().getType())
                        .isEqualTo(counter.kind() == Counter.Kind.TOTAL ? Meter.Type.COUNTER : Meter.Type.GAUGE);
            });
            assertThat(meters)
                    .extracting(meter -> meter.getId().getTag("shard"))
                    .containsExactlyInAnyOrder("0", "1", "2");
        }
    }

    @Test
    void metersShowTheCells() {
        for (int shard = 0; shard < SHARDS; shard++) {
            for (Counter counter : Counter.values()) {
                counters.shard(shard).set(counter, 100 * shard + counter.id());
            }
        }
        for (int shard = 0; shard < SHARDS; shard++) {
            for (Counter counter : Counter.values()) {
                // Cells have ns.
                double unit = counter.metricName().endsWith(".seconds") ? 1e9 : 1;
                assertThat(value(counter.metricName(), shard))
                        .as("%s of shard %d", counter, shard)
                        .isEqualTo((100.0 * shard + counter.id()) / unit);
            }
        }
    }

    @Test
    void inFlightIsReceivedMinusJournaledAndLost() {
        counters.shard(1).add(Counter.RECEIVED_DATAGRAMS, 20);
        counters.shard(1).add(Counter.JOURNALED_DATAGRAMS, 12);
        counters.shard(1).add(DropReason.CRASH.counter(), 3);
        assertThat(value("in.flight.datagrams", 1)).isEqualTo(5);
        assertThat(value("in.flight.datagrams", 0)).isZero();
    }

    @Test
    void requestedAndGrantedReceiveBuffersHaveMetrics() {
        assertThat(registry.get("millrace.receive.buffer.asked.bytes").gauge().value())
                .isEqualTo(1000);
        assertThat(registry.get("millrace.receive.buffer.granted.bytes").gauge().value())
                .isEqualTo(800);
    }

    @Test
    void skewIsTheBusiestShardRelativeToTheMean() {
        assertThat(registry.get("millrace.shard.skew.ratio").gauge().value()).isEqualTo(1);
        counters.shard(0).add(Counter.RECEIVED_DATAGRAMS, 10);
        counters.shard(2).add(Counter.RECEIVED_DATAGRAMS, 50);
        assertThat(registry.get("millrace.shard.skew.ratio").gauge().value()).isEqualTo(2.5);
    }

    private double value(String name, int shard) {
        Meter meter = registry.get("millrace." + name)
                .tag("shard", Integer.toString(shard))
                .meter();
        return meter instanceof FunctionCounter counter ? counter.count() : ((Gauge) meter).value();
    }
}
