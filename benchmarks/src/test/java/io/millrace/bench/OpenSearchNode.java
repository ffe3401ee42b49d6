package io.millrace.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** OpenSearch in a process of its own, on a JDK 21 or later, that keeps its port and its data over a kill. */
final class OpenSearchNode implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(2);
    private static final Path SOURCES = Path.of("src/test/opensearch").toAbsolutePath();
    private static final Path CLASS_PATH =
            Path.of("target/opensearch.classpath").toAbsolutePath();
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Path directory;
    private final Path java;
    private final int port = FreePort.next();
    private final int transportPort = FreePort.next();
    private Forked process;

    private OpenSearchNode(Path directory, Path java) {
        this.directory = directory;
        this.java = java;
    }

    /** Starts one; skips the test where there is no JDK for it, or its libraries cannot be had. */
    static OpenSearchNode start(Path directory) throws Exception {
        Optional<Path> java = java();
        Needs.that(java.isPresent(), "there is no JDK 21 or later under /usr/lib/jvm, which OpenSearch needs");
        Needs.that(Files.exists(CLASS_PATH) || resolve(), "the libraries of OpenSearch cannot be downloaded");
        OpenSearchNode node = new OpenSearchNode(directory, java.orElseThrow());
        node.start();
        return node;
    }

    private static Optional<Path> java() throws IOException {
        Path root = Path.of("/usr/lib/jvm");
        if (!Files.isDirectory(root)) {
            return Optional.empty();
        }
        try (Stream<Path> jdks = Files.list(root)) {
            return jdks.filter(jdk -> Files.exists(jdk.resolve("lib/modules")))
                    .filter(jdk -> version(jdk) >= 21)
                    .map(jdk -> jdk.resolve("bin/java"))
                    .findFirst();
        }
    }

    private static int version(Path jdk) {
        try {
            return Files.readAllLines(jdk.resolve("release")).stream()
                    .filter(line -> line.startsWith("JAVA_VERSION=\""))
                    .map(line -> line.replaceFirst("JAVA_VERSION=\"(\\d+).*", "$1"))
                    .mapToInt(Integer::parseInt)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }

    private static boolean resolve() throws Exception {
        Path maven = Path.of("../mvnw").toAbsolutePath().normalize();
        Process process = new ProcessBuilder(
                        maven.toString(),
                        "-B",
                        "-q",
                        "-f",
                        SOURCES.resolve("pom.xml").toString(),
                        "dependency:build-classpath",
                        "-Dmdep.outputFile=" + CLASS_PATH)
                .inheritIO()
                .start();
        return process.waitFor() == 0;
    }

    /** Starts it, also again, and waits until it answers. */
    void start() throws Exception {
        process = Forked.start(List.of(
                java.toString(),
                "-Xmx512m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                Files.readString(CLASS_PATH).strip(),
                SOURCES.resolve("Node.java").toString(),
                directory.toString(),
                Integer.toString(port),
                Integer.toString(transportPort)));
        process.awaitOut(line -> line.contains("ready"), START);
    }

    /** {@code kill -9}. */
    void kill() throws Exception {
        process.signal("KILL");
        process.awaitExit(START);
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    /** Asks for something; the answer must be a success. */
    JsonNode ask(String method, String path, String body) throws IOException, InterruptedException {
        HttpResponse<String> answer = HTTP.send(
                HttpRequest.newBuilder(URI.create(url() + path))
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        if (answer.statusCode() / 100 != 2) {
            throw new AssertionError(method + " " + path + ": " + answer.statusCode() + " " + answer.body());
        }
        return JSON.readTree(answer.body());
    }

    /** The number of documents in a data stream or index, with all that was sent before. */
    long count(String index) throws IOException, InterruptedException {
        ask("POST", "/" + index + "/_refresh", "");
        return ask("GET", "/" + index + "/_count", "").get("count").asLong();
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }
}
