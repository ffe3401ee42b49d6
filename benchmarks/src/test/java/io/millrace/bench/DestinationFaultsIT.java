package io.millrace.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.TestCertificate;
import io.millrace.bench.FaultyServers.Fault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The table "Failures of a destination" of {@code docs/operate/delivery.md}: each row is a fault of all destinations at once, each cell says what
 * becomes of an output. After the fault everything that waits is delivered, and no good message is missing.
 */
@Tag("calm")
@Tag("once")
@Timeout(300)
@Tag("full")
class DestinationFaultsIT {
    private static final Path PAGE = Path.of("../docs/operate/delivery.md");
    private static final String HEAD = "| fault |";
    private static final Duration SOON = Duration.ofSeconds(25);
    private static final AtomicInteger TOPICS = new AtomicInteger();

    @TempDir
    private static Path kafka;

    private static KafkaBroker broker;

    @TempDir
    private static Path certificates;

    private static TestCertificate certificate;

    @TempDir
    private Path directory;

    private final String topic = "faults-" + TOPICS.incrementAndGet();
    private FaultyServers servers;
    private StdoutReader stdout;
    private Path logs;
    private int sent;

    @BeforeAll
    static void startBroker() throws Exception {
        certificate = new TestCertificate(certificates, "server", "IP:127.0.0.1");
        broker = KafkaBroker.start(kafka);
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void open() throws Exception {
        Needs.root("mount a small tmpfs");
        logs = Files.createDirectories(directory.resolve("logs"));
        Needs.that(run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", logs.toString()), "no tmpfs can be mounted");
        servers = new FaultyServers(certificate.server(certificate));
        broker.makeSmallTopic(topic, 2000);
    }

    @AfterEach
    void close() throws Exception {
        servers.close();
        stdout.close();
        assertThat(run("umount", "-l", logs.toString())).isTrue();
    }

    /** The rows of the table: a fault, and what becomes of each output. */
    static Stream<Map<String, String>> rows() throws IOException {
        List<String> lines = Files.readAllLines(PAGE);
        int head = lines.indexOf(
                lines.stream().filter(line -> line.startsWith(HEAD)).findFirst().orElseThrow());
        List<String> outputs = cells(lines.get(head));
        List<Map<String, String>> rows = new ArrayList<>();
        for (String line : lines.subList(head + 2, lines.size())) {
            if (!line.startsWith("|")) {
                break;
            }
            Map<String, String> row = new LinkedHashMap<>();
            List<String> cells = cells(line);
            for (int i = 0; i < outputs.size(); i++) {
                row.put(outputs.get(i), cells.get(i));
            }
            rows.add(row);
        }
        assertThat(rows).hasSizeGreaterThan(8);
        return rows.stream();
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.substring(1).split("\\|"))
                .map(cell -> cell.strip().replace("`", ""))
                .toList();
    }

    private Service service(String fault) throws Exception {
        stdout = fault.equals("its disk is full")
                ? StdoutReader.ofFile(logs.resolve("stdout.log"))
                : StdoutReader.ofPipe(directory);
        String url = "http://127.0.0.1:" + servers.httpPort();
        String config = String.join(
                "\n",
                "outputs:",
                "  file: {type: file, path: \"" + out() + "/{hostname}.log\", format: raw}",
                "  kafka: {type: kafka, brokers: [" + broker.address() + "], topic: " + topic + ", format: raw,"
                        + " compression: none, properties: {request.timeout.ms: 3000, reconnect.backoff.max.ms: 500}}",
                "  http: {type: http, url: \"" + url + "/in\", timeout: 5s}",
                "  elasticsearch: {type: elasticsearch, url: \"" + url + "\", timeout: 5s}",
                "  loki: {type: loki, url: \"" + url + "\", timeout: 5s}",
                "  tcp: {type: syslog, host: 127.0.0.1, port: " + servers.tcpPort()
                        + ", framing: line-feed, maxMessage: 1K}",
                "  tls: {type: syslog, transport: tls, host: 127.0.0.1, port: " + servers.tlsPort()
                        + ", framing: line-feed, maxMessage: 1K, caFile: \"" + certificate.certificateFile() + "\"}",
                "  udp: {type: syslog, transport: udp, host: 127.0.0.1, port: " + servers.udpPort()
                        + ", maxMessage: 1K}",
                "  stdout: {type: stdout, format: raw}",
                "");
        Path file = Files.writeString(directory.resolve("millrace.yaml"), config);
        List<String> shell = List.of("sh", "-c", "exec \"$@\" >>" + stdout.path(), "sh");
        return Service.start(shell, directory.resolve("data"), "--config", file.toString());
    }

    private void send(Service service, String message) {
        byte[] bytes = message.getBytes(UTF_8);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), service.port()));
            sent++;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void sendGood(Service service, int from, int to) {
        for (int i = from; i < to; i++) {
            send(service, "<34>1 2026-11-21T10:00:00Z good app - - - n=" + i + ";");
        }
    }

    private Path out() {
        return logs.resolve("out");
    }

    private String written() throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.walk(out())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                text.append(Files.readString(file));
            }
        }
        return text.toString();
    }

    private static JsonNode status(Service service, String output) {
        try {
            return service.ledger().get("delivered").get(output);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @MethodSource("rows")
    void tableOfThePageIsTrue(Map<String, String> row) throws Exception {
        String fault = row.get("fault");
        try (Service service = service(fault)) {
            sendGood(service, 0, 5);
            awaitAll(service, row);
            Files.createDirectories(out().resolve("bad.log"));
            begin(fault, service);
            sendGood(service, 5, 10);
            send(service, "<34>1 2026-11-21T10:00:00Z bad app - - - refuse-me " + "x".repeat(3000));
            sendGood(service, 10, 15);
            for (Map.Entry<String, String> cell : row.entrySet()) {
                if (!cell.getKey().equals("fault") && !cell.getValue().equals("\u2013")) {
                    awaitOutcome(service, cell.getKey(), cell.getValue());
                }
            }
            end(fault, service);
            awaitAll(service, row);
            for (int i = 0; i < 15; i++) {
                String mark = "n=" + i + ";";
                assertThat(written()).contains(mark);
                stdout.await(mark);
                for (String server : List.of("http", "elasticsearch", "loki", "tcp", "tls", "udp")) {
                    assertThat(servers.text(server)).as(server).contains(mark);
                }
            }
            List<String> values = new ArrayList<>();
            broker.readAll(topic, record -> values.add(new String(record.value(), UTF_8)));
            assertThat(values.stream().filter(value -> value.contains(" good ")))
                    .hasSizeGreaterThanOrEqualTo(15);
        }
    }

    /** Waits until an output stands as the table says. */
    private void awaitOutcome(Service service, String output, String outcome) {
        try {
            await().atMost(SOON)
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> isAt(status(service, output), outcome));
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(output + " should be at '" + outcome + "': " + status(service, output), e);
        }
    }

    private boolean isAt(JsonNode status, String outcome) {
        long pending = status.get("pending").asLong();
        long letters = status.get("deadLettered").asLong();
        JsonNode adjusted = status.get("adjusted");
        return switch (outcome) {
            case "waits" ->
                pending > 0 && letters == 0 && !status.get("problem").isNull();
            case "goes on" -> pending == 0 && letters == 0;
            // It depends on whether a connection is open.
            case "waits or goes on" ->
                letters == 0 && (pending == 0 || !status.get("problem").isNull());
            case "dead letter" -> pending == 0 && letters == 1;
            case "other name" ->
                pending == 0 && letters == 0 && adjusted.get("renamed").asInt() == 1;
            case "truncated" ->
                pending == 0 && letters == 0 && adjusted.get("truncated").asInt() == 1;
            default -> throw new AssertionError("the table has no outcome '" + outcome + "'");
        };
    }

    private void awaitAll(Service service, Map<String, String> row) {
        for (String output : row.keySet()) {
            if (!output.equals("fault")) {
                try {
                    await().atMost(SOON).pollInterval(Duration.ofMillis(100)).until(() -> {
                        JsonNode status = status(service, output);
                        return status.get("acked").asInt()
                                                + status.get("deadLettered").asInt()
                                        == sent
                                && status.get("problem").isNull();
                    });
                } catch (ConditionTimeoutException e) {
                    throw new AssertionError(output + " of " + sent + ": " + status(service, output), e);
                }
            }
        }
    }

    private void begin(String fault, Service service) throws Exception {
        switch (fault) {
            case "refuses one message" -> servers.set(Fault.REFUSES_ONE);
            case "refuses everything" -> servers.set(Fault.REFUSES_ALL);
            case "is slow" -> {
                servers.set(Fault.SLOW);
                stdout.signal("STOP");
                broker.signal("STOP");
            }
            case "is away" -> {
                servers.set(Fault.AWAY);
                broker.signal("KILL");
                stdout.await("n=4;");
                stdout.signal("KILL");
                Files.move(out(), logs.resolve("away"));
                Files.writeString(out(), "in the way");
            }
            case "answers garbage" -> servers.set(Fault.GARBAGE);
            case "answers without end" -> servers.set(Fault.ENDLESS);
            case "its disk is read-only" -> {
                // For whoever opens a file from now on, as a file system that has met an error is.
                assertThat(run("mount", "--bind", out().toString(), out().toString()))
                        .isTrue();
                assertThat(run("mount", "-o", "remount,bind,ro", out().toString()))
                        .isTrue();
            }
            case "its disk is full" -> fill();
            case "the service has no descriptors left" -> {
                Needs.program("prlimit");
                assertThat(run("prlimit", "--pid", pid(service), "--nofile=3:")).isTrue();
                servers.drop();
                Files.move(out().resolve("good.log"), out().resolve("old.log"));
                // An open file is looked for every second.
                Thread.sleep(1100);
            }
            default -> throw new AssertionError("the table has no fault '" + fault + "'");
        }
    }

    private static String pid(Service service) {
        return Long.toString(service.process().pid());
    }

    private void fill() throws IOException {
        byte[] block = new byte[4096];
        try (var ballast = Files.newOutputStream(logs.resolve("ballast"))) {
            while (true) {
                ballast.write(block);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
    }

    private void end(String fault, Service service) throws Exception {
        switch (fault) {
            case "is slow" -> {
                broker.signal("CONT");
                stdout.signal("CONT");
            }
            case "is away" -> {
                broker.start();
                stdout.start();
                Files.delete(out());
                Files.move(logs.resolve("away"), out());
            }
            case "its disk is read-only" ->
                assertThat(run("umount", out().toString())).isTrue();
            case "its disk is full" -> Files.delete(logs.resolve("ballast"));
            case "the service has no descriptors left" ->
                assertThat(run("prlimit", "--pid", pid(service), "--nofile=4096:"))
                        .isTrue();
            default -> {
                // Only the servers were at fault.
            }
        }
        servers.set(Fault.NONE);
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
    }
}
