package io.millrace.output.internal.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a connection does with a server that does not do its part. */
@Timeout(30)
class TcpConnectionTest {
    private static final byte[] MUCH = new byte[64 << 20];

    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private TcpConnection connect(Duration timeout) throws Exception {
        return TcpConnection.open(
                "127.0.0.1", server.getLocalPort(), System.nanoTime() + TimeUnit.SECONDS.toNanos(10), timeout);
    }

    @Test
    void failsIfTheServerReadsNothing() throws Exception {
        try (TcpConnection connection = connect(Duration.ofMillis(200))) {
            assertThatIOException()
                    .isThrownBy(() -> connection.send(MUCH, 0, MUCH.length))
                    .withMessage("it has accepted no data for 200 ms");
        }
    }

    @Test
    void interruptEndsTheWait() throws Exception {
        try (TcpConnection connection = connect(Duration.ofMinutes(1))) {
            Thread self = Thread.currentThread();
            Thread other = new Thread(() -> {
                try {
                    Thread.sleep(200);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                self.interrupt();
            });
            other.start();
            assertThatThrownBy(() -> connection.send(MUCH, 0, MUCH.length))
                    .isInstanceOfAny(InterruptedException.class, ClosedByInterruptException.class);
            Thread.interrupted();
            other.join();
        }
    }

    @Test
    void detectsAConnectionClosedByTheServer() throws Exception {
        try (TcpConnection connection = connect(Duration.ofSeconds(5))) {
            try (Socket accepted = server.accept()) {
                accepted.getOutputStream().write(MUCH, 0, 10_000);
                connection.check();
            }
            await().untilAsserted(() ->
                    assertThatIOException().isThrownBy(connection::check).withMessage("it has closed the connection"));
        }
    }

    @Test
    void finishWaitsForTheServer() throws Exception {
        try (TcpConnection connection = connect(Duration.ofSeconds(5));
                Socket accepted = server.accept()) {
            accepted.getOutputStream().write(MUCH, 0, 1000);
            connection.send(MUCH, 0, 100_000);
            long begin = System.nanoTime();
            CompletableFuture<Integer> read = CompletableFuture.supplyAsync(() -> {
                try {
                    Thread.sleep(200);
                    int count = accepted.getInputStream().readAllBytes().length;
                    accepted.shutdownOutput();
                    return count;
                } catch (IOException | InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            connection.finish();
            assertThat(System.nanoTime() - begin).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(100));
            assertThat(read.get(10, TimeUnit.SECONDS)).isEqualTo(100_000);
        }
    }

    @Test
    void finishHasATimeLimit() throws Exception {
        try (TcpConnection connection = connect(Duration.ofSeconds(5));
                Socket accepted = server.accept()) {
            connection.finish();
            assertThat(accepted.getInputStream().read()).isNegative();
        }
    }
}
