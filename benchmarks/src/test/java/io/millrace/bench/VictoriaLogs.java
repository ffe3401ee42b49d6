package io.millrace.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.FreePort;
import io.millrace.bench.host.Programs;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** VictoriaLogs in a process of its own, which keeps its port and its data over a restart. It takes what five outputs send. */
final class VictoriaLogs implements AutoCloseable {
    private static final String MODULE = "github.com/VictoriaMetrics/VictoriaLogs/app/victoria-logs@v1.52.2";
    private static final String TOOLCHAIN = "go1.27.3";
    private static final Duration START = Duration.ofSeconds(30);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Path program;
    private final Path directory;
    private final int port = FreePort.next();
    private Forked process;

    private VictoriaLogs(Path program, Path directory) {
        this.program = program;
        this.directory = directory;
    }

    /** Starts one; skips the test where it is not installed and cannot be built. */
    static VictoriaLogs start(Path directory) throws Exception {
        Optional<Path> program = program();
        Needs.that(program.isPresent(), "victoria-logs is not installed, and there is no Go that builds it");
        VictoriaLogs server = new VictoriaLogs(program.orElseThrow(), directory);
        server.start();
        return server;
    }

    private static Optional<Path> program() throws Exception {
        Optional<Path> installed = Programs.find("victoria-logs");
        Path built = Path.of(System.getProperty("user.home"), "go/bin/victoria-logs");
        if (installed.isPresent() || Files.isExecutable(built)) {
            return Optional.of(installed.orElse(built));
        }
        if (!Forked.isInstalled("go")) {
            return Optional.empty();
        }
        Path target = Path.of("target/go").toAbsolutePath();
        ProcessBuilder builder = new ProcessBuilder("go", "install", MODULE).inheritIO();
        builder.environment().put("GOTOOLCHAIN", TOOLCHAIN);
        builder.environment().put("GOBIN", target.toString());
        Process go = builder.start();
        if (!go.waitFor(5, TimeUnit.MINUTES)) {
            go.destroyForcibly();
        }
        Path made = target.resolve("victoria-logs");
        return Files.isExecutable(made) ? Optional.of(made) : Optional.empty();
    }

    /** Starts it, also again, and waits until it answers. */
    void start() throws Exception {
        process = Forked.start(List.of(
                program.toString(),
                "-storageDataPath=" + directory,
                "-httpListenAddr=127.0.0.1:" + port,
                "-retentionPeriod=10y",
                "-inmemoryDataFlushInterval=1s"));
        process.awaitErr("started server at", START);
    }

    /** SIGTERM, upon which it keeps what it has. */
    void stop() throws Exception {
        process.signal("TERM");
        process.awaitExit(START);
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    /** The one row of a LogsQL query, such as {@code * | stats count() n}. */
    JsonNode row(String query) throws IOException, InterruptedException {
        String body = "query=" + URLEncoder.encode(query, UTF_8);
        String answer = HTTP.send(
                        HttpRequest.newBuilder(URI.create(url() + "/select/logsql/query"))
                                .header("Content-Type", "application/x-www-form-urlencoded")
                                .POST(BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString())
                .body();
        return JSON.readTree(answer);
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }
}
