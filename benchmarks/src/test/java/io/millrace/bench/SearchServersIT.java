package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Outputs in front of VictoriaLogs, which takes what five of them send. How many messages at which rate is set with
 * {@code -Dmillrace.it.messages=1000000 -Dmillrace.it.rate=100k}.
 */
@Tag("calm")
@Tag("once")
@Tag("full")
@Timeout(300)
class SearchServersIT {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final int MESSAGES = Integer.getInteger("millrace.it.messages", 20_000);
    private static final String RATE = System.getProperty("millrace.it.rate", "20k");

    @TempDir
    private static Path data;

    private static VictoriaLogs server;

    @TempDir
    private Path directory;

    @BeforeAll
    static void startServer() throws Exception {
        server = VictoriaLogs.start(data);
    }

    @AfterAll
    static void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    private Service service(String type, String path, String settings) throws Exception {
        Path file = Files.write(
                directory.resolve("millrace.yaml"),
                List.of(
                        "inputs: {" + type + ": {listen: '127.0.0.1:0'}}",
                        "outputs:",
                        "  out: {type: " + type + ", url: '" + server.url() + path + "'" + settings + "}"));
        return Service.startWith(directory.resolve("data"), "--config", file.toString());
    }

    private static void send(Service service) throws Exception {
        try (Forked sender =
                Forked.load("--to", service.target(), "--rate", RATE, "--count", Integer.toString(MESSAGES))) {
            assertThat(sender.awaitExit(SOON)).as("%s", sender.err()).isZero();
        }
    }

    private static JsonNode delivered(Service service) throws Exception {
        return service.ledger().at("/delivered/out");
    }

    private static void awaitDelivered(Service service) {
        await().atMost(SOON)
                .until(() -> delivered(service).get("pending").asLong() == 0
                        && delivered(service).get("acked").asLong() > 0);
    }

    /** The messages of an input in the server. */
    private static long count(String filter) throws Exception {
        return server.row(filter + " | stats count() n").get("n").asLong();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            victorialogs  | ``                    | ``                                                        | input:victorialogs
            elasticsearch | /insert/elasticsearch | ``                                                        | millrace.input:elasticsearch
            loki          | /insert               | `, labels: {job: loki}`                                   | job:loki
            otlp          | /insert/opentelemetry | ``                                                        | millrace.input:otlp
            """)
    void eachMessageIsThereOnce(String type, String path, String settings, String filter) throws Exception {
        try (Service service = service(type, path, settings)) {
            service.needsItsReceiveBuffer();
            send(service);
            awaitDelivered(service);
            JsonNode out = delivered(service);
            assertThat(out.get("acked").asLong()).isEqualTo(MESSAGES);
            assertThat(out.get("deadLettered").asLong()).isZero();
            service.stop();
        }
        await().atMost(SOON).untilAsserted(() -> assertThat(count(filter)).isEqualTo(MESSAGES));
    }

    /** Nothing is missing after a restart of the server in the middle; a request without an answer is there twice. */
    @Test
    void restartOfTheServerLosesNothing() throws Exception {
        try (Service service = service("victorialogs", "", ", streamFields: [input], headers: {X-Test: restart}")) {
            send(service);
            server.stop();
            send(service);
            server.start();
            awaitDelivered(service);
            assertThat(delivered(service).get("acked").asLong()).isEqualTo(2L * MESSAGES);
            service.stop();
        }
    }
}
