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
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Secrets in every setting that takes text, and outputs that fail with them: none is in the log, in an answer of admin HTTP, in a dead
 * letter, or in what the commands print. Each secret begins with a mark of its own, which is what is looked for.
 */
@Tag("calm")
@Tag("once")
@Timeout(300)
@Tag("full")
class SecretsIT {
    private static final Duration SOON = Duration.ofSeconds(40);

    /** A label of a host name that is too long is no name to the resolver: nobody is asked for it. */
    private static final String NO_HOST = "x".repeat(70);

    @TempDir
    private Path directory;

    private final Map<String, String> planted = new LinkedHashMap<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final List<String> seen = new ArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer server;
    private ExecutorService threads;
    private volatile boolean failing = true;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        threads = Executors.newCachedThreadPool();
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    /** A server that repeats all it was told, encoded and decoded, as errors. */
    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            String authorization = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
            String decoded = authorization.startsWith("Basic ")
                    ? new String(Base64.getDecoder().decode(authorization.substring(6)), UTF_8)
                    : "";
            String said = authorization + " " + decoded + " "
                    + exchange.getRequestHeaders().getFirst("X-Key") + " " + exchange.getRequestURI() + " "
                    + exchange.getRequestURI().getPath();
            boolean bulk = exchange.getRequestURI().getPath().endsWith("_bulk");
            if (bulk && !failing) {
                String index = body.replaceFirst("(?s).*?\"_index\":\"([^\"]*)\".*", "$1");
                send(
                        exchange,
                        200,
                        "{\"errors\":true,\"items\":["
                                + Stream.generate(() ->
                                                "{\"create\":{\"status\":400,\"error\":{\"type\":\"e\",\"reason\":\""
                                                        + index + " " + said + "\"}}}")
                                        .limit(body.lines().count() / 2)
                                        .reduce((one, other) -> one + "," + other)
                                        .orElse("")
                                + "]}");
            } else if (failing) {
                exchange.getResponseHeaders().set("Location", "http://127.0.0.1" + exchange.getRequestURI());
                send(exchange, 503, said);
            } else {
                send(exchange, body.contains("refuse") ? 413 : 200, said);
            }
        }
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /** A secret that stands in the file. */
    private String literal(String name) {
        return plant(name, "");
    }

    private String plant(String name, String end) {
        String mark = String.format(Locale.ROOT, "sek%02d", planted.size() + 1);
        String value = mark + "-" + name + end;
        planted.put(mark, value);
        return value;
    }

    private String file(String name) throws IOException {
        return inFile(name, plant(name, ""));
    }

    private String host(String name) throws IOException {
        return inFile(name, plant(name, NO_HOST));
    }

    private String inFile(String name, String text) throws IOException {
        return "${file:" + Files.writeString(directory.resolve("secret-" + name), text + "\n") + "}";
    }

    private String variable(String name) {
        String variable = "MILLRACE_IT_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
        environment.put(variable, literal(name));
        return "${" + variable + "}";
    }

    private String configuration() throws IOException {
        String http = "http://127.0.0.1:" + server.getAddress().getPort();
        Files.writeString(directory.resolve("no-directory"), "");
        String whole = inFile(
                "whole-url",
                "http://127.0.0.1:1/" + plant("whole-path", "") + "/in?key=" + plant("whole-query", "") + "\n");
        return String.join(
                "\n",
                "outputs:",
                "  echo:",
                "    type: http",
                "    url: '" + http + "/hook/" + file("url-path") + "/" + variable("url-path-env") + "?a="
                        + literal("query") + "&b=" + file("query-file") + "'",
                "    headers: {X-Key: " + literal("header") + ", X-Other: '" + file("header-file") + "'}",
                "    user: '" + file("user") + "'",
                "    password: " + literal("password"),
                "    compression: none",
                "  bulk:",
                "    type: http",
                "    shape: bulk",
                "    url: " + http,
                "    index: 'i-" + file("index") + "-{date}'",
                "    token: '" + variable("token") + "'",
                "    compression: none",
                "  loki:",
                "    type: http",
                "    shape: loki",
                "    url: " + http + "/loki/api/v1/push",
                "    labels: {job: '" + file("label") + "'}",
                "    token: " + literal("token-literal"),
                "    compression: none",
                "  whole: {type: http, url: '" + whole + "'}",
                "  nohost: {type: http, url: 'http://" + host("url-host") + "/x'}",
                "  bus:",
                "    type: kafka",
                "    brokers: ['" + host("broker") + ":9092']",
                "    topic: 't-" + file("topic") + "'",
                "    properties:",
                "      security.protocol: SASL_PLAINTEXT",
                "      sasl.mechanism: PLAIN",
                "      sasl.jaas.config: 'org.apache.kafka.common.security.plain.PlainLoginModule required username=\""
                        + literal("jaas-user") + "\" password=\"" + literal("jaas-password") + "\";'",
                "      client.rack: '" + file("rack") + "'",
                "      my.plugin.secret: " + literal("unknown-secret"),
                "      my.plugin.option: " + literal("unknown-option"),
                "      ssl.key.password: '" + variable("key-password") + "'",
                "  lookup: {type: syslog, host: '" + host("syslog-host") + "'}",
                "  trust: {type: syslog, host: 127.0.0.1, transport: tls, caFile: '/nowhere/" + file("ca-file") + "'}",
                "  shown: {type: syslog, host: 127.0.0.1, transport: tls, certificateFile: '/nowhere/"
                        + file("certificate") + "', keyFile: '/nowhere/" + file("key-file") + "'}",
                "  archive: {type: file, path: '" + directory + "/no-directory/" + file("path") + "/x.log'}",
                "  kept: {type: file, path: '" + directory + "/kept.log', format: '{message} " + file("format")
                        + "', where: 'not (message contains \"" + file("where") + "\")',",
                "    edit: [{redact: {preset: ip-addresses, key: '" + file("pseudonyms") + "'}}]}",
                "admin: {token: '" + file("admin-token") + "'}",
                "");
    }

    /** Files that are wrong at the place of a secret. */
    private List<String> wrongConfigurations() throws IOException {
        String http = "outputs: {a: {type: http, url: 'http://127.0.0.1/', ";
        String kafka = "outputs: {a: {type: kafka, brokers: 'k:9', topic: t, properties: ";
        return List.of(
                "admin: {token: \"" + literal("wrong-token") + " \\n\"}",
                "admin:\n  token: *" + literal("alias"),
                "admin:\n  token: !" + literal("tag"),
                "admin: {listen: '" + file("wrong-listen") + "'}",
                "data: {x: '" + file("wrong-data") + "'}",
                "timeZone: '" + file("wrong-zone") + "'",
                "policy: {allow: ['" + file("wrong-network") + "']}",
                http + "headers: " + literal("wrong-headers") + "}}",
                http + "headers: {Host: " + literal("wrong-header") + "}}}",
                http + "user: me, password: [" + literal("wrong-password") + "]}}",
                http + "shape: bulk, index: 'I " + file("wrong-index") + "'}}",
                http + "shape: loki, labels: {x: '{" + file("wrong-label") + "}'}}}",
                "outputs: {a: {type: http, url: 'http://me:" + literal("wrong-user-info") + "@127.0.0.1/'}}",
                "outputs: {a: {type: http, url: 'ftp://127.0.0.1/" + file("wrong-url") + "'}}",
                "outputs: {a: {type: http, url: 'http://127.0.0.1/?x=" + literal("wrong-query") + " y'}}",
                kafka + literal("wrong-properties") + "}}",
                kafka + "{batch.size: '" + file("wrong-property") + "'}}}",
                kafka + "{sasl.jaas.config: {x: " + literal("wrong-jaas") + "}}}}",
                "outputs: {a: {type: kafka, brokers: 'k:9', topic: 't{" + file("wrong-topic") + "}'}}",
                "outputs: {a: {type: file, path: '/tmp/{" + file("wrong-path") + "}'}}",
                "outputs: {a: {type: stdout, where: '" + file("wrong-where") + " =='}}",
                "outputs: {a: {type: stdout, format: '" + file("wrong-format") + "'}}",
                "outputs: {a: {type: stdout, from: '" + file("wrong-from") + "'}}",
                "outputs: {a: {type: stdout, edit: [{redact: {preset: secrets, key: " + literal("wrong-key") + "}}]}}",
                "outputs: {a: {type: '" + file("wrong-type") + "'}}");
    }

    private List<String> prefix() {
        List<String> prefix = new ArrayList<>(List.of("env", "MILLRACE_TRACE=1"));
        environment.forEach((name, value) -> prefix.add(name + "=" + value));
        return prefix;
    }

    private void ask(Service service, String method, String path, boolean withToken) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(service.adminUrl() + path))
                .timeout(SOON)
                .method(method, HttpRequest.BodyPublishers.noBody());
        if (withToken) {
            request.header(
                    "Authorization",
                    "Bearer "
                            + Files.readString(directory.resolve("secret-admin-token"))
                                    .strip());
        }
        HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        seen.add(method + " " + path + " " + answer.statusCode() + " "
                + answer.headers().map() + "\n" + answer.body());
    }

    private void askEverything(Service service) throws Exception {
        for (boolean withToken : List.of(true, false)) {
            for (String path : List.of(
                    "/",
                    "/healthz",
                    "/readyz",
                    "/metrics",
                    "/api/ledger",
                    "/api/status",
                    "/api/history?of=hour",
                    "/api/doctor",
                    "/api/messages?where=nothing",
                    "/nowhere")) {
                ask(service, "GET", path, withToken);
            }
        }
    }

    private static void send(Service service, String message) throws IOException {
        byte[] bytes = ("<13>Nov 24 10:00:00 host app: " + message).getBytes(UTF_8);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.send(new DatagramPacket(
                    bytes, bytes.length, new InetSocketAddress(InetAddress.getLoopbackAddress(), service.port())));
        }
    }

    private String run(int code, String... args) throws InterruptedException {
        try (Forked process = Forked.millrace(prefix(), args)) {
            assertThat(process.awaitExit(SOON)).as("%s", process.err()).isEqualTo(code);
            String said = String.join(" ", args) + "\n" + String.join("\n", process.out()) + "\n"
                    + String.join("\n", process.err());
            seen.add(said);
            return said;
        }
    }

    private List<Path> deadLetters() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("data/dead-letters"))) {
            return files.toList();
        }
    }

    private String status() {
        return seen.stream()
                .filter(it -> it.startsWith("GET /api/status 200"))
                .reduce((a, b) -> b)
                .orElse("");
    }

    @Test
    void outputContainsNoSecret() throws Exception {
        Path config = Files.writeString(directory.resolve("millrace.yaml"), configuration());
        assertThat(planted).hasSizeGreaterThanOrEqualTo(30);
        assertThat(run(0, "config", "check", "--no-files", "--config", config.toString()))
                .contains("right");
        // Some files are not there, and no destination answers.
        assertThat(run(1, "config", "check", "--connect", "--config", config.toString()))
                .contains("the file does not exist", "FAILED");
        assertThat(run(0, "config", "show", "--config", config.toString())).contains("password: '***'");
        Service service = Service.start(prefix(), directory.resolve("data"), "--config", config.toString());
        try (service) {
            send(service, "one");
            await().atMost(SOON).untilAsserted(() -> {
                ask(service, "GET", "/api/status", true);
                assertThat(status().split("\"problem\":\"", -1)).as(status()).hasSizeGreaterThanOrEqualTo(11);
            });
            askEverything(service);
            failing = false;
            send(service, "refuse this");
            send(service, "two");
            await().atMost(SOON).untilAsserted(() -> {
                assertThat(directory.resolve("data/dead-letters")).exists();
                assertThat(deadLetters().stream().map(it -> String.valueOf(it.getFileName())))
                        .contains("echo.ndjson", "bulk.ndjson", "loki.ndjson");
            });
            askEverything(service);
            reload(service, config);
        }
        service.process().awaitExit(SOON);
        seen.add("standard error\n" + String.join("\n", service.process().err()));
        seen.add("standard output\n" + String.join("\n", service.process().out()));
        for (Path letter : deadLetters()) {
            seen.add(letter + "\n" + Files.readString(letter));
        }
        assertNothingIsSaid();
        assertThat(seen).anyMatch(it -> it.startsWith("standard error") && it.contains("***"));
        assertThat(seen).anyMatch(it -> it.contains("echo.ndjson\n") && it.contains("***"));
    }

    /** Both commands read a file in the same way, so each file is given to one of them. */
    @Test
    void errorOfAConfigurationContainsNoSecret() throws Exception {
        boolean check = true;
        for (String wrong : wrongConfigurations()) {
            Path file = Files.writeString(directory.resolve("wrong.yaml"), wrong + "\n");
            run(2, "config", check ? "check" : "show", "--config", file.toString());
            check = !check;
        }
        assertNothingIsSaid();
    }

    /** Each message is written as the edits leave it, or is a dead letter without payload; the ledger counts all of them. */
    @Test
    void messagesLeaveOnlyAsEdited() throws Exception {
        int messages = 200;
        String text = String.join(
                "\n",
                "outputs:",
                "  fields:",
                "    type: file",
                "    path: '" + directory + "/fields.log'",
                "    format: json",
                "    fields: on",
                "    edit:",
                "      - set: {field: severity, to: '{fields.level}'}",
                "      - set: {field: hostname, to: '{hostname}/{fields.src}'}",
                "      - rename: {field: fields.src, to: fields.source.ip}",
                "      - remove: {field: fields.pin}",
                "      - remove: {field: message}",
                "      - redact: {preset: ip-addresses, key: '" + file("pseudonyms") + "'}",
                "  bytes:",
                "    type: file",
                "    path: '" + directory + "/bytes.log'",
                "    format: raw",
                "    edit: [{redact: {pattern: 'pin=\\d+', with: pin=}}, {truncate: {bytes: 24}}]",
                "");
        Path config = Files.writeString(directory.resolve("millrace.yaml"), text);
        Service service = Service.start(prefix(), directory.resolve("data"), "--config", config.toString());
        try (service) {
            for (int i = 0; i < messages; i++) {
                send(service, "level=err src=192.0.2.7 pin=271828182845 n=" + i);
            }
            send(service, "level=unknown src=192.0.2.7 pin=271828182845");
            Path letters = directory.resolve("data/dead-letters/fields.ndjson");
            await().atMost(SOON).ignoreExceptions().untilAsserted(() -> {
                assertThat(Files.readAllLines(directory.resolve("fields.log"))).hasSize(messages);
                assertThat(Files.readAllLines(directory.resolve("bytes.log"))).hasSize(messages + 1);
                assertThat(Files.readAllLines(letters)).hasSize(1);
            });
            assertThat(Files.readAllLines(directory.resolve("fields.log")))
                    .allSatisfy(line -> assertThat(line)
                            .containsPattern("\"severity\":\"err\",\"hostname\":\"host/ip-[0-9a-f]{16}\"")
                            .containsPattern(
                                    "\"fields\":\\{\"level\":\"err\",\"source.ip\":\"ip-[0-9a-f]{16}\",\"n\":\"\\d+\"}")
                            .doesNotContain("192.0.2", "271828182845", "\"message\""));
            assertThat(Files.readAllLines(directory.resolve("bytes.log")))
                    .contains("<13>Nov 24 10:00:00 host app: level=err src=192.0.2.7 ")
                    .noneMatch(line -> line.contains("271828182845"));
            assertThat(Files.readString(letters))
                    .contains("severity accepts")
                    .doesNotContain("192.0.2", "271828182845");
            JsonNode ledger = service.ledger();
            assertThat(ledger.get("received").asLong()).isEqualTo(messages + 1);
            assertThat(ledger.get("journaled").asLong()).isEqualTo(messages + 1);
        }
    }

    /** A wrong file, then one whose secrets are others: those of before are still known. */
    private void reload(Service service, Path config) throws Exception {
        String text = Files.readString(config);
        Files.writeString(config, text + wrongConfigurations().get(3).replace("admin:", "policy:") + "\n");
        ask(service, "POST", "/api/reload", true);
        Files.writeString(
                config, text.replace("type: syslog, host: 127.0.0.1", "type: syslog, port: 1, host: 127.0.0.1"));
        Files.writeString(directory.resolve("secret-header-file"), literal("header-after-reload") + "\n");
        ask(service, "POST", "/api/reload", true);
        assertThat(seen.get(seen.size() - 1)).contains("POST /api/reload 200").contains("\"echo\"");
        ask(service, "POST", "/api/reload", false);
        send(service, "three");
        send(service, "refuse that");
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(Files.readAllLines(directory.resolve("data/dead-letters/echo.ndjson")))
                        .hasSize(2));
        askEverything(service);
        service.stop();
    }

    /** As it is, and in Base64, in which a server gets user and password. */
    private void assertNothingIsSaid() {
        Map<String, String> found = new LinkedHashMap<>();
        for (Map.Entry<String, String> secret : planted.entrySet()) {
            String encoded = Base64.getEncoder()
                    .encodeToString(secret.getValue().getBytes(UTF_8))
                    .substring(0, 10);
            for (String text : seen) {
                for (String form : List.of(secret.getKey(), encoded)) {
                    int at = text.toLowerCase(Locale.ROOT).indexOf(form.toLowerCase(Locale.ROOT));
                    if (at >= 0) {
                        found.put(
                                secret.getValue(),
                                text.lines().findFirst().orElse("") + ": "
                                        + text.substring(Math.max(0, at - 100), Math.min(text.length(), at + 100)));
                    }
                }
            }
        }
        assertThat(found).isEmpty();
    }
}
