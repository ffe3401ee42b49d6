package io.millrace.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.FreePort;
import io.millrace.collector.Counter;
import java.io.BufferedReader;
import java.io.RandomAccessFile;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * From the network to a file and to a real Kafka, whatever is killed on the way. How long Kafka is away is set with {@code
 * -Dmillrace.it.outage=3} (seconds), the rate meanwhile with {@code -Dmillrace.it.rate=20000}, how often the service is
 * killed with {@code -Dmillrace.it.kills=…}.
 */
@Tag("calm")
@Timeout(900)
class DeliveryIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int PARTITIONS = 4;
    private static final AtomicInteger TOPICS = new AtomicInteger();
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private static Path kafka;

    private static KafkaBroker broker;

    @TempDir
    private Path directory;

    /** Each test has a topic of its own. */
    private final String topic = "logs-" + TOPICS.incrementAndGet();

    @BeforeAll
    static void startBroker() throws Exception {
        broker = KafkaBroker.start(kafka);
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void makeTopic() throws Exception {
        broker.makeTopic(topic, PARTITIONS);
    }

    private Path data() {
        return directory.resolve("data");
    }

    private Path file() {
        return directory.resolve("all.ndjson");
    }

    /** Delivers to a file and to Kafka. */
    private Service service(int port) throws Exception {
        String config = """
                inputs:
                  syslog:
                    listen: 127.0.0.1:%d
                outputs:
                  archive:
                    type: file
                    path: %s
                  queue:
                    type: kafka
                    brokers: [%s]
                    topic: %s
                """.formatted(port, file(), broker.address(), topic);
        Path file = Files.writeString(directory.resolve("millrace.yaml"), config);
        return Service.startWith(data(), "--config", file.toString(), "--receivers", "1", "--transport", "epoll");
    }

    private static Forked sender(int port, int rate, int seconds) {
        return Forked.load(
                "--to",
                "127.0.0.1:" + port,
                "--rate",
                Integer.toString(rate),
                "--count",
                Integer.toString(rate * seconds),
                "--sources",
                "16",
                "--run",
                "d");
    }

    private static long pending(Service service, String output) throws Exception {
        return service.ledger().get("delivered").get(output).get("pending").asLong();
    }

    private static long acked(Service service) throws Exception {
        return service.ledger().get("delivered").get("queue").get("acked").asLong();
    }

    private void awaitDelivered(Service service) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> pending(service, "archive") == 0 && pending(service, "queue") == 0);
    }

    /** The lines of the file by sequence, as hash codes: each is whole, in order, and there once unless it may be there again. */
    private Map<Long, Integer> fileBySequence(boolean again) throws Exception {
        Map<Long, Integer> lines = new HashMap<>();
        assertThat(lastByte(file())).isEqualTo((byte) '\n');
        long expected = 0;
        try (BufferedReader reader = Files.newBufferedReader(file())) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                JsonNode node = JSON.readTree(line);
                long sequence = node.get("sequence").asLong();
                assertThat(node.get("shard").asInt()).isZero();
                if (again) {
                    assertThat(sequence).isLessThanOrEqualTo(expected);
                } else {
                    assertThat(sequence).isEqualTo(expected);
                }
                expected = Math.max(expected, sequence + 1);
                Integer before = lines.putIfAbsent(sequence, line.hashCode());
                assertThat(before).isIn(null, line.hashCode());
            }
        }
        return lines;
    }

    private static byte lastByte(Path file) throws Exception {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
            open.seek(open.length() - 1);
            return open.readByte();
        }
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        return new String(
                Objects.requireNonNull(record.headers().lastHeader(name), name).value(), UTF_8);
    }

    /** The records of the topic by sequence, as hash codes: all of one journal, within a partition in order, as often as they may be there. */
    private Map<Long, Integer> kafkaBySequence(boolean again) throws Exception {
        String journal = String.format(
                "%016x", io.millrace.journal.Journal.open(data()).meta().journalId());
        Map<Long, Integer> values = new HashMap<>();
        Map<Integer, Long> highest = new HashMap<>();
        AtomicInteger repeats = new AtomicInteger();
        broker.readAll(topic, record -> {
            assertThat(header(record, "millrace-journal")).isEqualTo(journal);
            assertThat(header(record, "millrace-shard")).isEqualTo("0");
            long sequence = Long.parseLong(header(record, "millrace-sequence"));
            int value = new String(record.value(), UTF_8).hashCode();
            Integer before = values.putIfAbsent(sequence, value);
            if (before == null) {
                assertThat(sequence)
                        .as("within partition %d", record.partition())
                        .isGreaterThan(highest.getOrDefault(record.partition(), -1L));
                highest.put(record.partition(), sequence);
            } else {
                assertThat(before).isEqualTo(value);
                repeats.incrementAndGet();
            }
        });
        if (again) {
            System.err.println("DeliveryIT: in Kafka a second time: " + repeats + " of " + values.size());
        } else {
            assertThat(repeats.get()).as("records that are there twice").isZero();
        }
        return values;
    }

    private static void assertSame(Map<Long, Integer> file, Map<Long, Integer> kafka, long journaled) {
        assertThat(file).hasSize((int) journaled);
        assertThat(kafka).hasSize((int) journaled);
        file.forEach((sequence, line) -> assertThat(kafka.get(sequence)).isEqualTo(line));
    }

    @Test
    void everythingIsInTheFileAndInKafka() throws Exception {
        int port = FreePort.next();
        try (Service service = service(port);
                Forked sender = sender(port, 10_000, 3)) {
            service.needsItsReceiveBuffer();
            assertThat(sender.awaitExit(PATIENCE)).isZero();
            awaitDelivered(service);
            service.stop();
            assertThat(String.join("\n", service.process().err()))
                    .contains("output archive: acknowledged 30000,", "output queue: acknowledged 30000,");
        }
        Map<Long, Integer> file = fileBySequence(false);
        assertSame(file, kafkaBySequence(false), 30_000);
        broker.readAll(topic, record -> {
            JsonNode node = JSON.readTree(record.value());
            assertThat(new String(record.key(), UTF_8))
                    .isEqualTo(node.get("source_ip").asText());
            assertThat(node.get("input").asText()).isEqualTo("syslog");
        });
    }

    @Test
    @Tag("once")
    @Tag("full")
    void outageOfKafkaDelaysOnlyKafka() throws Exception {
        int seconds = Integer.getInteger("millrace.it.outage", 3);
        int rate = Integer.getInteger("millrace.it.rate", 20_000);
        int port = FreePort.next();
        long worst = 0;
        try (Service service = service(port);
                Forked sender = sender(port, rate, seconds + 3)) {
            service.needsItsReceiveBuffer();
            await().atMost(PATIENCE).until(() -> Service.counter(data(), Counter.RECEIVED_DATAGRAMS) > 2L * rate);
            broker.kill();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            while (System.nanoTime() < end) {
                Thread.sleep(100);
                worst = Math.max(worst, pending(service, "archive"));
            }
            assertThat(pending(service, "queue")).isGreaterThan((long) rate * seconds / 2);
            broker.start();
            assertThat(sender.awaitExit(PATIENCE)).isZero();
            awaitDelivered(service);
            assertThat(service.ledger().get("dropped").get("socketBuffer").asLong())
                    .isZero();
            service.stop();
        }
        System.err.println("DeliveryIT: most pending for the file while Kafka was away: " + worst);
        assertThat(worst).as("pending for the file while Kafka was away").isLessThan(2L * rate);
        long journaled = Service.counter(data(), Counter.JOURNALED_DATAGRAMS);
        assertThat(journaled).isEqualTo((long) rate * (seconds + 3));
        assertSame(fileBySequence(false), kafkaBySequence(true), journaled);
    }

    @Test
    @Tag("once")
    void stopsWithoutErrorWhileNoBrokerAnswers() throws Exception {
        int port = FreePort.next();
        Path config = Files.writeString(
                directory.resolve("away.yaml"),
                "outputs: {queue: {type: kafka, brokers: ['127.0.0.1:1'], topic: t}}\n");
        try (Service service = Service.startWith(
                data(), "--config", config.toString(), "--listen", "127.0.0.1:" + port, "--transport", "epoll")) {
            try (Forked sender = sender(port, 1000, 1)) {
                assertThat(sender.awaitExit(PATIENCE)).isZero();
            }
            await().atMost(PATIENCE).until(() -> pending(service, "queue") == 1000);
            service.stop();
            assertThat(service.process().err()).noneMatch(line -> line.contains(" ERROR "));
        }
    }

    @Test
    @Tag("once")
    @Tag("full")
    void killsOfTheServiceLoseNothingThatIsJournaled() throws Exception {
        int kills = Integer.getInteger("millrace.it.kills", 3);
        long seed = Long.getLong("millrace.it.seed", System.nanoTime());
        Random random = new Random(seed);
        System.err.println("DeliveryIT: " + kills + " kills, seed " + seed);
        int port = FreePort.next();
        try (Forked sender = sender(port, 10_000, 600)) {
            for (int kill = 0; kill < kills; kill++) {
                try (Service service = service(port)) {
                    // A kill before Kafka has had anything would show nothing.
                    long before = acked(service);
                    await().atMost(PATIENCE).until(() -> acked(service) > before);
                    Thread.sleep(random.nextInt(1500));
                    service.process().signal("KILL");
                    service.process().awaitExit(PATIENCE);
                }
            }
            assertThat(sender.isAlive()).isTrue();
        }
        try (Service service = service(port)) {
            awaitDelivered(service);
            service.stop();
        }
        long journaled = Service.counter(data(), Counter.JOURNALED_DATAGRAMS);
        assertSame(fileBySequence(true), kafkaBySequence(true), journaled);
    }

    @Test
    @Tag("once")
    void messagesOfOneDatagramHaveDifferentParts() throws Exception {
        int port = FreePort.next();
        Path config = Files.writeString(
                directory.resolve("millrace.yaml"),
                String.join(
                        "\n",
                        "inputs: {many: {listen: '127.0.0.1:" + port + "', splitLines: on}}",
                        "outputs:",
                        "  archive: {type: file, path: " + file() + ", fields: on}",
                        "  queue: {type: kafka, brokers: ['" + broker.address() + "'], topic: " + topic + "}",
                        ""));
        String[] payloads = {"<13>a: one\n<13>a: two\r\n", "CEF:0|v|p|1|1|n|5|act=deny\n"};
        try (Service service = Service.startWith(data(), "--config", config.toString(), "--receivers", "1");
                DatagramSocket socket = new DatagramSocket()) {
            for (String payload : payloads) {
                socket.send(new DatagramPacket(
                        payload.getBytes(UTF_8),
                        payload.length(),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
            }
            await().atMost(PATIENCE)
                    .until(() -> service.ledger().get("journaled").asLong() == 2);
            awaitDelivered(service);
            service.stop();
            assertThat(String.join("\n", service.process().err()))
                    .contains("output archive: acknowledged 2,", "output queue: acknowledged 2,");
        }
        List<String> lines = Files.readAllLines(file());
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0)).contains("\"message\":\"one\"", "\"sequence\":0,\"part\":0,");
        assertThat(lines.get(1)).contains("\"message\":\"two\"", "\"sequence\":0,\"part\":1,");
        assertThat(lines.get(2)).contains("\"fields\":{\"act\":\"deny\"}").doesNotContain("part");
        List<String> found = new ArrayList<>();
        broker.readAll(topic, record -> {
            var part = record.headers().lastHeader("millrace-part");
            found.add(
                    header(record, "millrace-sequence") + (part == null ? "" : "-" + new String(part.value(), UTF_8)));
        });
        assertThat(found).containsExactlyInAnyOrder("0-0", "0-1", "1");
        assertThat(read("--format", "{part} {message}")).hasSize(2);
        assertThat(read("--split-lines", "--format", "{part} {message}", "--limit", "2"))
                .containsExactly("0 one", "1 two");
        assertThat(read("--split-lines", "--format", "{part} {message}", "--limit", "1"))
                .containsExactly("0 one");
        assertThat(read("--fields", "--format", "json", "--where", "fields.act == \"deny\""))
                .singleElement()
                .asString()
                .contains("\"fields\":{\"act\":\"deny\"}");
    }

    private List<String> read(String... options) throws InterruptedException {
        List<String> args = new ArrayList<>(List.of("read", "--data", data().toString()));
        args.addAll(List.of(options));
        try (Forked process = Forked.millrace(List.of(), args.toArray(String[]::new))) {
            assertThat(process.awaitExit(PATIENCE)).as("%s", process.err()).isZero();
            return process.out();
        }
    }

    @Test
    @Tag("once")
    @Tag("full")
    void consumerGroupSharesTheMessagesOfTwoCollectors() throws Exception {
        List<Service> services = new ArrayList<>();
        // The example of docs/operate/delivery.md: any number of collectors, any number of consumers.
        Path config = Files.writeString(
                directory.resolve("millrace.yaml"),
                String.join(
                        "\n",
                        "outputs:",
                        "  queue:",
                        "    type: kafka",
                        "    brokers: [" + broker.address() + "]",
                        "    topic: " + topic,
                        "    key: none",
                        ""));
        try (var one = broker.consumer("analysis");
                var two = broker.consumer("analysis")) {
            one.subscribe(List.of(topic));
            two.subscribe(List.of(topic));
            await().atMost(PATIENCE).pollInSameThread().until(() -> {
                one.poll(Duration.ofMillis(100));
                two.poll(Duration.ofMillis(100));
                return one.assignment().size() == 2 && two.assignment().size() == 2;
            });
            for (int i = 0; i < 2; i++) {
                services.add(Service.start(
                        List.of(),
                        directory.resolve("data-" + i),
                        "--config",
                        config.toString(),
                        "--transport",
                        "epoll"));
                services.get(services.size() - 1).needsItsReceiveBuffer();
            }
            for (Service service : services) {
                try (Forked sender = sender(service.port(), 10_000, 1)) {
                    assertThat(sender.awaitExit(PATIENCE)).isZero();
                }
            }
            Map<String, Integer> found = new HashMap<>();
            int[] share = new int[2];
            await().atMost(PATIENCE).pollInSameThread().until(() -> {
                for (var consumer : List.of(one, two)) {
                    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                        found.merge(
                                header(record, "millrace-journal") + ":" + header(record, "millrace-sequence"),
                                1,
                                Integer::sum);
                        share[consumer == one ? 0 : 1]++;
                    }
                }
                return found.size() == 20_000;
            });
            assertThat(found.values()).containsOnly(1);
            assertThat(share[0]).isPositive();
            assertThat(share[1]).isPositive();
        } finally {
            services.forEach(Service::close);
        }
    }
}
