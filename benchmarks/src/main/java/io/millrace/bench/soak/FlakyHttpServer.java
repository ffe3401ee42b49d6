package io.millrace.bench.soak;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.millrace.bench.check.RunCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/** HTTP server for lines that returns 503 during the last part of each period. Requests are handled one at a time. */
final class FlakyHttpServer implements AutoCloseable {
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    private final HttpServer server;
    private final RunCheck check;
    private final long beginNs = System.nanoTime();
    private final long periodNs;
    private final long refuseNs;
    private volatile boolean alwaysAccepts;
    private long refused;

    FlakyHttpServer(long runId, Duration period, Duration refuseFor) throws IOException {
        this.check = new RunCheck(runId);
        this.periodNs = period.toNanos();
        this.refuseNs = refuseFor.toNanos();
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Stops refusing, so that the rest can be delivered. */
    void recover() {
        alwaysAccepts = true;
    }

    private boolean refuses() {
        return !alwaysAccepts && (System.nanoTime() - beginNs) % periodNs > periodNs - refuseNs;
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            boolean refuse = refuses();
            if (refuse) {
                refused++;
            } else {
                var unused = check.addLines(body, body.length);
            }
            exchange.sendResponseHeaders(refuse ? UNAVAILABLE : OK, -1);
        }
    }

    /** The number of refused requests. */
    synchronized long refused() {
        return refused;
    }

    /** The received lines; call it after the last request. */
    synchronized RunCheck check() {
        return check;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
