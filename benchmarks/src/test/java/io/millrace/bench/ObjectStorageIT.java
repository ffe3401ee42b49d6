package io.millrace.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.FreePort;
import io.millrace.collector.Counter;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The output {@code s3} in front of a real server, which checks signatures, whatever is killed. */
@Tag("calm")
@Tag("once")
@Timeout(180)
class ObjectStorageIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int HOSTS = 4;
    private static final Pattern KEY = Pattern.compile(
            "a/\\d{4}-\\d\\d-\\d\\d/(?<host>h\\d)/\\d{8}T\\d{6}Z-[a-z]+-[0-9a-f]{16}-0-(?<first>\\d+)-(?<last>\\d+)-[0-9a-f]{8}\\.ndjson\\.gz");
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    private S3Server server;
    private int port;
    private int sent;

    @BeforeEach
    void open() throws Exception {
        server = S3Server.start(Files.createDirectories(directory.resolve("s3")), "logs");
        port = FreePort.next();
    }

    @AfterEach
    void close() {
        server.close();
    }

    private Path config(String secretKey, String batch) throws IOException {
        return Files.writeString(
                directory.resolve("millrace.yaml"),
                String.join(
                        "\n",
                        "inputs: {in: {listen: '127.0.0.1:" + port + "'}}",
                        "outputs:",
                        "  archive:",
                        "    type: s3",
                        "    endpoint: " + server.url(),
                        "    bucket: logs",
                        "    prefix: 'a/{date}/{hostname}/'",
                        "    accessKey: " + S3Server.ACCESS_KEY,
                        "    secretKey: " + secretKey,
                        "    batch: " + batch,
                        ""));
    }

    private Service service(Path config) throws InterruptedException {
        return Service.startWith(
                directory.resolve("data"), "--config", config.toString(), "--receivers", "1", "--transport", "nio");
    }

    /** Sends messages, and waits until all are journaled, so that a kill takes none of them. */
    private void send(Service service, int count) throws Exception {
        try (DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < count; i++) {
                String text = "<13>1 - h" + sent % HOSTS + " app - - - n=" + sent + "; some words of a message";
                byte[] bytes = text.getBytes(UTF_8);
                socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), port));
                sent++;
                if (i % 200 == 199) {
                    TimeUnit.MILLISECONDS.sleep(1);
                }
            }
        }
        await().atMost(SOON)
                .until(() -> Service.counter(directory.resolve("data"), Counter.JOURNALED_DATAGRAMS) == sent);
        assertThat(service.process().isAlive()).isTrue();
    }

    private static JsonNode delivered(Service service) throws Exception {
        return service.ledger().at("/delivered/archive");
    }

    private static void awaitDelivered(Service service) {
        await().atMost(SOON).until(() -> delivered(service).get("pending").asLong() == 0);
    }

    /**
     * Each message is in an object under its identity, with the same text wherever it is repeated, and the key says what is in the object.
     *
     * @return how often messages are repeated
     */
    private int assertEachMessageIsThere() throws Exception {
        Map<Long, String> byIdentity = new TreeMap<>();
        int lines = 0;
        for (Map.Entry<String, List<String>> object : server.objects("logs").entrySet()) {
            Matcher key = KEY.matcher(object.getKey());
            assertThat(key.matches()).as(object.getKey()).isTrue();
            long before = -1;
            for (String line : object.getValue()) {
                JsonNode json = JSON.readTree(line);
                long sequence = json.get("sequence").asLong();
                String text = json.get("message").asText();
                assertThat(sequence).as("order in %s", object.getKey()).isGreaterThan(before);
                assertThat(before == -1 ? Long.toString(sequence) : key.group("first"))
                        .isEqualTo(key.group("first"));
                assertThat(json.get("hostname").asText()).isEqualTo(key.group("host"));
                assertThat(byIdentity.merge(sequence, text, (one, other) -> other))
                        .isEqualTo(text);
                before = sequence;
                lines++;
            }
            assertThat(Long.toString(before)).isEqualTo(key.group("last"));
        }
        assertThat(byIdentity.keySet()).hasSize(sent).contains(0L, sent - 1L);
        for (int n = 0; n < sent; n++) {
            assertThat(byIdentity.get((long) n)).startsWith("n=" + n + "; ");
        }
        return lines - sent;
    }

    @Test
    @Tag("full")
    void outageOfTheServerLosesAndRepeatsNoMessage() throws Exception {
        try (Service service = service(config(S3Server.SECRET_KEY, "{bytes: 128K, linger: 2s}"))) {
            send(service, 1);
            awaitDelivered(service);
            send(service, 5_000);
            server.kill();
            send(service, 3_000);
            await().atMost(SOON).until(() -> problem(service).endsWith("/logs: the connection was refused"));
            server.start();
            awaitDelivered(service);
            assertThat(delivered(service).get("deadLettered").asLong()).isZero();
            service.stop();
        }
        assertThat(assertEachMessageIsThere()).isZero();
    }

    /** Messages that wait for the age of their object, or are on their way, are put after the next start. */
    @Test
    @Tag("full")
    void killsOfTheServiceLoseNoMessage() throws Exception {
        Path config = config(S3Server.SECRET_KEY, "{bytes: 64K, linger: 6s}");
        for (int kill = 0; kill < 3; kill++) {
            try (Service service = service(config)) {
                send(service, 2_000);
                if (kill == 1) {
                    // Long enough for some of it to be put, and its position to be saved.
                    TimeUnit.MILLISECONDS.sleep(1_200);
                }
                // Too few for an object.
                send(service, 5);
                assertThat(delivered(service).get("pending").asLong()).isPositive();
                service.process().signal("KILL");
                service.process().awaitExit(SOON);
            }
        }
        try (Service service = service(config)) {
            send(service, 100);
            awaitDelivered(service);
            assertThat(problem(service)).isEqualTo("null");
            service.stop();
        }
        System.err.println("ObjectStorageIT: " + assertEachMessageIsThere() + " of " + sent + " messages are repeated");
    }

    @Test
    @Tag("full")
    void wrongSecretIsAProblemWithinSecondsAndIsNotShown() throws Exception {
        String wrong = "wrong-words-of-a-test";
        try (Service service = service(config(wrong, "{linger: 1h}"))) {
            send(service, 10);
            await().atMost(Duration.ofSeconds(10))
                    .until(
                            () -> problem(service)
                                    .contains(
                                            "/logs: HTTP 403 SignatureDoesNotMatch: secretKey does not belong to accessKey: correct it"));
            assertThat(service.get("/api/status").body()).doesNotContain(wrong);
            assertThat(server.objects("logs")).isEmpty();

            config(S3Server.SECRET_KEY, "{linger: 1h}");
            service.process().signal("HUP");
            awaitDelivered(service);
            assertThat(delivered(service).get("deadLettered").asLong()).isZero();
            // These wait for an hour, or for the stop.
            send(service, 10);
            TimeUnit.MILLISECONDS.sleep(1_500);
            assertThat(delivered(service).get("pending").asLong()).isEqualTo(10);
            service.stop();
            assertThat(String.join("\n", service.process().err())).doesNotContain(wrong, S3Server.SECRET_KEY);
        }
        assertThat(assertEachMessageIsThere()).isZero();
    }

    private static String problem(Service service) throws Exception {
        return delivered(service).get("problem").asText();
    }
}
