package io.millrace.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.FreePort;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** S3Proxy on a directory, in a process of its own, that keeps its port and its objects over a kill. It checks signatures. */
final class S3Server implements AutoCloseable {
    static final String ACCESS_KEY = "it-access";
    static final String SECRET_KEY = "it-words-of-a-test";
    private static final Duration START = Duration.ofSeconds(60);
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Path directory;
    private final int port = FreePort.next();
    private Forked process;

    private S3Server(Path directory) throws IOException {
        this.directory = directory;
    }

    /** Makes a server with a bucket in a directory, and starts it. */
    static S3Server start(Path directory, String bucket) throws Exception {
        S3Server server = new S3Server(directory);
        Files.createDirectories(server.objects().resolve(bucket));
        Files.writeString(
                server.configuration(),
                String.join(
                        "\n",
                        "s3proxy.endpoint=" + server.url(),
                        "s3proxy.authorization=aws-v4",
                        "s3proxy.identity=" + ACCESS_KEY,
                        "s3proxy.credential=" + SECRET_KEY,
                        "jclouds.provider=filesystem-nio2",
                        "jclouds.filesystem.basedir=" + server.objects(),
                        "jclouds.identity=none",
                        "jclouds.credential=none",
                        ""));
        server.start();
        return server;
    }

    private Path objects() {
        return directory.resolve("objects");
    }

    private Path configuration() {
        return directory.resolve("s3proxy.properties");
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    /** Starts it, and waits until it answers. */
    void start() throws Exception {
        List<String> command = Forked.java();
        String tests = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        command.addAll(List.of("-Xmx256m", "-cp", tests, "org.gaul.s3proxy.Main", "--properties"));
        command.add(configuration().toString());
        process = Forked.start(command);
        long end = System.nanoTime() + START.toNanos();
        while (!answers()) {
            if (System.nanoTime() > end || !process.isAlive()) {
                throw new AssertionError("the server does not answer: " + process.err() + process.out());
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private boolean answers() throws InterruptedException {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url()))
                    .timeout(Duration.ofSeconds(5))
                    .build();
            return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() > 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** {@code kill -9}. */
    void kill() throws Exception {
        process.signal("KILL");
        process.awaitExit(START);
    }

    /** The objects of a bucket, decompressed, by their keys. */
    Map<String, List<String>> objects(String bucket) throws IOException {
        Map<String, List<String>> objects = new TreeMap<>();
        Path root = objects().resolve(bucket);
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".ndjson.gz")).toList()) {
                try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
                    objects.put(
                            root.relativize(file).toString(),
                            new String(in.readAllBytes(), UTF_8).lines().toList());
                }
            }
        }
        return objects;
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }
}
