package io.millrace.bench;

import io.millrace.FreePort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A Kafka broker, controller included, in a process of its own, that keeps its port and its data over a kill. Several may be a cluster. */
final class KafkaBroker implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);

    private final Path directory;
    private final int id;
    private final int port = FreePort.next();
    private final int controllerPort = FreePort.next();
    private Forked process;

    private KafkaBroker(Path directory, int id) throws IOException {
        this.directory = Files.createDirectories(directory);
        this.id = id;
    }

    /** Makes a broker in a directory and starts it. */
    static KafkaBroker start(Path directory) throws Exception {
        return start(directory, false);
    }

    /** The same with or without topics that are made when somebody asks for them. */
    static KafkaBroker start(Path directory, boolean makesTopics) throws Exception {
        KafkaBroker broker = new KafkaBroker(directory, 1);
        broker.format(List.of(broker), makesTopics);
        broker.start();
        return broker;
    }

    /** Starts a cluster. Each topic has a copy on every broker, and a record is acknowledged when two have it. */
    static List<KafkaBroker> startCluster(Path directory, int count) throws Exception {
        List<KafkaBroker> brokers = new ArrayList<>();
        for (int id = 1; id <= count; id++) {
            brokers.add(new KafkaBroker(directory.resolve("broker-" + id), id));
        }
        for (KafkaBroker broker : brokers) {
            broker.format(brokers, false);
            broker.launch();
        }
        for (KafkaBroker broker : brokers) {
            broker.awaitAnswer(count);
        }
        return brokers;
    }

    private void format(List<KafkaBroker> cluster, boolean makesTopics) throws Exception {
        int copies = cluster.size();
        Files.writeString(
                configuration(),
                String.join(
                        "\n",
                        "process.roles=broker,controller",
                        "node.id=" + id,
                        "controller.quorum.voters="
                                + cluster.stream()
                                        .map(each -> each.id + "@127.0.0.1:" + each.controllerPort)
                                        .collect(Collectors.joining(",")),
                        "listeners=PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort,
                        "controller.listener.names=CONTROLLER",
                        "log.dirs=" + directory.resolve("log"),
                        "auto.create.topics.enable=" + makesTopics,
                        "log.retention.check.interval.ms=10000",
                        // After a kill, the controller takes a broker back when the session of the old one has ended.
                        "broker.session.timeout.ms=3000",
                        "broker.heartbeat.interval.ms=500",
                        "min.insync.replicas=" + Math.min(2, copies),
                        "offsets.topic.replication.factor=" + copies,
                        "offsets.topic.num.partitions=1",
                        "transaction.state.log.replication.factor=" + copies,
                        "transaction.state.log.min.isr=" + Math.min(2, copies),
                        "group.initial.rebalance.delay.ms=0",
                        ""));
        var said = new ByteArrayOutputStream();
        String[] format = {
            "format",
            "--cluster-id",
            "bWlsbHJhY2UtLS0tLS0tLQ",
            "--config",
            configuration().toString()
        };
        if (StorageTool.execute(format, new PrintStream(said)) != 0) {
            throw new AssertionError("the broker's storage cannot be made: " + said);
        }
    }

    private Path configuration() {
        return directory.resolve("server.properties");
    }

    private List<String> command(String main, String... args) {
        List<String> command = Forked.java();
        String tests = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        command.addAll(List.of("-Xmx512m", "-cp", tests, main));
        command.addAll(List.of(args));
        return command;
    }

    /** Starts it, and waits until it answers. */
    void start() throws Exception {
        launch();
        awaitAnswer(1);
    }

    private void launch() throws Exception {
        process = Forked.start(command("kafka.Kafka", configuration().toString()));
    }

    /** Waits until it knows so many brokers. */
    private void awaitAnswer(int brokers) throws Exception {
        long end = System.nanoTime() + START.toNanos();
        while (true) {
            try (Admin admin = admin()) {
                if (admin.describeCluster().nodes().get(5, TimeUnit.SECONDS).size() >= brokers) {
                    return;
                }
                TimeUnit.MILLISECONDS.sleep(100);
            } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
                if (System.nanoTime() > end || !process.isAlive()) {
                    throw new AssertionError("the broker does not answer", e);
                }
            }
        }
    }

    /** {@code kill -9}. */
    void kill() throws Exception {
        process.signal("KILL");
        process.awaitExit(START);
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    private Admin admin() {
        return Admin.create(Map.of(
                "bootstrap.servers", address(), "request.timeout.ms", "30000", "default.api.timeout.ms", "30000"));
    }

    void makeTopic(String name, int partitions) throws Exception {
        makeTopic(new NewTopic(name, partitions, (short) 1));
    }

    /** A topic that keeps a quarter of a GiB of each partition: for more than a disk has room for. */
    void makeShortTopic(String name, int partitions) throws Exception {
        makeTopic(new NewTopic(name, partitions, (short) 1)
                .configs(Map.of("retention.bytes", "268435456", "segment.bytes", "67108864")));
    }

    /** A topic with a copy on each of three brokers. */
    void makeReplicatedTopic(String name, int partitions) throws Exception {
        makeTopic(new NewTopic(name, partitions, (short) 3));
    }

    /** A topic that takes no longer records than this. */
    void makeSmallTopic(String name, int maxBytes) throws Exception {
        makeTopic(new NewTopic(name, 1, (short) 1).configs(Map.of("max.message.bytes", Integer.toString(maxBytes))));
    }

    /** A signal to its process. */
    void signal(String name) throws Exception {
        process.signal(name);
    }

    void deleteTopic(String name) throws Exception {
        try (Admin admin = admin()) {
            admin.deleteTopics(List.of(name)).all().get(30, TimeUnit.SECONDS);
        }
    }

    private void makeTopic(NewTopic topic) throws Exception {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(topic)).all().get(30, TimeUnit.SECONDS);
        }
    }

    /** A consumer of a group of its own. */
    KafkaConsumer<byte[], byte[]> consumer(String group) {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        address(),
                        "group.id",
                        group,
                        "auto.offset.reset",
                        "earliest",
                        "max.poll.records",
                        "5000"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    /** Looks at a record. */
    interface Reader {
        void read(ConsumerRecord<byte[], byte[]> record) throws Exception;
    }

    /** How many records a topic has had. */
    long endOffsets(String topic) {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer("ends")) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
            return consumer.endOffsets(partitions).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
        }
    }

    /** Reads everything in a topic now, each partition in its order. */
    void readAll(String topic, Reader reader) throws Exception {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer("reader")) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = new HashMap<>(consumer.endOffsets(partitions));
            Set<TopicPartition> open = new HashSet<>(partitions);
            open.removeIf(partition -> ends.get(partition) == 0);
            while (!open.isEmpty()) {
                ConsumerRecords<byte[], byte[]> some = consumer.poll(Duration.ofSeconds(1));
                for (ConsumerRecord<byte[], byte[]> record : some) {
                    reader.read(record);
                }
                open.removeIf(partition -> consumer.position(partition) >= ends.get(partition));
            }
        }
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }
}
