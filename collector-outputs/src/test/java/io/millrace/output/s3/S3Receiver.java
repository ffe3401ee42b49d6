package io.millrace.output.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.luben.zstd.ZstdInputStream;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.millrace.output.TestServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;

/** A server that keeps objects, or answers as a test told it before. */
final class S3Receiver implements TestServer {
    /** An answer. */
    record Reply(int status, String body) {
        static Reply error(int status, String code) {
            return new Reply(
                    status,
                    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>" + code
                            + "</Code><Message>as the server says</Message></Error>");
        }
    }

    private final Map<String, String> objects = new LinkedHashMap<>();
    private final List<String> puts = new ArrayList<>();
    private final List<Headers> requests = new ArrayList<>();
    private final Deque<Reply> scripted = new ArrayDeque<>();
    private HttpServer server;
    private ExecutorService threads;
    private volatile long delayMs;
    private int port;

    URI uri() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** The next request is answered like this, and nothing is kept. */
    synchronized void script(Reply reply) {
        scripted.add(reply);
    }

    /** The objects by their paths, not compressed, in the order in which they came first. */
    synchronized Map<String, String> objects() {
        return new LinkedHashMap<>(objects);
    }

    /** The paths of all objects that were put, also those that were put again. */
    synchronized List<String> puts() {
        return List.copyOf(puts);
    }

    /** The headers of all requests. */
    synchronized List<Headers> requests() {
        return List.copyOf(requests);
    }

    @Override
    public void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        port = server.getAddress().getPort();
        threads = Executors.newCachedThreadPool();
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (delayMs > 0) {
                Thread.sleep(delayMs);
            }
            Reply reply = answer(exchange, body);
            byte[] bytes = reply.body().getBytes(UTF_8);
            exchange.sendResponseHeaders(reply.status(), bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Reply answer(HttpExchange exchange, byte[] body) throws IOException {
        Headers headers = exchange.getRequestHeaders();
        String path = exchange.getRequestURI().getPath();
        requests.add(headers);
        if (!headers.getFirst("X-amz-content-sha256").equals(sha256(body))) {
            return Reply.error(400, "XAmzContentSHA256Mismatch");
        }
        Reply script = scripted.poll();
        if (script != null) {
            return script;
        }
        if (exchange.getRequestMethod().equals("PUT")) {
            puts.add(path);
            objects.put(path, text(path, body));
        }
        return new Reply(200, "");
    }

    private static String text(String path, byte[] body) throws IOException {
        InputStream raw = new ByteArrayInputStream(body);
        try (InputStream in = path.endsWith(".gz")
                ? new GZIPInputStream(raw)
                : path.endsWith(".zst") ? new ZstdInputStream(raw) : raw) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private static String sha256(byte[] body) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        if (server != null) {
            server.stop(0);
            threads.shutdownNow();
            server = null;
        }
    }

    @Override
    public synchronized List<String> received() {
        return objects.values().stream().flatMap(String::lines).toList();
    }

    @Override
    public void delay(long ms) {
        delayMs = ms;
    }
}
