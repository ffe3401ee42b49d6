package io.millrace.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.fuzz.HostileMessages;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Topics that messages name, at a real broker: one that does not exist stops nobody else's messages. */
@Tag("calm")
@Tag("once")
@Timeout(300)
@Tag("full")
class KafkaTopicIT {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    private static Path kafka;

    private static KafkaBroker broker;

    @TempDir
    private Path directory;

    @BeforeAll
    static void startBroker() throws Exception {
        broker = KafkaBroker.start(kafka);
        broker.makeTopic("logs-user", 1);
        broker.makeTopic("logs-fallback", 1);
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    private Service service(String... settings) throws Exception {
        return service(broker, settings);
    }

    private Service service(KafkaBroker at, String... settings) throws Exception {
        List<String> lines = new ArrayList<>(List.of(
                "outputs:", "  queue:", "    type: kafka", "    format: raw", "    brokers: [" + at.address() + "]"));
        for (String setting : settings) {
            lines.add("    " + setting);
        }
        Path file = Files.write(directory.resolve("millrace.yaml"), lines);
        return Service.start(List.of(), directory.resolve("data"), "--config", file.toString());
    }

    private static void send(Service service, String... messages) throws Exception {
        try (DatagramSocket socket = new DatagramSocket()) {
            for (String message : messages) {
                send(socket, service, message.getBytes(UTF_8));
            }
        }
    }

    private static void send(DatagramSocket socket, Service service, byte[] bytes) throws Exception {
        socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), service.port()));
    }

    /** What config check --connect says of a broker. */
    private String connect(KafkaBroker at, int exitCode, String settings) throws Exception {
        Path file = Files.writeString(
                directory.resolve("connect.yaml"),
                "outputs: {queue: {type: kafka, brokers: ['" + at.address() + "'], " + settings + "}}\n");
        try (Forked process = Forked.millrace(List.of(), "config", "check", "--connect", file.toString())) {
            assertThat(process.awaitExit(SOON)).as("%s", process.err()).isEqualTo(exitCode);
            return String.join("\n", process.out());
        }
    }

    @Test
    void connectAsksForTheTopicAndCreatesNone() throws Exception {
        assertThat(connect(broker, 0, "topic: logs-user"))
                .startsWith("ok      queue: Kafka answers, brokers: 1; topic logs-user with partitions: 1");
        assertThat(connect(broker, 1, "topic: logs-none"))
                .startsWith("FAILED  queue: Kafka at " + broker.address()
                        + ": topic logs-none does not exist, and the broker creates none: create it");
        assertThat(connect(broker, 1, "topic: logs-user, properties: {security.protocol: SSL}"))
                .startsWith("FAILED  queue: ");
        assertThat(connect(broker, 1, "topic: 'logs-{facility}', fallbackTopic: logs-none"))
                .contains("topic logs-none does not exist");
    }

    private static JsonNode delivered(Service service) throws Exception {
        return service.ledger().get("delivered").get("queue");
    }

    private static JsonNode awaitSettled(Service service, int count) {
        AtomicReference<JsonNode> settled = new AtomicReference<>();
        await().atMost(SOON).pollInterval(Duration.ofMillis(100)).untilAsserted(() -> {
            JsonNode queue = delivered(service);
            settled.set(queue);
            assertThat(queue.get("acked").asInt() + queue.get("deadLettered").asInt())
                    .as("%s", service.get("/api/status").body())
                    .isEqualTo(count);
        });
        return settled.get();
    }

    private static List<String> values(String topic) throws Exception {
        List<String> values = new ArrayList<>();
        broker.readAll(topic, record -> values.add(new String(record.value(), UTF_8)));
        return values;
    }

    @Test
    void messageForAMissingTopicBecomesADeadLetter() throws Exception {
        try (Service service = service("topic: \"logs-{facility}\"")) {
            long began = System.nanoTime();
            send(service, "<9>user a1", "<187>local7", "<9>user a2");
            JsonNode queue = awaitSettled(service, 3);
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .as("the broker is asked, and not waited for")
                    .isLessThan(Duration.ofSeconds(20));
            assertThat(queue.get("deadLettered").asInt()).isEqualTo(1);
            assertThat(queue.get("refused").get("name").asInt()).isEqualTo(1);
            assertThat(queue.get("problem").isNull()).isTrue();
            assertThat(Files.readString(directory.resolve("data/dead-letters/queue.ndjson")))
                    .contains("\"kind\":\"name\"", "topic logs-local7: ");
            service.stop();
        }
        assertThat(values("logs-user")).contains("<9>user a1", "<9>user a2");
    }

    @Test
    void missingTopicsUseNoNames() throws Exception {
        try (Service service = service("topic: \"logs-{facility}\"", "maxNames: 2", "maxNewNames: 2")) {
            send(service, "<16>mail e1", "<24>daemon e2", "<32>auth e3", "<48>lpr e4", "<9>user e5");
            JsonNode queue = awaitSettled(service, 5);
            assertThat(queue.get("acked").asInt()).isEqualTo(1);
            assertThat(queue.get("deadLettered").asInt()).isEqualTo(4);
            service.stop();
        }
        assertThat(values("logs-user")).contains("<9>user e5");
    }

    @Test
    void brokerCreatesTopicsUpToTheLimit() throws Exception {
        try (KafkaBroker other = KafkaBroker.start(directory.resolve("kafka"), true)) {
            other.makeTopic("logs-fallback", 1);
            Service service = service(
                    other,
                    "topic: \"made-{facility}\"",
                    "maxNames: 2",
                    "maxNewNames: 2",
                    "fallbackTopic: logs-fallback");
            try (service) {
                send(service, "<16>mail f1", "<24>daemon f2", "<32>auth f3", "<16>mail f4");
                JsonNode queue = awaitSettled(service, 4);
                assertThat(queue.get("acked").asInt()).isEqualTo(4);
                assertThat(queue.get("adjusted").get("renamed").asInt()).isEqualTo(1);
                service.stop();
            }
            assertThat(other.endOffsets("logs-fallback")).isEqualTo(1);
        }
    }

    @Test
    void findsATopicCreatedLater() throws Exception {
        try (Service service = service("topic: \"later-{facility}\"", "properties: {metadata.max.age.ms: 3000}")) {
            send(service, "<9>user b1");
            assertThat(awaitSettled(service, 1).get("deadLettered").asInt()).isEqualTo(1);
            broker.makeTopic("later-user", 1);
            await().atMost(Duration.ofSeconds(20))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> {
                        send(service, "<9>user b2");
                        return delivered(service).get("acked").asInt() > 0;
                    });
            service.stop();
        }
        assertThat(values("later-user")).contains("<9>user b2");
    }

    @Test
    void sendsToTheFallbackTopicAndCounts() throws Exception {
        try (Service service =
                service("topic: \"logs-{hostname}\"", "fallbackTopic: logs-fallback", "maxNewNames: 5")) {
            List<String> messages = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                messages.add("<9>1 - evil" + i + " - - - - c" + i);
            }
            send(service, messages.toArray(String[]::new));
            JsonNode queue = awaitSettled(service, 50);
            assertThat(queue.get("acked").asInt()).isEqualTo(50);
            assertThat(queue.get("adjusted").get("renamed").asInt()).isEqualTo(50);
            service.stop();
        }
        assertThat(values("logs-fallback")).hasSize(50);
    }

    @Test
    void deletedTopicDelaysOthersOnlyBriefly() throws Exception {
        broker.makeTopic("gone-user", 1);
        broker.makeTopic("gone-kern", 1);
        try (Service service = service("topic: \"gone-{facility}\"", "properties: {request.timeout.ms: 5000}")) {
            send(service, "<9>user d1", "<1>kern d2");
            assertThat(awaitSettled(service, 2).get("acked").asInt()).isEqualTo(2);
            broker.deleteTopic("gone-user");
            send(service, "<9>user d3", "<1>kern d4");
            await().atMost(SOON).pollInterval(Duration.ofSeconds(1)).until(() -> {
                JsonNode queue = delivered(service);
                return queue.get("acked").asInt() == 3
                        && queue.get("deadLettered").asInt() == 1;
            });
            service.stop();
        }
        assertThat(values("gone-kern")).contains("<1>kern d4");
    }

    /** As the contract of the other outputs has it: {@code -Dmillrace.it.hostile=60} for a minute of each. */
    @Test
    void hostileMessagesDoNotStopOthers() throws Exception {
        long seed = Long.getLong("millrace.it.seed", System.nanoTime());
        System.err.println("seed " + seed + ", repeat with -Dmillrace.it.seed=" + seed);
        HostileMessages hostile = new HostileMessages(seed);
        Duration length = Duration.ofSeconds(Integer.getInteger("millrace.it.hostile", 2));
        broker.makeTopic("mixed-host", 1);
        int good = 0;
        int bad = 0;
        List<Long> settledNs = new ArrayList<>();
        try (Service service = service("topic: \"mixed-{hostname}\"", "maxNames: 50", "maxNewNames: 50");
                DatagramSocket socket = new DatagramSocket()) {
            // First without hostile messages; then up to three times with them, because a busy machine delays the
            // output too.
            do {
                long began = System.nanoTime();
                while (System.nanoTime() - began < length.toNanos()) {
                    for (int i = 0; i < 100; i++, good++) {
                        send(socket, service, ("<9>1 - host app - - - good n=" + good + ";").getBytes(UTF_8));
                    }
                    if (!settledNs.isEmpty()) {
                        send(socket, service, hostile.next("hostile " + bad + ";"));
                        bad++;
                    }
                    Thread.sleep(100);
                }
                long sent = System.nanoTime();
                awaitSettled(service, good + bad);
                settledNs.add(System.nanoTime() - sent);
            } while (settledNs.size() < 4 && leastWithHostile(settledNs) > settledNs.get(0) + length.toNanos() / 4);
            JsonNode queue = delivered(service);
            long refused = 0;
            for (JsonNode kind : queue.get("refused")) {
                refused += kind.asLong();
            }
            assertThat(queue.get("deadLettered").asLong()).isEqualTo(refused).isPositive();
            assertThat(queue.get("acked").asLong() + refused).isEqualTo(good + bad);
            System.err.printf(
                    "KafkaTopicIT: %d good, %d hostile messages; %s; settled in, first without them: %s ns%n",
                    good, bad, queue.get("refused"), settledNs);
            assertThat(leastWithHostile(settledNs)).isLessThanOrEqualTo(settledNs.get(0) + length.toNanos() / 4);
            service.stop();
        }
        Set<String> values = new HashSet<>(values("mixed-host"));
        for (int i = 0; i < good; i++) {
            assertThat(values.contains("<9>1 - host app - - - good n=" + i + ";"))
                    .as("n=" + i)
                    .isTrue();
        }
    }

    /** How long the output took to settle, after the first time; much if it never was sent hostile messages. */
    private static long leastWithHostile(List<Long> settledNs) {
        return settledNs.stream().skip(1).min(Long::compare).orElse(Long.MAX_VALUE);
    }
}
