package io.millrace.app.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.TestCertificate;
import io.millrace.app.config.AdminSettings;
import io.millrace.app.report.ReloadReport;
import io.millrace.collector.Collector;
import io.millrace.message.InputRules;
import io.millrace.message.NamedFilters;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Admin HTTP over real connections, of a collector that really receives. */
@Timeout(60)
class AdminServerTest {
    private static final NamedFilters FILTERS = new NamedFilters(Map.of("errors", "severity <= err"));

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final Pattern SAMPLE =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{[^}]*})? (NaN|[-+]?Inf|[-+0-9.eE]+)");

    @TempDir
    private Path directory;

    private Collector collector;
    private ServiceStatus status;
    private @Nullable AdminServer server;
    private @Nullable Supplier<ReloadReport> reload;
    private HttpClient client = HttpClient.newHttpClient();

    @BeforeEach
    void receive() throws IOException {
        collector = Collector.builder()
                .listen("syslog", ANY_PORT)
                .journal(directory.resolve("data"))
                .build()
                .start();
        status = new ServiceStatus(collector, "1.2.3", Duration.ofMinutes(5));
    }

    @AfterEach
    void stop() throws IOException {
        if (server != null) {
            server.close();
        }
        status.close();
        collector.close();
    }

    private AdminServer start(@Nullable String token, @Nullable Path certificate, @Nullable Path key)
            throws IOException {
        AdminSettings settings = new AdminSettings(ANY_PORT, token, certificate, key);
        AdminServer started = new AdminServer(
                collector, settings, status, registry -> {}, InputRules.DEFAULT, Map.of(), () -> FILTERS, reload);
        server = started;
        return started;
    }

    private HttpResponse<String> get(AdminServer of, String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(of.url() + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.timeout(Duration.ofSeconds(20)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private void send(String message) throws IOException {
        byte[] bytes = message.getBytes(UTF_8);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.send(new DatagramPacket(
                    bytes, bytes.length, collector.addresses().get(0)));
        }
    }

    /** An answer to a request that no client would make. */
    private static String raw(AdminServer of, String request) throws IOException {
        URI uri = URI.create(of.url());
        try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    @Test
    void servesEveryPageAndListsThemForAnUnknownOne() throws Exception {
        AdminServer it = start(null, null, null);
        for (String path : List.of(
                "/",
                "/web/page.css",
                "/web/page.js",
                "/web/uplot.js",
                "/docs/",
                "/docs/README.md",
                "/docs/embed/api.txt",
                "/docs/operate/runbook/flood.md",
                "/docs/pictures/ledger.svg",
                "/healthz",
                "/readyz",
                "/metrics",
                "/api/ledger")) {
            assertThat(get(it, path).statusCode()).as(path).isEqualTo(200);
        }
        assertThat(get(it, "/metric").statusCode()).isEqualTo(404);
        assertThat(get(it, "/metric").body()).contains("/metrics").contains("/api/ledger");
        assertThat(get(it, "/web/../../secret").statusCode()).isEqualTo(404);
    }

    @Test
    void searchesThePast() throws Exception {
        AdminServer it = start(null, null, null);
        for (int i = 0; i < 5; i++) {
            send("<13>number " + i);
        }
        await().until(() -> json(it, "/api/status").get("journaled").asLong() == 5);
        List<String> some =
                get(it, "/api/messages?from=1h&limit=3").body().lines().toList();
        assertThat(some).hasSize(4);
        assertThat(some.get(0)).contains("number 0");
        assertThat(some.get(3)).startsWith("{\"searched\":3,\"complete\":false,\"until\":\"20");
        List<String> all = get(it, "/api/messages?from=1h&where=message+contains+%223%22")
                .body()
                .lines()
                .toList();
        assertThat(all).hasSize(2);
        assertThat(all.get(0)).contains("number 3");
        assertThat(all.get(1)).startsWith("{\"searched\":5,\"complete\":true,");
        assertThat(get(it, "/api/messages?from=2h&until=1h").body())
                .isEqualTo("{\"searched\":0,\"complete\":true,\"until\":null}\n");
        assertThat(get(it, "/api/messages?until=1h").body()).contains("needs its beginning: from");
        assertThat(get(it, "/api/messages?limit=1").body()).contains("needs its beginning: from");
        assertThat(get(it, "/api/messages?from=1h&limit=0").statusCode()).isEqualTo(400);
        assertThat(get(it, "/api/messages?from=soon").statusCode()).isEqualTo(400);
    }

    @Test
    void statusHasCurrentValues() throws Exception {
        AdminServer it = start(null, null, null);
        for (int i = 0; i < 5; i++) {
            send("<13>hello");
        }
        await().until(() -> json(it, "/api/status").get("journaled").asLong() == 5);
        JsonNode status = json(it, "/api/status");
        assertThat(status.get("version").asText()).isEqualTo("1.2.3");
        assertThat(status.get("state").asText()).isEqualTo("ready");
        assertThat(status.at("/inputs/0/sockets/0/received").asLong()).isEqualTo(5);
        assertThat(status.at("/shards/0/journalLatencyMs/max").asDouble()).isPositive();
        assertThat(status.get("losses")).isNotEmpty();
        await().until(() -> json(it, "/api/status").at("/perSecond/received").isNumber());
        assertThat(get(it, "/api/sources?limit=0").statusCode()).isEqualTo(400);
        assertThat(json(it, "/api/sources?limit=5&contains=x").has("sources")).isTrue();
        assertThat(json(it, "/api/history").get("received")).hasSize(300);
        assertThat(json(it, "/api/history?of=hour").get("received")).hasSize(360);
        assertThat(json(it, "/api/history?of=day").get("received")).hasSize(1440);
        this.status.stopping();
        assertThat(get(it, "/readyz").statusCode()).isEqualTo(503);
        assertThat(json(it, "/api/status").get("state").asText()).isEqualTo("stopping");
    }

    /** With one line that an editor has left, and one of a clock that was wrong. */
    @Test
    void historyOfTheDayContinuesAfterARestart() throws Exception {
        status.close();
        long nowMs = System.currentTimeMillis();
        Files.writeString(
                directory.resolve("data/history"),
                "%d 1000 0 0 0 0\n%d 7000 0 0 0 0\nhello\n%d 13000 0 0 0 0\n%d 1 1 1 1 1\n"
                        .formatted(nowMs - 600_000, nowMs - 540_000, nowMs - 300_000, nowMs - 400_000));
        status = new ServiceStatus(collector, "1.2.3", Duration.ofMinutes(5));
        AdminServer it = start(null, null, null);
        await().until(() ->
                !json(it, "/api/history?of=day").at("/newest").asText().startsWith("1970"));
        JsonNode received = json(it, "/api/history?of=day").get("received");
        assertThat(received).hasSize(1440);
        List<Integer> known = new ArrayList<>();
        for (int i = 0; i < received.size(); i++) {
            if (!received.get(i).isNull()) {
                known.add(i);
                assertThat(received.get(i).asDouble()).isEqualTo(100);
            }
        }
        // Nine minutes ago. Nothing is known of the four minutes after it, nor of what lies between the last sample and
        // now.
        assertThat(known).containsExactly(1439 - 9);
        status.close();
        assertThat(Files.readAllLines(directory.resolve("data/history"))).hasSize(4);
    }

    @Test
    void statusTextHasRatesAndLosses() throws Exception {
        for (int i = 0; i < 5; i++) {
            send("<13>hello");
        }
        await().until(() -> collector.ledger().journaled() == 5);
        await().untilAsserted(() -> assertThat(status.text())
                .startsWith("millrace 1.2.3, ready, up ")
                .containsPattern("received +[\\d,]+ +5\\R")
                .containsPattern("journaled +[\\d,]+ +5\\R")
                .containsPattern("delivered +- +-  \\(no outputs\\)\\R")
                .contains("lost: none"));
    }

    private JsonNode json(AdminServer of, String path) throws Exception {
        return new ObjectMapper().readTree(get(of, path).body());
    }

    @Test
    void tailSendsMatchingMessages() throws Exception {
        AdminServer it = start(null, null, null);
        URI uri = URI.create(it.url() + "/api/messages?where=severity%20%3C%3D%20err");
        HttpResponse<InputStream> answer =
                client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        send("<14>not severe");
        send("<11>severe");
        try (InputStream lines = answer.body()) {
            BufferedReader reader = new BufferedReader(new InputStreamReader(lines, UTF_8));
            String first = reader.readLine();
            while (first != null && first.isBlank()) {
                // It says now and then that it is there.
                first = reader.readLine();
            }
            assertThat(first).contains("\"severe\"").doesNotContain("not severe");
        }
        HttpResponse<String> wrong = get(it, "/api/messages?where=bogus");
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body()).contains("column 1");
    }

    @Test
    void tailTakesNamedFiltersAndNoFiles() throws Exception {
        AdminServer it = start(null, null, null);
        HttpResponse<InputStream> answer = client.send(
                HttpRequest.newBuilder(URI.create(it.url() + "/api/messages?where=filter(errors)"))
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        answer.body().close();
        HttpResponse<String> unknown = get(it, "/api/messages?where=filter(error)");
        assertThat(unknown.statusCode()).isEqualTo(400);
        assertThat(unknown.body()).contains("did you mean errors?");
        for (String path : new String[] {"/etc/passwd", "/no/such/file"}) {
            HttpResponse<String> file = get(it, "/api/messages?where=message%20in%20file(%22" + path + "%22)");
            assertThat(file.statusCode()).isEqualTo(400);
            assertThat(file.body())
                    .isEqualTo(
                            "column 17: \"" + path + "\" is not right: files cannot be named here; define a filter with"
                                    + " the list in the section filters of the configuration, and write filter(NAME)\n");
        }
    }

    @Test
    void tailReportsAnUnreadableJournal() throws Exception {
        AdminServer it = start(null, null, null);
        send("<11>first");
        await().until(() -> json(it, "/api/status").get("journaled").asLong() == 1);
        HttpResponse<InputStream> answer = client.send(
                HttpRequest.newBuilder(URI.create(it.url() + "/api/messages")).build(),
                HttpResponse.BodyHandlers.ofInputStream());
        Path shard = directory.resolve("data/journal/shard-0");
        try (Stream<Path> files = Files.list(shard);
                InputStream lines = answer.body()) {
            Path file = files.filter(each -> each.toString().endsWith(".cq4"))
                    .findFirst()
                    .orElseThrow();
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(8192);
            }
            JsonNode last = new ObjectMapper().readTree(new String(lines.readAllBytes(), UTF_8).strip());
            assertThat(last.get("error").asText()).contains(file + " is truncated or damaged: it has 8192 bytes");
        }
    }

    @Test
    void messagesNeedATokenForOtherUsers() throws Exception {
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "not root, who can become another user");
        AdminServer it = start(null, null, null);
        String ask = "exec 3<>/dev/tcp/127.0.0.1/" + URI.create(it.url()).getPort()
                + " && printf 'GET %s HTTP/1.0\\r\\n\\r\\n' >&3 && head -n 1 <&3";
        assertThat(as("65534", ask.formatted("/api/messages"))).startsWith("HTTP/1.1 403");
        assertThat(as("65534", ask.formatted("/api/ledger"))).startsWith("HTTP/1.1 200");
        assertThat(as("0", ask.formatted("/api/messages"))).startsWith("HTTP/1.1 200");
    }

    private static String as(String user, String command) throws Exception {
        Process process = new ProcessBuilder("setpriv", "--reuid=" + user, "--clear-groups", "bash", "-c", command)
                .redirectErrorStream(true)
                .start();
        return new String(process.getInputStream().readAllBytes(), UTF_8);
    }

    @Test
    void limitsTailsToFourAndServesOtherRequests() throws Exception {
        AdminServer it = start(null, null, null);
        URI uri = URI.create(it.url() + "/api/messages");
        List<InputStream> open = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            open.add(client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofInputStream())
                    .body());
        }
        assertThat(get(it, "/api/messages").statusCode()).isEqualTo(503);
        assertThat(get(it, "/healthz").statusCode()).isEqualTo(200);
        status.stopping();
        for (InputStream each : open) {
            assertThat(new String(each.readAllBytes(), UTF_8)).isBlank();
        }
    }

    @Test
    void rejectsMethodsOtherThanGetAndHead() throws Exception {
        AdminServer it = start(null, null, null);
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create(it.url() + "/api/ledger"))
                        .POST(HttpRequest.BodyPublishers.ofString("x"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(raw(it, "HEAD /api/ledger HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200")
                .endsWith("\r\n\r\n");
    }

    @Test
    void rejectsForeignHostHeaders() throws Exception {
        AdminServer it = start(null, null, null);
        String request = "GET /api/ledger HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n";
        for (String host : List.of("localhost", "localhost:9514", "127.0.0.1:9514", "[::1]:9514")) {
            assertThat(raw(it, request.formatted(host))).as(host).startsWith("HTTP/1.1 200");
        }
        for (String host : List.of("evil.example", "localhost.evil.example:9514", "127.0.0.1.evil.example")) {
            assertThat(raw(it, request.formatted(host))).as(host).startsWith("HTTP/1.1 403");
        }
    }

    @Test
    void tokenIsRequiredExceptForHealthAndPageFiles() throws Exception {
        AdminServer it = start("s3cret", null, null);
        for (String path : List.of("/api/ledger", "/metrics", "/api/messages", "/api/status", "/none")) {
            assertThat(get(it, path).statusCode()).as(path).isEqualTo(401);
            assertThat(get(it, path, "Authorization", "Bearer s3cre").statusCode())
                    .isEqualTo(401);
            assertThat(get(it, path, "Authorization", "Basic s3cret").statusCode())
                    .isEqualTo(401);
        }
        assertThat(get(it, "/api/ledger").body()).contains("Authorization").doesNotContain("s3cret");
        assertThat(get(it, "/api/ledger", "Authorization", "Bearer s3cret").statusCode())
                .isEqualTo(200);
        for (String path : List.of("/", "/web/page.js", "/healthz", "/readyz")) {
            assertThat(get(it, path).statusCode()).as(path).isEqualTo(200);
        }
    }

    @Test
    void servesHttpsWithTheConfiguredCertificate() throws Exception {
        TestCertificate certificate = new TestCertificate(directory, "server", "IP:127.0.0.1");
        AdminServer it = start(null, certificate.certificateFile(), certificate.keyFile());
        assertThat(it.url()).startsWith("https://");
        assertThatIOException().isThrownBy(() -> get(it, "/healthz"));
        client = HttpClient.newBuilder()
                .sslContext(certificate.server(certificate))
                .build();
        assertThat(get(it, "/healthz").statusCode()).isEqualTo(200);
    }

    /** One connection could demand any number of handshakes. */
    @Test
    void renegotiationIsRefused() throws Exception {
        TestCertificate certificate = new TestCertificate(directory, "server", "IP:127.0.0.1");
        AdminServer it = start(null, certificate.certificateFile(), certificate.keyFile());
        URI url = URI.create(it.url());
        try (SSLSocket socket = (SSLSocket)
                certificate.server(certificate).getSocketFactory().createSocket(url.getHost(), url.getPort())) {
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            socket.setSoTimeout(10_000);
            socket.startHandshake();
            assertThatThrownBy(() -> {
                        socket.startHandshake();
                        var unused = socket.getInputStream().read();
                    })
                    .isInstanceOf(SSLException.class);
        }
    }

    @Test
    void portInUseSaysHowToFindItsProcess() throws Exception {
        AdminServer it = start(null, null, null);
        int port = URI.create(it.url()).getPort();
        AdminSettings same =
                new AdminSettings(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), null, null, null);
        assertThatIOException()
                .isThrownBy(() -> new AdminServer(
                        collector, same, status, registry -> {}, InputRules.DEFAULT, Map.of(), () -> FILTERS, null))
                .withMessage(
                        ("admin HTTP cannot listen on tcp 127.0.0.1:%1$d: address already in use (another process has the"
                                        + " port; to find it: ss -lntp 'sport = :%1$d'); choose another address with --admin HOST:PORT, or"
                                        + " --admin off")
                                .formatted(port));
    }

    @Test
    void everyResponseHasAContentSecurityPolicy() throws Exception {
        AdminServer it = start(null, null, null);
        for (String path : List.of("/", "/web/page.js", "/api/status", "/none")) {
            HttpResponse<String> answer = get(it, path);
            assertThat(answer.headers().firstValue("Content-Security-Policy"))
                    .hasValueSatisfying(policy -> assertThat(policy)
                            .contains("default-src 'none'")
                            .contains("script-src 'self'")
                            .doesNotContain("unsafe"));
            assertThat(answer.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        }
        String page = get(it, "/").body();
        assertThat(page).doesNotContain("http://").doesNotContain("https://").doesNotContain(" style=");
    }

    @Test
    void oversizedRequestIsRejectedAndTheNextOneServed() throws Exception {
        AdminServer it = start(null, null, null);
        String huge = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(100_000) + "\r\n\r\n";
        String answer;
        try {
            answer = raw(it, huge);
        } catch (IOException reset) {
            answer = "";
        }
        assertThat(answer).doesNotContain("200 OK");
        assertThat(get(it, "/healthz").statusCode()).isEqualTo(200);
    }

    @Test
    void incompleteBodyIsABadRequestWithoutALogEntry() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(AdminServer.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try {
            AdminServer it = start(null, null, null);
            String post = "POST /api/reload HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
            for (String body : List.of("", "5", "5\r\nab", "5\r\nabcde", "x\r\n", "0".repeat(100))) {
                assertThat(halfClosed(it, post + body)).as(body).startsWith("HTTP/1.1 400");
            }
            assertThat(raw(it, post.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n") + "2\r\nab\r\n0\r\n\r\n"))
                    .startsWith("HTTP/1.1 409");
            assertThat(log.list).isEmpty();
        } finally {
            logger.detachAppender(log);
        }
    }

    /** The answer to a request after which the client sends nothing more. */
    private static String halfClosed(AdminServer of, String request) throws IOException {
        URI uri = URI.create(of.url());
        try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
            socket.setSoTimeout(5_000);
            socket.getOutputStream().write(request.getBytes(UTF_8));
            socket.shutdownOutput();
            BufferedReader answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
            return String.valueOf(answer.readLine());
        }
    }

    @Test
    void metricsHaveThePrometheusTextFormat() throws Exception {
        AdminServer it = start(null, null, null);
        String family = "";
        Set<String> families = new HashSet<>();
        Set<String> samples = new HashSet<>();
        for (String line : get(it, "/metrics").body().split("\n", -1)) {
            if (line.startsWith("# HELP ")) {
                family = line.split(" ", 4)[2];
                assertThat(families.add(family)).as("told once: %s", family).isTrue();
            } else if (line.startsWith("# TYPE ")) {
                assertThat(line).startsWith("# TYPE " + family + " ");
            } else if (!line.isEmpty()) {
                Matcher sample = SAMPLE.matcher(line);
                assertThat(sample.matches()).as(line).isTrue();
                assertThat(sample.group(1)).startsWith(family);
                assertThat(samples.add(sample.group(1) + sample.group(2)))
                        .as(line)
                        .isTrue();
            }
        }
        assertThat(families).hasSizeGreaterThan(50).contains("millrace_received_datagrams_total");
        assertThat(families).contains("process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds");
    }

    /** Asking for the states of threads stops all of them. */
    @Test
    void scrapeDoesNotBlockReceivers() throws Exception {
        assertThat(get(start(null, null, null), "/metrics").body())
                .contains("jvm_threads_live_threads")
                .doesNotContain("jvm_threads_states");
    }
}
