package io.millrace.bench.soak;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.millrace.bench.check.RunCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/** An HTTP server that takes lines, and refuses them for the last part of each period. Requests are answered one at a time. */
final class UnreliableServer implements AutoCloseable {
    private static final int TAKEN = 200;
    private static final int UNAVAILABLE = 503;

    private final HttpServer server;
    private final RunCheck check;
    private final long beginNs = System.nanoTime();
    private final long periodNs;
    private final long refuseNs;
    private volatile boolean alwaysTakes;
    private long refused;

    UnreliableServer(long runId, Duration period, Duration refuseFor) throws IOException {
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

    /** Refuses no more: what is left is to be delivered. */
    void recover() {
        alwaysTakes = true;
    }

    private boolean refuses() {
        return !alwaysTakes && (System.nanoTime() - beginNs) % periodNs > periodNs - refuseNs;
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            boolean refuse = refuses();
            if (refuse) {
                refused++;
            } else {
                take(body);
            }
            exchange.sendResponseHeaders(refuse ? UNAVAILABLE : TAKEN, -1);
        }
    }

    private void take(byte[] body) {
        int begin = 0;
        for (int i = 0; i < body.length; i++) {
            if (body[i] == '\n') {
                check.add(body, begin, i - begin);
                begin = i + 1;
            }
        }
    }

    /** Requests that were refused. */
    synchronized long refused() {
        return refused;
    }

    /** What came; to be read when nothing comes any more. */
    synchronized RunCheck check() {
        return check;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
