package io.millrace.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code dead-letters retry} and {@code drop} at a running service, whose HTTP server refuses messages for a while. */
@Tag("calm")
@Tag("once")
@Timeout(180)
class DeadLetterRetryIT {
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private final List<String> received = new CopyOnWriteArrayList<>();
    /** A message with this text is refused; with the status 503 it has to be sent again. */
    private volatile String refused = "bad";

    private volatile int status = 400;
    private HttpServer server;
    private Path config;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        config = directory.resolve("millrace.yaml");
        write("sink");
    }

    @AfterEach
    void end() {
        server.stop(0);
    }

    private void write(String output) throws IOException {
        Files.writeString(
                config,
                "inputs: {in: {listen: '127.0.0.1:0'}}\noutputs:\n  " + output
                        + ": {type: http, format: raw, compression: none, url: 'http://127.0.0.1:"
                        + server.getAddress().getPort() + "/'}\n");
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            boolean isBad = body.contains(refused);
            if (!isBad) {
                received.addAll(body.lines().toList());
            }
            exchange.sendResponseHeaders(isBad ? status : 204, -1);
        }
    }

    private static void send(Service service, String... messages) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            for (String message : messages) {
                byte[] bytes = message.getBytes(UTF_8);
                socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), service.port()));
            }
        }
    }

    private String retry(int exitCode, String... output) throws InterruptedException {
        return command(exitCode, "retry", output);
    }

    private String command(int exitCode, String command, String... output) throws InterruptedException {
        String[] args = new String[output.length + 4];
        System.arraycopy(
                new String[] {
                    "dead-letters", command, "--data", directory.resolve("data").toString()
                },
                0,
                args,
                0,
                4);
        System.arraycopy(output, 0, args, 4, output.length);
        try (Forked process = Forked.millrace(List.of(), args)) {
            assertThat(process.awaitExit(SOON)).as("%s", process.err()).isEqualTo(exitCode);
            return String.join("\n", process.out()) + String.join("\n", process.err());
        }
    }

    private static void awaitDelivered(Service service, int acked, int deadLettered) {
        await().atMost(SOON).until(() -> {
            JsonNode sink = service.ledger().at("/delivered/sink");
            return sink.get("acked").asInt() == acked
                    && sink.get("deadLettered").asInt() == deadLettered;
        });
    }

    @Test
    @Tag("full")
    void deliversDeadLettersOfARunningService() throws Exception {
        Path letters = directory.resolve("data/dead-letters/sink.ndjson");
        try (Service service = Service.startWith(directory.resolve("data"), "--config", config.toString())) {
            send(service, "<13>good 1", "<13>bad 2", "<13>good 3", "<13>bad 4");
            awaitDelivered(service, 2, 2);
            assertThat(letters).exists();

            // The cause is fixed for one of them.
            refused = "bad 4";
            assertThat(retry(1)).isEqualTo("sink: 1 delivered, 1 refused again, with the new reason");
            assertThat(Files.readAllLines(letters)).singleElement().asString().contains("\"sequence\":3");

            // The server is broken for a while.
            status = 503;
            assertThat(retry(1, "sink"))
                    .contains("sink: not done after 5 s, because the output waits: ", "HTTP 503", "continues with it");
            assertThat(Files.readAllLines(letters)).hasSize(1);
            refused = "nothing";
            await().atMost(SOON).until(() -> !Files.exists(letters));
            send(service, "<13>good 5");
            awaitDelivered(service, 3, 2);
            assertThat(received)
                    .containsExactlyInAnyOrder("<13>good 1", "<13>good 3", "<13>bad 2", "<13>bad 4", "<13>good 5");

            // The output has another name now.
            refused = "bad";
            status = 400;
            send(service, "<13>bad 6", "<13>good 7");
            awaitDelivered(service, 4, 3);
            write("other");
            service.process().signal("HUP");
            await().atMost(SOON).until(() -> service.ledger().at("/delivered").has("other"));
            assertThat(retry(1, "sink"))
                    .contains("there is no output 'sink'; the outputs are: other. Its dead letters stay");
            assertThat(letters).exists();
            assertThat(command(0, "drop", "sink")).contains("sink: 1 dead letters deleted");
            assertThat(letters).doesNotExist();
            JsonNode ledger = service.ledger();
            assertThat(ledger.get("received").asLong()).isEqualTo(7);
            assertThat(ledger.get("journaled").asLong()).isEqualTo(7);
            service.stop();
        }
    }
}
