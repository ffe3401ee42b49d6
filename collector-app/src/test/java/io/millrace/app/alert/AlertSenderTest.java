package io.millrace.app.alert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.millrace.app.config.AlertSettings;
import io.millrace.app.config.ConfigException;
import io.millrace.app.config.ConfigLoader;
import io.millrace.app.config.OutputTypes;
import io.millrace.app.config.Overrides;
import io.millrace.app.fault.Fault;
import io.millrace.app.fault.FaultKind;
import io.millrace.output.internal.tls.TlsSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sending to real servers and programs. */
@Timeout(60)
class AlertSenderTest {
    private static final Notification.Sender SENDER = new Notification.Sender("host1", "1.2.3");
    private static final Instant SINCE = Instant.parse("2026-11-25T08:00:00Z");

    @TempDir
    private Path directory;

    private final List<JsonNode> bodies = new CopyOnWriteArrayList<>();
    private final List<String> keys = new CopyOnWriteArrayList<>();
    private final AtomicInteger status = new AtomicInteger(200);
    private final AtomicInteger requests = new AtomicInteger();
    private final AlertCounts counts = new AlertCounts();
    private HttpServer server;
    private AlertSender sender;

    @AfterEach
    void close() {
        if (sender != null) {
            sender.close();
        }
        if (server != null) {
            server.stop(0);
        }
    }

    private URI serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                requests.incrementAndGet();
                JsonNode body =
                        new ObjectMapper().readTree(exchange.getRequestBody().readAllBytes());
                keys.add(exchange.getRequestHeaders().getFirst("X-Key") + " "
                        + exchange.getRequestHeaders().getFirst("Content-Type"));
                if (status.get() == 200) {
                    bodies.add(body);
                }
                exchange.sendResponseHeaders(status.get(), -1);
            }
        });
        server.start();
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/alert?key=1");
    }

    private static Webhook webhook(URI url) throws IOException {
        return new Webhook(new AlertSettings.Webhook(
                url,
                Map.of("X-Key", "abc"),
                TlsSettings.DEFAULT,
                new ConfigLoader(OutputTypes.ALL, Map.of())
                        .load(null, new Overrides())
                        .all()
                        .mark()));
    }

    private void start(AlertTarget target, Duration giveUp) {
        AlertSender.Retries retries = new AlertSender.Retries(Duration.ofMillis(5), Duration.ofMillis(20), giveUp);
        sender = new AlertSender("webhooks.test", target, SENDER, counts, retries);
        sender.start();
    }

    private static Notification notification(int number) {
        Fault fault = new Fault(
                FaultKind.OUTPUT_FAILING,
                "loki" + number,
                Fault.Level.DEGRADED,
                "output loki does not deliver, 5 are pending",
                "the connection was refused",
                "start it");
        return Notification.of(fault, Notification.State.FIRING, false, SINCE, SINCE.plusSeconds(10));
    }

    @Test
    void bodyIsTheDocumentedObject() throws IOException {
        start(webhook(serve()), Duration.ofMinutes(1));
        sender.offer(notification(1));
        await().until(() -> bodies.size() == 1);
        assertThat(bodies.get(0)).isEqualTo(new ObjectMapper().readTree("""
                {"kind":"output-failing","subject":"loki1","level":"degraded","state":"firing","repeated":false,
                 "summary":"output loki does not deliver, 5 are pending","cause":"the connection was refused",
                 "remedy":"start it","page":"operate/runbook/destination-fails.md","since":"2026-11-25T08:00:00Z","at":"2026-11-25T08:00:10Z","host":"host1",
                 "service":"millrace","version":"1.2.3","missed":0,
                 "text":"millrace on host1, firing: output loki does not deliver, 5 are pending: the connection was refused (start it)"}
                """));
        assertThat(keys).containsExactly("abc application/json");
        await().until(() -> counts.sent().get() == 1);
    }

    @Test
    void failureIsRetriedInOrderUntilTheWebhookAnswers() throws IOException {
        status.set(503);
        start(webhook(serve()), Duration.ofMinutes(1));
        sender.offer(notification(1));
        sender.offer(notification(2));
        await().until(() -> counts.failedAttempts().get() >= 3);
        assertThat(counts.sent()).hasValue(0);
        status.set(200);
        await().until(() -> bodies.size() == 2);
        assertThat(bodies).extracting(it -> it.get("subject").asText()).containsExactly("loki1", "loki2");
        assertThat(bodies).extracting(it -> it.get("missed").asLong()).containsExactly(0L, 0L);
        assertThat(counts.unsent()).hasValue(0);
    }

    @Test
    void webhookThatStaysDownTakesBoundedMemoryAndTheNextOneSaysHowManyAreMissing() throws IOException {
        status.set(500);
        start(webhook(serve()), Duration.ofMinutes(1));
        sender.offer(notification(0));
        await().until(() -> counts.failedAttempts().get() > 0);
        for (int i = 1; i <= 1000; i++) {
            sender.offer(notification(i));
        }
        assertThat(counts.unsent()).hasValue(1000 - AlertSender.QUEUE);
        status.set(200);
        await().until(() -> bodies.size() == 1 + AlertSender.QUEUE);
        assertThat(bodies.get(1).get("subject").asText()).isEqualTo("loki901");
        assertThat(bodies.stream().mapToLong(it -> it.get("missed").asLong()).sum())
                .isEqualTo(900);
    }

    @Test
    void oldNotificationIsGivenUp() throws IOException {
        status.set(404);
        start(webhook(serve()), Duration.ofMillis(50));
        sender.offer(notification(1));
        await().until(() -> counts.unsent().get() == 1);
        // On a busy host the first attempt takes all of the time.
        assertThat(counts.failedAttempts().get()).isPositive();
        status.set(200);
        sender.offer(notification(2));
        await().until(() -> bodies.size() == 1);
        assertThat(bodies.get(0).get("missed").asLong()).isEqualTo(1);
    }

    @Test
    void refusedConnectionIsAFailure() throws IOException {
        int port;
        try (ServerSocket unused = new ServerSocket(0)) {
            port = unused.getLocalPort();
        }
        Webhook webhook = webhook(URI.create("http://127.0.0.1:" + port));
        assertThatIOException().isThrownBy(() -> webhook.send("{}")).withMessage("the connection was refused");
    }

    private List<String> program(String script) throws IOException {
        Path file = Files.writeString(directory.resolve("program"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return List.of(file.toString(), "argument one");
    }

    @Test
    void programGetsTheJsonOnStandardInput() throws Exception {
        new AlertCommand(program("{ echo \"$1\"; cat; } > \"$0.out\"")).send("{\"kind\":\"ä\"}");
        assertThat(directory.resolve("program.out")).hasContent("argument one\n{\"kind\":\"ä\"}");
    }

    @Test
    void programNeedNotReadItsInput() throws Exception {
        new AlertCommand(program("exit 0")).send("{}");
    }

    @Test
    void exitCodeIsAFailure() throws IOException {
        AlertCommand command = new AlertCommand(program("exit 3"));
        assertThatIOException().isThrownBy(() -> command.send("{}")).withMessageContaining("exit code 3");
    }

    @Test
    void programThatDoesNotEndIsKilledWithItsChildren() throws IOException {
        AlertCommand command =
                new AlertCommand(program("sleep 1000 & echo $! > \"$0.child\"; wait"), Duration.ofMillis(500));
        assertThatIOException().isThrownBy(() -> command.send("{}")).withMessageContaining("was killed");
        long child = Long.parseLong(
                Files.readString(directory.resolve("program.child"), UTF_8).strip());
        await().until(() -> ProcessHandle.of(child).map(it -> !it.isAlive()).orElse(true));
    }

    private AlertSettings settings(String yaml) throws IOException {
        Path file = Files.writeString(directory.resolve("millrace.yaml"), yaml);
        AlertSettings settings = new ConfigLoader(OutputTypes.ALL, Map.of())
                .load(file, new Overrides())
                .alerts();
        AlertTargets.check(settings);
        return settings;
    }

    private void refused(String yaml, String message) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> settings(yaml))
                .withMessageContaining(message);
    }

    @Test
    void mistakesInTheConfigurationAreRefused() throws IOException {
        refused(
                "alerts: {webhooks: {ops: {url: 'ftp://example.com/secret'}}}",
                "alerts.webhooks.ops.url accepts a URL such as");
        refused("alerts: {webhooks: {ops: {url: 'example.com'}}}", "alerts.webhooks.ops.url accepts a URL such as");
        refused("alerts: {webhooks: {ops: {url: 'http://a b/'}}}", "alerts.webhooks.ops.url accepts a URL such as");
        refused("alerts: {webhooks: {ops: {}}}", "alerts.webhooks.ops.url is missing");
        refused(
                "alerts: {webhooks: {ops: {url: 'http://me:hunter2seven@example.com/'}}}",
                "alerts.webhooks.ops: url accepts a user");
        refused(
                "alerts: {webhooks: {ops: {url: 'http://example.com/', headers: {Host: x}}}}",
                "headers accepts no header 'Host'");
        refused(
                "alerts: {webhooks: {ops: {url: 'https://example.com/', certificateFile: /a}}}",
                "alerts.webhooks.ops: certificate and key");
        refused("alerts: {command: []}", "alerts.command accepts a list of a program and its arguments");
        refused("alerts: {command: ''}", "alerts.command accepts a list of a program and its arguments");
        refused("alerts: {command: [mail, ops]}", "alerts.command accepts the full path of a program");
        refused("alerts: {after: soon}", "alerts.after accepts a time");
    }

    @Test
    void defaultsTellNobody() throws IOException {
        AlertSettings settings = settings("");
        assertThat(settings.webhooks()).isEmpty();
        assertThat(settings.command()).isEmpty();
        assertThat(settings.after()).hasSeconds(10);
        assertThat(settings.repeat()).hasHours(4);
        assertThat(settings.outputLag()).hasMinutes(5);
    }
}
