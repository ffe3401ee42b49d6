package io.millrace.output.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.luben.zstd.ZstdInputStream;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.millrace.output.TestServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** An HTTP server that hands each request to a model of what it stands for, or answers as a test told it before. */
final class HttpReceiver implements TestServer {
    /** An answer. */
    record Reply(int status, Map<String, String> headers, String body) {
        static Reply of(int status, String body) {
            return new Reply(status, Map.of(), body);
        }
    }

    /** What the server stands for: takes a body, and adds the messages in it to those received. */
    interface Model {
        Reply answer(String body, List<String> received) throws IOException;
    }

    /** A request, with its body not compressed, and the last value of each parameter of the query. */
    record Request(String method, String path, Map<String, String> query, Headers headers, String body) {}

    /** What the server stands for, if more than the body matters: any path. */
    interface RequestModel {
        Reply answer(Request request, List<String> received) throws IOException;
    }

    private final RequestModel model;
    private final @Nullable SSLContext tls;
    private final Charset charset;
    private final List<String> received = new ArrayList<>();
    private final Deque<Reply> scripted = new ArrayDeque<>();
    private final List<Headers> requests = new ArrayList<>();
    private final List<String> bodies = new ArrayList<>();
    private HttpServer server;
    private ExecutorService threads;
    private volatile long delayMs;
    private int port;

    HttpReceiver(String path, Model model) {
        this(path, model, null);
    }

    HttpReceiver(String path, Model model, @Nullable SSLContext tls) {
        this(at(path, model), tls, UTF_8);
    }

    HttpReceiver(RequestModel model) {
        this(model, null, UTF_8);
    }

    /** A server whose bodies are bytes, each of which is a character of the text that the model sees. */
    static HttpReceiver ofBytes(String path, Model model) {
        return new HttpReceiver(at(path, model), null, ISO_8859_1);
    }

    private HttpReceiver(RequestModel model, @Nullable SSLContext tls, Charset charset) {
        this.model = model;
        this.tls = tls;
        this.charset = charset;
    }

    private static RequestModel at(String path, Model model) {
        return (request, received) ->
                request.path().equals(path) ? model.answer(request.body(), received) : Reply.of(404, "no such path");
    }

    URI uri() {
        return URI.create((tls == null ? "http" : "https") + "://127.0.0.1:" + port);
    }

    /** The next request is answered like this, and not handed to the model. */
    void script(Reply reply) {
        synchronized (received) {
            scripted.add(reply);
        }
    }

    /** The headers of all requests. */
    List<Headers> requests() {
        synchronized (received) {
            return List.copyOf(requests);
        }
    }

    /** Their bodies, not compressed. */
    List<String> bodies() {
        synchronized (received) {
            return List.copyOf(bodies);
        }
    }

    @Override
    public void start() throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        if (tls == null) {
            server = HttpServer.create(address, 0);
        } else {
            HttpsServer secure = HttpsServer.create(address, 0);
            secure.setHttpsConfigurator(new HttpsConfigurator(tls));
            server = secure;
        }
        port = server.getAddress().getPort();
        threads = Executors.newCachedThreadPool();
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = body(exchange);
            if (delayMs > 0) {
                Thread.sleep(delayMs);
            }
            Reply reply;
            synchronized (received) {
                requests.add(exchange.getRequestHeaders());
                bodies.add(body);
                Request request = new Request(
                        exchange.getRequestMethod(),
                        exchange.getRequestURI().getPath(),
                        query(exchange.getRequestURI().getRawQuery()),
                        exchange.getRequestHeaders(),
                        body);
                reply = scripted.poll();
                reply = reply == null ? model.answer(request, received) : reply;
            }
            reply.headers().forEach(exchange.getResponseHeaders()::set);
            byte[] bytes = reply.body().getBytes(charset);
            exchange.sendResponseHeaders(reply.status(), bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Map<String, String> query(@Nullable String raw) {
        Map<String, String> query = new HashMap<>();
        for (String parameter : raw == null ? new String[0] : raw.split("&", -1)) {
            String[] parts = parameter.split("=", 2);
            query.put(URLDecoder.decode(parts[0], UTF_8), parts.length == 1 ? "" : URLDecoder.decode(parts[1], UTF_8));
        }
        return query;
    }

    private String body(HttpExchange exchange) throws IOException {
        String encoding = String.valueOf(exchange.getRequestHeaders().getFirst("Content-Encoding"));
        InputStream raw = exchange.getRequestBody();
        try (InputStream in = switch (encoding) {
            case "gzip" -> new GZIPInputStream(raw);
            case "zstd" -> new ZstdInputStream(raw);
            default -> raw;
        }) {
            return new String(in.readAllBytes(), charset);
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
    public List<String> received() {
        synchronized (received) {
            return List.copyOf(received);
        }
    }

    @Override
    public void delay(long ms) {
        delayMs = ms;
    }
}
