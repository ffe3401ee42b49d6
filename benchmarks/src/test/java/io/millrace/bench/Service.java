package io.millrace.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.collector.Counter;
import io.millrace.internal.counters.CounterFile;
import io.millrace.journal.Journal;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The service in a process of its own, on a data directory. */
final class Service implements AutoCloseable {
    static final Duration START = Duration.ofSeconds(30);
    static final Duration STOP = Duration.ofSeconds(60);

    private static final Pattern PORT = Pattern.compile("ready: udp \\S*:(\\d+)[ ,]");
    private static final Pattern OPENED = Pattern.compile("journal opened in (\\d+) ms");
    private static final Pattern ADMIN = Pattern.compile("admin (http://\\S+)");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Forked process;
    private final Path data;
    private final String readyLine;

    private Service(Forked process, Path data, String readyLine) {
        this.process = process;
        this.data = data;
        this.readyLine = readyLine;
    }

    /** Starts it on a free port of 127.0.0.1 unless the options say otherwise, and waits until it is ready. */
    static Service start(List<String> prefix, Path data, String... options) throws InterruptedException {
        List<String> args = new ArrayList<>(List.of("run", "--data", data.toString()));
        if (!List.of(options).contains("--listen")) {
            args.addAll(List.of("--listen", "127.0.0.1:0"));
        }
        if (!List.of(options).contains("--admin")) {
            args.addAll(List.of("--admin", "127.0.0.1:0"));
        }
        args.addAll(List.of(options));
        return awaitReady(data, Forked.millrace(prefix, args.toArray(String[]::new)));
    }

    /** The same with inputs that a configuration file names. */
    static Service startWith(Path data, String... options) throws InterruptedException {
        return startWith(List.of(), data, options);
    }

    /** The same, with a command before the program. */
    static Service startWith(List<String> prefix, Path data, String... options) throws InterruptedException {
        List<String> args = new ArrayList<>(List.of("run", "--data", data.toString(), "--admin", "127.0.0.1:0"));
        args.addAll(List.of(options));
        return awaitReady(data, Forked.millrace(prefix, args.toArray(String[]::new)));
    }

    private static Service awaitReady(Path data, Forked process) throws InterruptedException {
        try {
            return new Service(process, data, process.awaitErr("ready:", START));
        } catch (AssertionError e) {
            process.close();
            throw e;
        }
    }

    Forked process() {
        return process;
    }

    String readyLine() {
        return readyLine;
    }

    /** How long the service took to open the journal, in ms, as its ready line says. */
    long journalOpenMs() {
        Matcher matcher = OPENED.matcher(readyLine);
        if (!matcher.find()) {
            throw new AssertionError("no time in: " + readyLine);
        }
        return Long.parseLong(matcher.group(1));
    }

    /** Skips the test where the kernel does not grant the receive buffer that its load needs. */
    void needsItsReceiveBuffer() {
        Needs.that(
                readyLine.contains("receive buffer 64 MiB"),
                "the kernel grants too small a receive buffer: " + readyLine);
    }

    int port() {
        Matcher matcher = PORT.matcher(readyLine);
        if (!matcher.find()) {
            throw new AssertionError("no port in: " + readyLine);
        }
        return Integer.parseInt(matcher.group(1));
    }

    String target() {
        return "127.0.0.1:" + port();
    }

    /** Where admin HTTP is. */
    String adminUrl() {
        Matcher matcher = ADMIN.matcher(readyLine);
        if (!matcher.find()) {
            throw new AssertionError("no admin address in: " + readyLine);
        }
        return matcher.group(1);
    }

    /** An answer of admin HTTP. */
    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        URI uri = URI.create(adminUrl() + path);
        return HTTP.send(
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(10)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    JsonNode ledger() throws IOException, InterruptedException {
        return new ObjectMapper().readTree(get("/api/ledger").body());
    }

    /** SIGTERM, and waits for the end: exit code 0. */
    void stop() throws IOException, InterruptedException {
        process.signal("TERM");
        int code = process.awaitExit(STOP);
        if (code != 0) {
            throw new AssertionError("exit code " + code + ": " + process.err());
        }
    }

    /** A counter of the data directory, over its whole life. */
    static long counter(Path data, Counter counter) throws IOException {
        return CounterFile.openReadOnly(data.resolve("counters")).sum(counter);
    }

    Journal journal() throws IOException {
        return Journal.open(data);
    }

    @Override
    public void close() {
        process.close();
    }
}
