package io.millrace.bench.soak;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.bench.subject.ChildProcess;
import io.millrace.bench.subject.Proc;
import io.millrace.bench.subject.Programs;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The service under soak, in a process of its own, as a user runs it. */
final class SoakService implements AutoCloseable {
    private static final Pattern PORT = Pattern.compile("ready: udp \\S*:(\\d+)[ ,]");
    private static final Pattern ADMIN = Pattern.compile("admin (http://[^ ,]+)");
    private static final Duration READY = Duration.ofSeconds(30);
    private static final Duration STOP = Duration.ofMinutes(2);
    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final int OK = 200;

    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient http = HttpClient.newHttpClient();
    private final ChildProcess process;
    private final String ready;

    private SoakService(ChildProcess process, String ready) {
        this.process = process;
        this.ready = ready;
    }

    static SoakService start(SoakPlan plan) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(Programs.java());
        command.addAll(List.of(
                "-jar",
                Programs.built("collector-app/target/millrace.jar").toString(),
                "run",
                "--config",
                plan.configFile().toString(),
                "--data",
                plan.data().toString(),
                "--admin",
                "127.0.0.1:0"));
        ChildProcess process = ChildProcess.start("the service", command);
        try {
            return new SoakService(process, process.awaitErr(line -> line.contains("ready:"), READY));
        } catch (IOException | InterruptedException e) {
            process.close();
            throw e;
        }
    }

    /** What it said when it was ready. */
    String ready() {
        return ready;
    }

    String target() throws IOException {
        return "127.0.0.1:" + found(PORT);
    }

    private String found(Pattern pattern) throws IOException {
        Matcher matcher = pattern.matcher(ready);
        if (!matcher.find()) {
            throw new IOException("the service does not say where it is: " + ready);
        }
        return matcher.group(1);
    }

    JsonNode ledger() throws IOException, InterruptedException {
        return json.readTree(body(HttpRequest.newBuilder(admin("/api/ledger"))));
    }

    /** Has it read its configuration again. */
    void reload() throws IOException, InterruptedException {
        var unused = body(HttpRequest.newBuilder(admin("/api/reload")).POST(HttpRequest.BodyPublishers.noBody()));
    }

    private URI admin(String path) throws IOException {
        return URI.create(found(ADMIN) + path);
    }

    private String body(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(request.timeout(ANSWER).build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != OK) {
            throw new IOException(answer.uri().getPath() + " was answered with " + answer.statusCode() + ": "
                    + answer.body().strip());
        }
        return answer.body();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** A value of {@code /proc/PID/status}; memory is in KiB. */
    long status(String name) throws IOException {
        return Proc.text(proc("status"))
                .lines()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow(() -> new IOException("/proc/PID/status has no " + name));
    }

    long openFiles() throws IOException {
        try (Stream<Path> files = Files.list(proc("fd"))) {
            return files.count();
        }
    }

    private Path proc(String file) {
        return Path.of("/proc", Long.toString(process.pid()), file);
    }

    /** SIGTERM, and waits for the end; its exit code. */
    int stop() throws IOException, InterruptedException {
        return process.terminate(STOP);
    }

    /** All it said; once it has ended. */
    List<String> log() throws InterruptedException {
        return process.err();
    }

    @Override
    public void close() {
        process.close();
    }
}
