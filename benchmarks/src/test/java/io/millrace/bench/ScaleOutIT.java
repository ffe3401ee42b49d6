package io.millrace.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.FreePort;
import io.millrace.collector.Counter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page {@code docs/operate/scale-out.md}: two collectors, each with a journal of its own, deliver into one cluster of three
 * brokers. One collector and one broker are killed under load.
 */
@Tag("calm")
@Tag("once")
@Timeout(300)
@Tag("full")
class ScaleOutIT {
    private static final String TOPIC = "logs";
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int RATE = 3_000;
    private static final int COUNT = 36_000;

    @TempDir
    private Path directory;

    private List<KafkaBroker> brokers = List.of();

    @Test
    void everyJournaledMessageIsInKafkaAfterKills() throws Exception {
        brokers = KafkaBroker.startCluster(directory.resolve("kafka"), 3);
        try {
            brokers.get(0).makeReplicatedTopic(TOPIC, 3);
            int firstPort = FreePort.next();
            try (Service first = collector("first", firstPort);
                    Service second = collector("second", 0);
                    Forked toFirst = load("127.0.0.1:" + firstPort, "a");
                    Forked toSecond = load(second.target(), "b")) {
                await().atMost(PATIENCE).until(() -> acknowledged(first) > 1000 && acknowledged(second) > 1000);
                brokers.get(1).kill();
                first.process().signal("KILL");
                first.process().awaitExit(Service.STOP);
                try (Service again = collector("first", firstPort)) {
                    assertThat(toFirst.awaitExit(PATIENCE))
                            .as("%s", toFirst.err())
                            .isBetween(0, 1);
                    assertThat(toSecond.awaitExit(PATIENCE))
                            .as("%s", toSecond.err())
                            .isZero();
                    await().atMost(PATIENCE).until(() -> isDelivered(again) && isDelivered(second));
                    again.stop();
                }
                second.stop();
            }
            assertThat(journaled("second"))
                    .as("sent to the collector that was not killed")
                    .isEqualTo(COUNT);
            Map<String, Set<String>> found = identities();
            for (String name : List.of("first", "second")) {
                assertThat(found.get(journal(name))).as(name).hasSize((int) journaled(name));
            }
        } finally {
            brokers.forEach(KafkaBroker::close);
        }
    }

    private Service collector(String name, int port) throws Exception {
        Path config = Files.writeString(
                directory.resolve(name + ".yaml"),
                "outputs: {queue: {type: kafka, brokers: ["
                        + brokers.stream().map(KafkaBroker::address).collect(Collectors.joining(", "))
                        + "], topic: " + TOPIC + "}}\n");
        return Service.start(
                List.of(), directory.resolve(name), "--config", config.toString(), "--listen", "127.0.0.1:" + port);
    }

    private static Forked load(String target, String run) {
        return Forked.load(
                "--to", target, "--rate", Integer.toString(RATE), "--count", Integer.toString(COUNT), "--run", run);
    }

    private static JsonNode output(Service service) throws Exception {
        return service.ledger().get("delivered").get("queue");
    }

    private static long acknowledged(Service service) throws Exception {
        return output(service).get("acked").asLong();
    }

    private static boolean isDelivered(Service service) throws Exception {
        return output(service).get("pending").asLong() == 0;
    }

    private long journaled(String name) throws Exception {
        return Service.counter(directory.resolve(name), Counter.JOURNALED_DATAGRAMS);
    }

    private String journal(String name) throws Exception {
        return new ObjectMapper()
                .readTree(directory.resolve(name).resolve("meta.json").toFile())
                .get("journalId")
                .asText();
    }

    /** Shard and sequence of each record, by journal. A repeat has the identity of the first. */
    private Map<String, Set<String>> identities() throws Exception {
        Map<String, Set<String>> found = new HashMap<>();
        AtomicInteger repeats = new AtomicInteger();
        brokers.get(2).readAll(TOPIC, record -> {
            boolean isNew = found.computeIfAbsent(header(record, "millrace-journal"), journal -> new HashSet<>())
                    .add(header(record, "millrace-shard") + "/" + header(record, "millrace-sequence"));
            repeats.addAndGet(isNew ? 0 : 1);
        });
        System.err.println("ScaleOutIT: repeats in Kafka: " + repeats);
        return found;
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        return new String(
                Objects.requireNonNull(record.headers().lastHeader(name), name).value(), UTF_8);
    }
}
