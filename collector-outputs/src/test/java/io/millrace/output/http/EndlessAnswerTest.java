package io.millrace.output.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.millrace.message.LineBuffer;
import io.millrace.output.internal.http.HttpAnswer;
import io.millrace.output.internal.http.HttpPost;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server whose answers do not end. */
@Timeout(60)
class EndlessAnswerTest {
    private final AtomicLong sent = new AtomicLong();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                exchange.sendResponseHeaders(200, 0);
                byte[] piece = "x".repeat(8192).getBytes(UTF_8);
                while (true) {
                    exchange.getResponseBody().write(piece);
                    sent.addAndGet(piece.length);
                }
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    @Test
    void limitsTheLengthOfAResponse() throws Exception {
        HttpSettings settings = HttpSettings.builder()
                .url(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
                .build();
        HttpPost post = settings.post(settings.target(), "text/plain", settings.limits());
        for (int i = 0; i < 10; i++) {
            HttpAnswer answer = post.send(new LineBuffer(), 100_000);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.isWhole()).isFalse();
            assertThat(answer.body()).hasSize(100_000);
        }
        assertThat(sent.get()).as("bytes sent, with the kernel's buffers").isLessThan(200L << 20);
    }
}
