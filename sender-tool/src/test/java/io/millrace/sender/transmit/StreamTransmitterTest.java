package io.millrace.sender.transmit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class StreamTransmitterTest {
    private static Transmitter open(SocketAddress to, int sources, boolean counted) throws IOException {
        return open(to, sources, counted, 0);
    }

    private static Transmitter open(SocketAddress to, int sources, boolean counted, int segment) throws IOException {
        Endpoints endpoints = new Endpoints(List.of(), sources, null);
        return TransmitterFactory.ofStreams(
                        endpoints,
                        SocketApi.AUTO,
                        new TransmitterFactory.Streams(
                                List.of(to),
                                counted ? TransmitterFactory.Messages.COUNTED : TransmitterFactory.Messages.LINES))
                .open(endpoints, segment);
    }

    private static ByteBuffer message(String text) {
        return ByteBuffer.wrap(text.getBytes(US_ASCII));
    }

    private static String all(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }

    @Test
    void eachSourceHasAConnection() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            try (Transmitter transmitter = open(server.getLocalSocketAddress(), 2, false)) {
                transmitter.send(0, message("one"));
                transmitter.send(1, message("two"));
                transmitter.send(0, message("three"));
            }
            try (Socket first = server.accept();
                    Socket second = server.accept()) {
                assertThat(List.of(all(first), all(second))).containsExactly("one\nthree\n", "two\n");
            }
        }
    }

    @Test
    void messagesHaveAnOctetCount() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            try (Transmitter transmitter = open(server.getLocalSocketAddress(), 1, true)) {
                transmitter.send(0, message("one"));
                transmitter.send(0, message("x".repeat(1000)));
            }
            try (Socket socket = server.accept()) {
                assertThat(all(socket)).isEqualTo("3 one1000 " + "x".repeat(1000));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"false, 'one|two|six|'", "true, 3 one3 two3 six"})
    void batchIsSplitIntoMessages(boolean counted, String received) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            try (Transmitter transmitter = open(server.getLocalSocketAddress(), 1, counted, 3)) {
                transmitter.send(0, message("onetwo"));
                transmitter.send(0, message("six"));
            }
            try (Socket socket = server.accept()) {
                assertThat(all(socket)).isEqualTo(received.replace('|', '\n'));
            }
        }
    }

    @Test
    void emptyMessageIsAFrameToo() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            try (Transmitter transmitter = open(server.getLocalSocketAddress(), 1, false)) {
                transmitter.send(0, message(""));
                transmitter.send(0, message("x"));
            }
            try (Socket socket = server.accept()) {
                assertThat(all(socket)).isEqualTo("\nx\n");
            }
        }
    }

    @Test
    void connectionThatFailsIsOpenedAgain() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                Transmitter transmitter = open(server.getLocalSocketAddress(), 1, false)) {
            Socket first = server.accept();
            first.setSoLinger(true, 0);
            first.close();
            boolean failed = false;
            for (int i = 0; i < 100 && !failed; i++) {
                try {
                    transmitter.send(0, message("lost"));
                    Thread.sleep(10);
                } catch (IOException e) {
                    failed = true;
                }
            }
            assertThat(failed).isTrue();
            transmitter.send(0, message("again"));
            try (Socket second = server.accept()) {
                byte[] line = second.getInputStream().readNBytes(6);
                assertThat(new String(line, US_ASCII)).isEqualTo("again\n");
            }
        }
    }

    @Test
    void unixSocket(@TempDir Path directory) throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("s"));
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(address);
            try (Transmitter transmitter = open(address, 1, false)) {
                transmitter.send(0, message("local"));
            }
            try (SocketChannel channel = server.accept()) {
                byte[] all = Channels.newInputStream(channel).readAllBytes();
                assertThat(new String(all, US_ASCII)).isEqualTo("local\n");
            }
        }
    }

    @Test
    void targetWithoutAListenerIsNamed(@TempDir Path directory) {
        assertThatIOException()
                .isThrownBy(() -> open(UnixDomainSocketAddress.of(directory.resolve("none")), 1, false))
                .withMessageContaining("cannot connect source 1 of 1 to ")
                .withMessageContaining("none");
        assertThatIOException()
                .isThrownBy(() -> open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), 1, false))
                .withMessageContaining("refused");
    }
}
