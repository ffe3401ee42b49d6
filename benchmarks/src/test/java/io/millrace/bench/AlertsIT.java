package io.millrace.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.millrace.FreePort;
import io.millrace.TestCertificate;
import java.io.IOException;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each alert, begun and ended for real: a webhook and a program are told, and metrics and status say the same. */
@Tag("calm")
@Tag("once")
@Timeout(240)
class AlertsIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    /** A source is silent after a minute at the earliest. Drops of the last minute are a fault for as long. */
    private static final Duration MINUTES = Duration.ofSeconds(100);

    private static final String KEY = "key-that-nobody-sees";

    @TempDir
    private Path directory;

    private final List<JsonNode> told = new CopyOnWriteArrayList<>();
    private final List<String> keys = new CopyOnWriteArrayList<>();
    private HttpServer webhook;
    private Path program;
    private int outputPort;
    private long sent;

    @BeforeEach
    void listen() throws IOException {
        webhook = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        webhook.createContext("/alert", exchange -> {
            try (exchange) {
                keys.add(exchange.getRequestHeaders().getFirst("X-Key"));
                told.add(new ObjectMapper().readTree(exchange.getRequestBody().readAllBytes()));
                exchange.sendResponseHeaders(204, -1);
            }
        });
        webhook.start();
        program = Files.writeString(directory.resolve("program"), "#!/bin/sh\ncat >> \"$1\"\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        outputPort = FreePort.next();
    }

    @AfterEach
    void close() {
        webhook.stop(0);
    }

    private Path told(String name) {
        return directory.resolve(name + ".told");
    }

    private Path configuration() throws Exception {
        TestCertificate soon = new TestCertificate(directory, "soon", "IP:127.0.0.1", -1, 10);
        Path key = Files.writeString(directory.resolve("webhook.key"), KEY + "\n");
        return Files.writeString(
                directory.resolve("millrace.yaml"),
                String.join(
                        "\n",
                        "inputs:",
                        "  udp: {listen: 127.0.0.1:0}",
                        "  tls: {listen: tls://127.0.0.1:0, tls: {certificateFile: " + soon.certificateFile()
                                + ", keyFile: " + soon.keyFile() + "}}",
                        "receive: {receiveBuffer: 64K}",
                        "journal: {retention: {freeSpace: 1000T}}",
                        "outputs:",
                        "  central: {type: syslog, transport: tcp, host: 127.0.0.1, port: " + outputPort + "}",
                        "alerts:",
                        "  after: 1s",
                        "  outputLag: 2s",
                        "  command: [" + program + ", " + told("program") + "]",
                        "  webhooks:",
                        "    ops:",
                        "      url: http://127.0.0.1:" + webhook.getAddress().getPort() + "/alert",
                        "      headers: {X-Key: \"${file:" + key + "}\"}",
                        ""));
    }

    private void send(Service service, int count) throws IOException {
        byte[] message = ("<34>1 2026-11-25T10:00:00Z host app - - - " + "x".repeat(500)).getBytes(UTF_8);
        try (DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < count; i++) {
                socket.send(
                        new DatagramPacket(message, message.length, InetAddress.getLoopbackAddress(), service.port()));
                sent++;
            }
        }
    }

    private List<JsonNode> all(String state, String kind, String subject) {
        return told.stream()
                .filter(it -> it.get("state").asText().equals(state)
                        && it.get("kind").asText().equals(kind)
                        && it.get("subject").asText().equals(subject))
                .toList();
    }

    private JsonNode awaitTold(Duration atMost, String state, String kind, String subject) {
        await(state + " " + kind + "/" + subject)
                .atMost(atMost)
                .until(() -> !all(state, kind, subject).isEmpty());
        return all(state, kind, subject).get(0);
    }

    private static String series(String kind, String subject) {
        return "millrace_alert_firing{kind=\"" + kind + "\",subject=\"" + subject + "\"} 1.0";
    }

    /** A destination that takes everything, until it is closed. */
    private ServerSocket destination() throws IOException {
        ServerSocket server = new ServerSocket();
        server.setReuseAddress(true);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), outputPort));
        Thread thread = new Thread(() -> {
            while (!server.isClosed()) {
                try (Socket socket = server.accept()) {
                    var unused = socket.getInputStream().transferTo(OutputStream.nullOutputStream());
                } catch (IOException closed) {
                    // By the test, or by the service when it stops.
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
        return server;
    }

    @Test
    @Tag("full")
    void eachAlertBeginsAndEnds() throws Exception {
        Path data = directory.resolve("data");
        try (Service service =
                Service.startWith(data, "--config", configuration().toString())) {
            Instant started = Instant.now();
            send(service, 20);
            JsonNode failing = awaitTold(SOON, "firing", "output-failing", "central");
            assertThat(failing.get("level").asText()).isEqualTo("degraded");
            assertThat(failing.get("cause").asText()).contains("port " + outputPort);
            assertThat(failing.get("remedy").asText()).isNotEmpty();
            assertThat(failing.get("service").asText()).isEqualTo("millrace");
            assertThat(failing.get("version").asText()).isNotEmpty();
            assertThat(failing.get("host").asText())
                    .isEqualTo(Files.readString(Path.of("/proc/sys/kernel/hostname"))
                            .strip());
            assertThat(failing.get("text").asText()).contains("output central does not deliver");
            assertThat(Instant.parse(failing.get("since").asText())).isBetween(started.minusSeconds(10), Instant.now());
            awaitTold(SOON, "firing", "output-lagging", "central");
            assertThat(awaitTold(SOON, "firing", "certificate", "tls")
                            .get("summary")
                            .asText())
                    .contains("the certificate of input tls expires in");
            awaitTold(SOON, "firing", "disk-near-full", "journal");
            drop(service);
            JsonNode status =
                    new ObjectMapper().readTree(service.get("/api/status").body());
            assertThat(status.get("level").asText()).isEqualTo("failing");
            assertThat(status.get("faults").findValuesAsText("kind"))
                    .contains("output-failing", "output-lagging", "certificate", "disk-near-full", "drops");
            assertThat(service.get("/metrics").body())
                    .contains(
                            series("output-failing", "central"),
                            series("output-lagging", "central"),
                            series("certificate", "tls"),
                            series("disk-near-full", "journal"),
                            series("drops", "socketBuffer"));
            try (ServerSocket central = destination()) {
                assertThat(central.isBound()).isTrue();
                awaitTold(SOON, "resolved", "output-failing", "central");
                awaitTold(SOON, "resolved", "output-lagging", "central");
                silent(service);
                JsonNode over = awaitTold(MINUTES, "resolved", "drops", "socketBuffer");
                assertThat(over.get("summary").asText())
                        .matches("[0-9,]+ datagrams were lost: Millrace's socket buffers");
                ended(service);
            }
        }
    }

    /** More datagrams than the receive buffer holds, while the process stands still. */
    private void drop(Service service) throws IOException, InterruptedException {
        service.process().signal("STOP");
        send(service, 2000);
        service.process().signal("CONT");
        JsonNode drops = awaitTold(SOON, "firing", "drops", "socketBuffer");
        assertThat(drops.get("level").asText()).isEqualTo("failing");
        assertThat(drops.get("remedy").asText()).contains("millrace doctor");
    }

    /** Nothing is sent any more. */
    private void silent(Service service) throws IOException, InterruptedException {
        JsonNode silent = awaitTold(MINUTES, "firing", "source-silent", "127.0.0.1");
        assertThat(silent.get("level").asText()).isEqualTo("notice");
        assertThat(service.get("/metrics").body()).contains(series("source-silent", "127.0.0.1"));
        assertThat(service.get("/readyz").body()).doesNotContain("silent");
        send(service, 1);
        awaitTold(SOON, "resolved", "source-silent", "127.0.0.1");
    }

    private void ended(Service service) throws Exception {
        String metrics = service.get("/metrics").body();
        assertThat(metrics)
                .doesNotContain(series("output-failing", "central"))
                .doesNotContain(series("drops", "socketBuffer"))
                .doesNotContain(series("source-silent", "127.0.0.1"))
                .contains(series("certificate", "tls"))
                .contains("millrace_alert_unsent_notifications_total{target=\"webhooks.ops\"} 0.0");
        assertThat(told.stream().filter(it -> it.get("repeated").asBoolean())).isEmpty();
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(Files.readAllLines(told("program")))
                        .hasSameSizeAs(told)
                        .allSatisfy(line ->
                                assertThat(new ObjectMapper().readTree(line)).isIn(told)));
        assertThat(keys).containsOnly(KEY);
        JsonNode ledger = service.ledger();
        assertThat(ledger.get("received").asLong()
                        + ledger.at("/dropped/socketBuffer").asLong())
                .isEqualTo(sent);
        service.stop();
        assertThat(service.process().err()).noneMatch(line -> line.contains(KEY));
    }

    @Test
    void reloadChangesWhoIsTold() throws Exception {
        Path file = Files.writeString(
                directory.resolve("millrace.yaml"),
                "inputs: {udp: {listen: 127.0.0.1:0}}\njournal: {retention: {freeSpace: 1000T}}\n");
        try (Service service = Service.startWith(directory.resolve("data"), "--config", file.toString())) {
            await().atMost(SOON)
                    .until(() -> new ObjectMapper()
                            .readTree(service.get("/api/status").body())
                            .get("faults")
                            .findValuesAsText("kind")
                            .contains("disk-near-full"));
            Files.writeString(
                    file,
                    Files.readString(file) + "alerts: {after: 1s, repeat: 1s, webhooks: {ops: {url: 'http://127.0.0.1:"
                            + webhook.getAddress().getPort() + "/alert'}}}\n");
            service.process().signal("HUP");
            service.process().awaitErr("the alerts changed", SOON);
            awaitTold(SOON, "firing", "disk-near-full", "journal");
            await().atMost(SOON)
                    .until(() -> told.stream().anyMatch(it -> it.get("repeated").asBoolean()));
            service.stop();
        }
    }

    @Test
    @Tag("full")
    void ledgerShowsWhatIsWrongWhileTheServiceRuns() throws Exception {
        Path data = directory.resolve("data");
        Path file = Files.writeString(
                directory.resolve("millrace.yaml"),
                "inputs: {udp: {listen: 127.0.0.1:0}}\njournal: {retention: {freeSpace: 1000T}}\n");
        try (Service service = Service.startWith(data, "--config", file.toString())) {
            List<String> lines = ledger(data);
            assertThat(lines.get(0))
                    .isEqualTo("service: process " + service.process().pid() + ", degraded");
            assertThat(lines.get(1)).startsWith("  degraded: the disk of the journal has ");
            assertThat(lines).anyMatch(line -> line.startsWith("= journaled "));
            assertThat(ledger(data, "--json").get(0)).startsWith("{\"startedAt\":");
            service.process().signal("STOP");
            assertThat(ledger(data).get(0))
                    .startsWith("service: process " + service.process().pid() + " does not answer since ");
            service.process().signal("CONT");
            service.stop();
        }
        assertThat(ledger(data).get(0)).isEqualTo("service: does not run");
    }

    private static List<String> ledger(Path data, String... options) throws Exception {
        List<String> args = new ArrayList<>(List.of("ledger", "--data", data.toString()));
        args.addAll(List.of(options));
        try (Forked command = Forked.millrace(List.of(), args.toArray(String[]::new))) {
            assertThat(command.awaitExit(SOON)).isZero();
            return command.out();
        }
    }
}
