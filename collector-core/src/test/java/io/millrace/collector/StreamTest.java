package io.millrace.collector;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.internal.filter.Regex;
import io.millrace.journal.DatagramView;
import io.millrace.journal.FrameTransport;
import io.millrace.journal.JournalCursor;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.LinuxSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Inputs of connections, from the socket to the journal. */
@Timeout(60)
class StreamTest {
    private static final Endpoint TCP = Endpoint.tcp(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

    @TempDir
    Path directory;

    private CollectorBuilder builder(String transport) {
        Assumptions.assumeTrue(transport.equals("nio") || Epoll.isAvailable(), "no epoll");
        return Collector.builder()
                .journal(directory.resolve("data"))
                .transport(transport)
                .receivers(1)
                .threading(Threading.SHARED)
                .stopTimeout(Duration.ofSeconds(5));
    }

    private static StreamSettings settings(int maxMessage, int max, int perSource, Duration idle) {
        return StreamSettings.DEFAULT
                .with(StreamSettings.MAX_MESSAGE, maxMessage)
                .with(StreamSettings.MAX_CONNECTIONS, max)
                .with(StreamSettings.MAX_CONNECTIONS_PER_SOURCE, perSource)
                .with(StreamSettings.IDLE_TIMEOUT, idle);
    }

    private static Socket connect(Collector collector) throws IOException {
        InetSocketAddress address = collector.endpoints().get(0).address();
        return new Socket(address.getAddress(), address.getPort());
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
    }

    private static List<DatagramView> journaled(Collector collector) throws IOException {
        List<DatagramView> found = new ArrayList<>();
        try (JournalCursor cursor = collector.journal().cursor().open()) {
            while (cursor.poll((datagram, position) -> found.add(datagram.copy())) > 0) {
                // All of it.
            }
        }
        return found;
    }

    private static List<String> texts(Collector collector) throws IOException {
        return journaled(collector).stream().map(DatagramView::payloadText).toList();
    }

    private static StreamCounters counters(Collector collector) {
        return collector.streams().get(0);
    }

    private static void awaitMessages(Collector collector, long count) {
        await().until(() -> collector.ledger().journaled() >= count);
        assertThat(collector.ledger().journaled()).isEqualTo(count);
    }

    private static void assertLedgerCloses(Collector collector) {
        Ledger ledger = collector.ledger();
        assertThat(ledger.received()).isEqualTo(ledger.journaled() + ledger.dropped(DropReason.CRASH));
        assertThat(ledger.inFlight()).isZero();
        for (StreamCounters counters : collector.streams()) {
            assertThat(counters.pendingBytes()).isZero();
            assertThat(counters.get(StreamCounter.READ_BYTES))
                    .isEqualTo(counters.get(StreamCounter.PAYLOAD_BYTES)
                            + counters.get(StreamCounter.FRAMING_BYTES)
                            + counters.get(StreamCounter.SKIPPED_BYTES));
            assertThat(counters.open()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void linesOfAMessageAreJoined(String transport) throws IOException {
        Multiline multiline = new Multiline("<\\d+>", Regex.startsWith("<\\d+>")::test, Duration.ofSeconds(1));
        Collector collector = builder(transport)
                .listen("tcp", TCP, StreamSettings.DEFAULT.withMultiline(multiline))
                .build()
                .start();
        try (Socket socket = connect(collector)) {
            send(socket, "<13>java.lang.Error: x\n\tat a.B.c(B.java:1)\r\n\tat d.E.f(E.java:2)\n<13>two\n");
            awaitMessages(collector, 1);
            // After its timeout, without a further line.
            awaitMessages(collector, 2);
            send(socket, "<13>three\n  of three, and no line feed");
            socket.shutdownOutput();
            awaitMessages(collector, 3);
            assertThat(texts(collector))
                    .containsExactly(
                            "<13>java.lang.Error: x\n\tat a.B.c(B.java:1)\n\tat d.E.f(E.java:2)",
                            "<13>two",
                            "<13>three\n  of three, and no line feed");
        }
        collector.close();
        assertLedgerCloses(collector);
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void messagesOfBothFramingsAreJournaled(String transport) throws IOException {
        Collector collector = builder(transport)
                .listen("tcp", TCP, StreamSettings.DEFAULT)
                .build()
                .start();
        try (Socket socket = connect(collector)) {
            send(socket, "<13>one\n9 <13>two\nx<13>three\r\n\n<13>unterminated");
            awaitMessages(collector, 3);
            socket.shutdownOutput();
            awaitMessages(collector, 4);
            List<DatagramView> found = journaled(collector);
            assertThat(found)
                    .extracting(DatagramView::payloadText)
                    .containsExactly("<13>one", "<13>two\nx", "<13>three", "<13>unterminated");
            assertThat(found).allSatisfy(view -> {
                assertThat(view.transport()).isEqualTo(FrameTransport.TCP);
                assertThat(view.sourceText()).isEqualTo("127.0.0.1");
                assertThat(view.sourcePort()).isEqualTo(socket.getLocalPort());
            });
            await().until(() -> counters(collector).get(StreamCounter.CLOSED_PEER) == 1);
        } finally {
            collector.close();
        }
        assertLedgerCloses(collector);
    }

    @Test
    void halfAMessageIsIncompleteAtTheEndOfItsConnection() throws IOException {
        Collector collector = builder("auto")
                .listen("tcp", TCP, StreamSettings.DEFAULT)
                .build()
                .start();
        try (Socket socket = connect(collector)) {
            send(socket, "100 <13>half");
            await().until(() -> counters(collector).pendingBytes() == 12);
            assertThat(collector.ledger().received()).isZero();
            socket.shutdownOutput();
            awaitMessages(collector, 1);
            DatagramView view = journaled(collector).get(0);
            assertThat(view.isIncomplete()).isTrue();
            assertThat(view.originalLength()).isEqualTo(100);
            assertThat(view.payloadText()).isEqualTo("<13>half");
        } finally {
            collector.close();
        }
        assertLedgerCloses(collector);
    }

    @Test
    void severalReceiversShareAPort() throws IOException {
        Collector collector = builder("auto")
                .receivers(3)
                .listen("tcp", TCP, StreamSettings.DEFAULT)
                .build()
                .start();
        try {
            List<Socket> sockets = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                sockets.add(connect(collector));
            }
            for (Socket socket : sockets) {
                send(socket, "<13>from " + socket.getLocalPort() + "\n");
            }
            awaitMessages(collector, 60);
            assertThat(collector.streams())
                    .hasSize(3)
                    .allSatisfy(it -> assertThat(it.get(StreamCounter.ACCEPTED)).isPositive());
            assertThatThrownBy(() -> Collector.builder()
                            .journal(directory.resolve("other"))
                            .receivers(2)
                            .listen("tcp", collector.endpoints().get(0), StreamSettings.DEFAULT)
                            .build()
                            .start())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("in use");
            for (Socket socket : sockets) {
                socket.close();
            }
        } finally {
            collector.close();
        }
        assertLedgerCloses(collector);
    }

    @Test
    void connectionsAreLimited() throws IOException {
        Collector collector = builder("auto")
                .listen("tcp", TCP, settings(1000, 3, 2, Duration.ZERO))
                .build()
                .start();
        try (Socket first = connect(collector);
                Socket second = connect(collector);
                Socket third = connect(collector)) {
            assertThat(third.getInputStream().read()).isEqualTo(-1);
            await().until(() -> counters(collector).get(StreamCounter.REFUSED_PER_SOURCE) == 1);
            assertThat(counters(collector).open()).isEqualTo(2);
            first.shutdownOutput();
            await().until(() -> counters(collector).open() == 1);
            try (Socket fourth = connect(collector)) {
                send(fourth, "in\n");
                awaitMessages(collector, 1);
            }
            assertThat(second.isConnected()).isTrue();
        } finally {
            collector.close();
        }
        assertLedgerCloses(collector);
    }

    @Test
    void idleConnectionIsClosed() throws IOException {
        Collector collector = builder("auto")
                .listen("tcp", TCP, settings(1000, 10, 10, Duration.ofMillis(100)))
                .build()
                .start();
        try (Socket socket = connect(collector)) {
            send(socket, "one\nhalf");
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
            awaitMessages(collector, 2);
            assertThat(counters(collector).get(StreamCounter.CLOSED_IDLE)).isEqualTo(1);
        } finally {
            collector.close();
        }
        assertLedgerCloses(collector);
    }

    /** The receiver sleeps between its reads then, and must not accept one connection per read. */
    @Test
    void manyConnectionsAreAcceptedWhileDatagramsArrive() throws Exception {
        Collector collector = builder("auto")
                .listen("udp", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .listen("tcp", TCP, StreamSettings.DEFAULT)
                .build()
                .start();
        List<Socket> sockets = new ArrayList<>();
        AtomicBoolean ended = new AtomicBoolean();
        Thread sender = new Thread(() -> sendDatagrams(collector.addresses().get(0), ended));
        sender.start();
        try {
            await().until(() -> collector.ledger().received() > 1000);
            for (int i = 0; i < 1000; i++) {
                sockets.add(connect(collector));
            }
            await().atMost(Duration.ofSeconds(2))
                    .until(() -> counters(collector).open() == 1000);
        } finally {
            ended.set(true);
            sender.join();
            for (Socket socket : sockets) {
                socket.close();
            }
            collector.close();
        }
    }

    /** Some 10,000 per second. */
    private static void sendDatagrams(InetSocketAddress to, AtomicBoolean ended) {
        try (DatagramSocket socket = new DatagramSocket()) {
            byte[] payload = "<13>datagram".getBytes(UTF_8);
            while (!ended.get()) {
                for (int i = 0; i < 10; i++) {
                    socket.send(new DatagramPacket(payload, payload.length, to));
                }
                LockSupport.parkNanos(1_000_000);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void deniedSourceCannotConnect() throws IOException {
        NetworkSet networks = NetworkSet.of(List.of(), List.of(Network.parse("127.0.0.0/8")));
        Collector collector = builder("auto")
                .policy(new PolicySettings(networks, null, null, 24, 64))
                .listen("tcp", TCP, StreamSettings.DEFAULT)
                .build()
                .start();
        try (Socket socket = connect(collector)) {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
            await().until(() -> counters(collector).get(StreamCounter.REFUSED_DENIED) == 1);
        } finally {
            collector.close();
        }
        assertLedgerCloses(collector);
    }

    @Test
    void newPolicyClosesDeniedConnections() throws IOException {
        Collector collector = builder("auto")
                .listen("tcp", TCP, StreamSettings.DEFAULT)
                .build()
                .start();
        try (Socket socket = connect(collector)) {
            send(socket, "<13>before\n<13>not ended");
            await().until(() -> collector.ledger().journaled() == 1);
            NetworkSet networks = NetworkSet.of(List.of(), List.of(Network.parse("127.0.0.0/8")));
            collector.setPolicy(new PolicySettings(networks, null, null, 24, 64));
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
            await().until(() -> counters(collector).get(StreamCounter.CLOSED_DENIED) == 1);
            await().until(() -> collector.ledger().journaled() == 2);
        } finally {
            collector.close();
        }
        assertLedgerCloses(collector);
    }

    @Test
    void rateLimitSlowsAConnectionAndDropsNothing() throws IOException {
        Collector collector = builder("auto")
                .policy(new PolicySettings(null, new RateLimit(1000, 0), null, 24, 64))
                .listen("tcp", TCP, StreamSettings.DEFAULT)
                .build()
                .start();
        try (Socket socket = connect(collector)) {
            long startNs = System.nanoTime();
            send(socket, "<13>message\n".repeat(2000));
            socket.shutdownOutput();
            awaitMessages(collector, 2000);
            assertThat(System.nanoTime() - startNs).isGreaterThan(800_000_000L);
            assertThat(counters(collector).get(StreamCounter.RATE_LIMITED)).isPositive();
            assertThat(collector.ledger().dropped(DropReason.RATE_LIMITED)).isZero();
        } finally {
            collector.close();
        }
        assertLedgerCloses(collector);
    }

    @Test
    void queuedBytesAreReadAtTheStop() throws IOException {
        Collector collector = builder("auto")
                .listen("tcp", TCP, StreamSettings.DEFAULT)
                .build()
                .start();
        try (Socket socket = connect(collector)) {
            send(socket, "<13>0123456789\n".repeat(20_000));
            collector.close();
        } finally {
            collector.close();
        }
        assertThat(collector.ledger().journaled()).isEqualTo(20_000);
        assertThat(counters(collector).get(StreamCounter.CLOSED_STOP)).isEqualTo(1);
        assertLedgerCloses(collector);
    }

    @Test
    void connectionsThatWaitAtTheStopAreAccepted() throws IOException {
        Collector collector = builder("auto")
                .listen("tcp", TCP, StreamSettings.DEFAULT)
                .build()
                .start();
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                Socket socket = connect(collector);
                sockets.add(socket);
                send(socket, "<13>from " + i + "\n");
            }
            collector.close();
        } finally {
            collector.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        }
        assertThat(collector.ledger().journaled()).isEqualTo(200);
        assertThat(counters(collector).get(StreamCounter.ACCEPTED)).isEqualTo(200);
        assertLedgerCloses(collector);
    }

    @Test
    void streamsAndDatagramsShareAReceiver() throws IOException {
        Collector collector = builder("auto")
                .listen("udp", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .listen("tcp", TCP, StreamSettings.DEFAULT)
                .build()
                .start();
        try (Socket socket = connect(collector);
                java.net.DatagramSocket datagrams = new java.net.DatagramSocket()) {
            for (int i = 0; i < 100; i++) {
                send(socket, "<13>tcp " + i + "\n");
                byte[] payload = ("<13>udp " + i).getBytes(UTF_8);
                datagrams.send(new java.net.DatagramPacket(
                        payload, payload.length, collector.addresses().get(0)));
            }
            awaitMessages(collector, 200);
            assertThat(journaled(collector))
                    .filteredOn(it -> it.transport() == FrameTransport.TCP)
                    .hasSize(100)
                    .allMatch(it -> it.input() == 1);
        } finally {
            collector.close();
        }
        assertLedgerCloses(collector);
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void unixSocket(String transport) throws IOException {
        Path path = directory.resolve("log.sock");
        Files.createFile(path);
        CollectorBuilder builder = builder(transport).listen("unix", Endpoint.unix(path), StreamSettings.DEFAULT);
        assertThatThrownBy(() -> builder.build().start()).hasMessageContaining("not a socket");
        Files.delete(path);
        Collector collector = builder.build().start();
        try (SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            assertThat(Files.getPosixFilePermissions(path)).isEqualTo(PosixFilePermissions.fromString("rw-rw-rw-"));
            socket.connect(UnixDomainSocketAddress.of(path));
            socket.write(ByteBuffer.wrap("<13>local\n".getBytes(UTF_8)));
            awaitMessages(collector, 1);
            DatagramView view = journaled(collector).get(0);
            assertThat(view.transport()).isEqualTo(FrameTransport.UNIX_STREAM);
            assertThat(view.sourceText()).isEqualTo("local");
            if (transport.equals("epoll")) {
                assertThat(view.pid()).isEqualTo(ProcessHandle.current().pid());
                assertThat(view.uid()).isNotNegative();
                assertThat(view.gid()).isNotNegative();
            }
            assertThatThrownBy(() -> Collector.builder()
                            .journal(directory.resolve("other"))
                            .transport(transport)
                            .listen("unix", Endpoint.unix(path), StreamSettings.DEFAULT)
                            .build()
                            .start())
                    .hasMessageContaining("in use");
            assertThat(Files.exists(path)).isTrue();
        } finally {
            collector.close();
        }
        assertThat(Files.exists(path)).isFalse();
        assertLedgerCloses(collector);
    }

    @Test
    void staleSocketFileIsReplaced() throws IOException {
        Path path = directory.resolve("log.sock");
        try (var left = java.nio.channels.ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            left.bind(UnixDomainSocketAddress.of(path));
        }
        assertThat(Files.exists(path)).isTrue();
        Collector collector = builder("auto")
                .listen("unix", Endpoint.unix(path), StreamSettings.DEFAULT)
                .build()
                .start();
        try (SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            socket.write(ByteBuffer.wrap("<13>local\n".getBytes(UTF_8)));
            awaitMessages(collector, 1);
            assertThat(texts(collector)).containsExactly("<13>local");
        } finally {
            collector.close();
        }
    }

    @Test
    void unixDatagrams() throws IOException {
        Path path = directory.resolve("dgram.sock");
        Collector collector = builder("auto")
                .listen("dev-log", Endpoint.unixgram(path), settings(500, 1, 1, Duration.ZERO))
                .build()
                .start();
        LinuxSocket sender = LinuxSocket.newSocketDomainDgram();
        try {
            byte[] to = path.toString().getBytes(UTF_8);
            ByteBuffer message = ByteBuffer.allocateDirect(1000);
            message.put(0, "<13>local".getBytes(UTF_8));
            for (int i = 0; i < 20; i++) {
                assertThat(sender.sendToDomainSocket(message, 0, i == 0 ? 1000 : 9, to))
                        .isPositive();
                awaitMessages(collector, i + 1);
            }
            List<DatagramView> found = journaled(collector);
            assertThat(found.get(0).isTruncated()).isTrue();
            assertThat(found.get(0).payloadLength()).isEqualTo(500);
            assertThat(found.get(0).originalLength()).isEqualTo(1000);
            assertThat(found.get(19).payloadText()).isEqualTo("<13>local");
            assertThat(found).allSatisfy(view -> {
                assertThat(view.transport()).isEqualTo(FrameTransport.UNIX_DATAGRAM);
                assertThat(view.pid()).isEqualTo(ProcessHandle.current().pid());
                assertThat(view.uid()).isNotNegative();
            });
            assertThat(collector.sockets()).singleElement().matches(it -> it.received() == 20);
            // What waits at the stop is read.
            for (int i = 0; i < 5; i++) {
                sender.sendToDomainSocket(message, 0, 9, to);
            }
            collector.close();
            assertThat(collector.ledger().journaled()).isEqualTo(25);
        } finally {
            sender.close();
            collector.close();
        }
        assertThat(Files.exists(path)).isFalse();
        assertLedgerCloses(collector);
    }
}
