package io.millrace.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.millrace.collector.Collector;
import io.millrace.record.IpText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Admin HTTP: {@code /healthz /readyz /metrics /api/ledger}. Two threads of its own; it only reads, so that no request
 * can disturb receiving.
 */
final class AdminServer implements AutoCloseable {
    private static final int THREADS = 2;
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String JSON = "application/json";
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer server;
    private final ExecutorService threads;
    private final JvmGcMetrics gcMetrics = new JvmGcMetrics();
    private volatile boolean stopping;

    /** An answer. */
    private record Answer(int status, String type, String body) {}

    /** Makes an answer. */
    private interface Page {
        Answer answer();
    }

    static {
        // A request that is not complete after this many seconds ends. The server reads it when it is first used.
        System.setProperty("sun.net.httpserver.maxReqTime", "10");
        System.setProperty("sun.net.httpserver.maxRspTime", "30");
    }

    AdminServer(Collector collector, InetSocketAddress address) throws IOException {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        collector.metrics().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        gcMetrics.bindTo(registry);

        try {
            server = HttpServer.create(address, 0);
        } catch (IOException e) {
            throw new IOException(
                    "admin HTTP cannot listen on " + IpText.of(address) + ": " + e.getMessage()
                            + "; choose another with --admin HOST:PORT, or --admin off",
                    e);
        }
        threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "millrace-admin");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(threads);
        page("/healthz", () -> new Answer(200, TEXT, "ok\n"));
        page("/readyz", () -> ready(collector));
        page("/metrics", () -> new Answer(200, PROMETHEUS, registry.scrape()));
        page("/api/ledger", () -> new Answer(200, JSON, Json.ledger(collector.ledger(), collector.outputs()) + "\n"));
        server.createContext("/", exchange -> {
            send(exchange, new Answer(404, TEXT, "there is /healthz, /readyz, /metrics and /api/ledger\n"));
        });
        server.start();
    }

    private Answer ready(Collector collector) {
        if (stopping) {
            return new Answer(503, TEXT, "stopping\n");
        }
        List<String> problems = collector.problems();
        return problems.isEmpty()
                ? new Answer(200, TEXT, "ready\n")
                : new Answer(503, TEXT, String.join("\n", problems) + "\n");
    }

    private void page(String path, Page page) {
        server.createContext(path, exchange -> {
            if (!exchange.getRequestURI().getPath().equals(path)) {
                send(exchange, new Answer(404, TEXT, "not found\n"));
            } else if (!List.of("GET", "HEAD").contains(exchange.getRequestMethod())) {
                send(exchange, new Answer(405, TEXT, "only GET and HEAD\n"));
            } else {
                send(exchange, page.answer());
            }
        });
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        try (exchange) {
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", answer.type());
            boolean bodiless = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(answer.status(), bodiless ? -1 : body.length);
            if (!bodiless) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    InetSocketAddress address() {
        return server.getAddress();
    }

    /** Says on {@code /readyz} that the service stops. */
    void stopping() {
        stopping = true;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        gcMetrics.close();
    }
}
