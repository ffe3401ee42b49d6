package io.millrace.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.counters.Counter;
import io.millrace.counters.CounterFile;
import io.millrace.deliver.Positions;
import io.millrace.deliver.SinkStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CollectorMetricsTest {
    private static final int SHARDS = 3;

    @TempDir
    Path directory;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private CounterFile counters;
    private SinkStatus status = status(null);

    @BeforeEach
    void bind() throws IOException {
        counters = CounterFile.open(directory.resolve("counters"), 1, SHARDS);
        new CollectorMetrics(counters, 1000, 800, () -> List.of(status)).bindTo(registry);
    }

    private static SinkStatus status(@Nullable String problem) {
        Positions.Counts counts = new Positions.Counts(1, 2, 3, 4);
        return new SinkStatus(
                "archive", counts, 5, 6, 7_000_000_000L, 8, 9, 10, 11, 12_000_000_000L, 13_000_000_000L, problem);
    }

    private double output(String name) {
        Meter meter =
                registry.get("millrace.output." + name).tag("output", "archive").meter();
        return meter.measure().iterator().next().getValue();
    }

    @Test
    void outputsAreThereAsTheyStandNow() {
        System.gc();
        assertThat(output("acked.datagrams")).isEqualTo(1);
        assertThat(output("pending.datagrams")).isEqualTo(5);
        assertThat(output("lag.seconds")).isEqualTo(7);
        assertThat(output("ack.seconds")).isEqualTo(12);
        assertThat(output("failing")).isZero();
        status = status("connection refused");
        assertThat(output("failing")).isEqualTo(1);
    }

    @Test
    void theTableOfOutputsNamesEveryFigure() throws IOException {
        assertThat(Files.readAllLines(Path.of("..", "docs", "operations.md")).stream()
                        .filter(line -> line.startsWith("| `millrace_output_")))
                .containsExactlyElementsOf(Arrays.stream(OutputFigure.values())
                        .map(OutputFigure::row)
                        .toList());
    }

    @AfterEach
    void close() {
        registry.close();
    }

    @Test
    void everyCounterIsThereOnceAShardWithItsHelp() {
        for (Counter counter : Counter.values()) {
            Collection<Meter> meters =
                    registry.find("millrace." + counter.metricName()).meters();
            assertThat(meters).as(counter.name()).hasSize(SHARDS).allSatisfy(meter -> {
                assertThat(meter.getId().getDescription()).isEqualTo(counter.help());
                assertThat(meter.getId().getType())
                        .isEqualTo(counter.kind() == Counter.Kind.TOTAL ? Meter.Type.COUNTER : Meter.Type.GAUGE);
            });
            assertThat(meters)
                    .extracting(meter -> meter.getId().getTag("shard"))
                    .containsExactlyInAnyOrder("0", "1", "2");
        }
        assertThat(registry.getMeters())
                .hasSize(SHARDS * (Counter.values().length + 1) + 3 + OutputFigure.values().length);
    }

    @Test
    void metersFollowTheCells() {
        for (int shard = 0; shard < SHARDS; shard++) {
            for (Counter counter : Counter.values()) {
                counters.shard(shard).set(counter, 100 * shard + counter.id());
            }
        }
        for (int shard = 0; shard < SHARDS; shard++) {
            for (Counter counter : Counter.values()) {
                assertThat(value(counter.metricName(), shard))
                        .as("%s of shard %d", counter, shard)
                        .isEqualTo(100.0 * shard + counter.id());
            }
        }
    }

    @Test
    void inFlightIsWhatIsReceivedAndNeitherJournaledNorLost() {
        counters.shard(1).add(Counter.RECEIVED_DATAGRAMS, 20);
        counters.shard(1).add(Counter.JOURNALED_DATAGRAMS, 12);
        counters.shard(1).add(Counter.CRASH_DATAGRAMS, 3);
        assertThat(value("in.flight.datagrams", 1)).isEqualTo(5);
        assertThat(value("in.flight.datagrams", 0)).isZero();
    }

    @Test
    void receiveBuffersAreThereAsAskedForAndAsGranted() {
        assertThat(registry.get("millrace.receive.buffer.asked.bytes").gauge().value())
                .isEqualTo(1000);
        assertThat(registry.get("millrace.receive.buffer.granted.bytes").gauge().value())
                .isEqualTo(800);
    }

    @Test
    void skewIsTheBusiestShardsShareOfAnEvenOne() {
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
