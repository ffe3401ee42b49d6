package io.millrace.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.internal.handoff.DescriptorServer;
import io.millrace.internal.handoff.DescriptorSocket;
import io.millrace.journal.JournalCursor;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The contract of transports that can pass their sockets to another process, and adopt such sockets. */
public abstract class PassingContract {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final long SOON_NS = SOON.toNanos();

    @TempDir
    Path directory;

    private DatagramSocket sender;

    /** Name of the transport. */
    protected abstract String transport();

    @BeforeEach
    void open() throws IOException {
        sender = new DatagramSocket();
    }

    @AfterEach
    void close() {
        sender.close();
    }

    /** A builder of a collector on this port of the loopback interface, with its journal in the test's directory. */
    protected CollectorBuilder builder(int port, int receivers) {
        return Collector.builder()
                .journal(directory.resolve("data"))
                .transport(transport())
                .receivers(receivers)
                .receiveBuffer(4 << 20)
                .listen("it", new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** Duplicates of the sockets, as another process gets them. */
    protected List<BoundSocket> duplicates(Collector collector, boolean kept) throws IOException {
        List<BoundSocket> own = collector.boundSockets();
        List<BoundSocket> passed = new ArrayList<>();
        Path path = directory.resolve("pass");
        DescriptorServer server = DescriptorServer.listen(path, "pass", peer -> {
            try (peer) {
                assertThat(peer.receive(SOON_NS)).isEqualTo("all of them");
                for (BoundSocket socket : own) {
                    peer.sendDescriptor(socket.descriptor(), SOON_NS);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try (server;
                DescriptorSocket client = DescriptorSocket.connect(path)) {
            assertThat(client.peerPid()).isEqualTo((int) ProcessHandle.current().pid());
            client.send("all of them", SOON_NS);
            for (int i = 0; i < own.size(); i++) {
                passed.add(new BoundSocket(client.receiveDescriptor(SOON_NS), kept));
            }
        }
        assertThat(path).doesNotExist();
        return passed;
    }

    /** Sends datagrams with these numbers, the last exclusively. */
    protected void send(int port, int from, int to) throws IOException {
        for (int i = from; i < to; i++) {
            byte[] payload = String.format("datagram %05d", i).getBytes(StandardCharsets.UTF_8);
            sender.send(new DatagramPacket(payload, payload.length, InetAddress.getLoopbackAddress(), port));
        }
    }

    /** Waits until this many datagrams are journaled, and returns all payloads. */
    protected static Set<String> journaled(Collector collector, int count) throws IOException {
        Set<String> all = new TreeSet<>();
        try (JournalCursor cursor = collector.journal().cursor().open()) {
            await().atMost(SOON).until(() -> {
                while (cursor.poll((datagram, position) -> assertThat(all.add(datagram.payloadText()))
                                .as("once: %s", datagram.payloadText())
                                .isTrue())
                        > 0) {
                    // All there is.
                }
                return all.size() >= count;
            });
        }
        return all;
    }

    @ParameterizedTest
    @CsvSource({"1, SHARED, HASH", "3, DEDICATED, HASH", "2, SHARED, SPREAD"})
    void successorReadsWaitingDatagrams(int receivers, Threading threading, Steering steering) throws IOException {
        Collector first = builder(0, receivers)
                .threading(threading)
                .steering(steering)
                .build()
                .start();
        int port = first.addresses().get(0).getPort();
        List<BoundSocket> passed = duplicates(first, false);
        // At most 300 datagrams wait at once: the default buffer of any host holds them.
        send(port, 0, 150);
        long beforeNs = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() - 1);
        long[] sinceNs = new long[1];
        first.handoff(ns -> sinceNs[0] = ns);
        assertThat(sinceNs[0]).isBetween(beforeNs, TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() + 1));
        Ledger old = first.ledger();
        assertThat(old.inFlight()).isZero();
        assertThat(old.dropped(DropReason.AFTER_STOP)).isZero();
        send(port, 150, 300);
        try (Collector second = builder(port, receivers)
                .threading(threading)
                .steering(steering)
                .adopt(passed)
                .build()
                .start()) {
            send(port, 300, 450);
            assertThat(journaled(second, 450)).hasSize(450);
            await().atMost(SOON).until(() -> second.ledger().inFlight() == 0);
            Ledger ledger = second.ledger();
            assertThat(old.received() + ledger.received()).isEqualTo(450);
            assertThat(ledger.lifetime().received()).isEqualTo(450);
            assertThat(ledger.lifetime().journaled()).isEqualTo(450);
            assertThat(ledger.dropped(DropReason.SOCKET_BUFFER)).isZero();
        }
    }

    @Test
    void dropsBetweenTwoProcessesAreCountedOnce() throws IOException {
        Collector first = builder(0, 1).receiveBuffer(4096).build().start();
        int port = first.addresses().get(0).getPort();
        List<BoundSocket> passed = duplicates(first, false);
        first.handoff(ns -> {});
        send(port, 0, 2000);
        Collector second =
                builder(port, 1).receiveBuffer(4096).adopt(passed).build().start();
        List<BoundSocket> again = duplicates(second, false);
        await().atMost(SOON)
                .until(() -> second.ledger().received() > 0 && second.ledger().inFlight() == 0);
        second.handoff(ns -> {});
        long dropped = second.ledger().dropped(DropReason.SOCKET_BUFFER);
        assertThat(dropped).isPositive();
        assertThat(second.ledger().received() + dropped).isEqualTo(2000);
        Collector third =
                builder(port, 1).receiveBuffer(4096).adopt(again).build().start();
        third.close();
        assertThat(third.ledger().dropped(DropReason.SOCKET_BUFFER)).isZero();
        assertThat(third.ledger().lifetime().dropped(DropReason.SOCKET_BUFFER)).isEqualTo(dropped);
    }

    /** Like sockets of systemd: the collector stops as usual, and the sockets stay open. */
    @Test
    void foreignSocketsAreNotModified() throws IOException {
        Collector keeper =
                builder(0, 2).journal(directory.resolve("keeper")).build().start();
        int port = keeper.addresses().get(0).getPort();
        List<BoundSocket> first = duplicates(keeper, true);
        List<BoundSocket> second = duplicates(keeper, true);
        keeper.handoff(ns -> {});
        int sent = 0;
        for (List<BoundSocket> passed : List.of(first, second)) {
            send(port, sent, sent + 300);
            try (Collector collector = builder(port, 2).adopt(passed).build().start()) {
                assertThat(journaled(collector, sent + 300)).hasSize(sent + 300);
                assertThat(collector.boundSockets()).allMatch(BoundSocket::kept);
            }
            sent += 300;
        }
    }

    @Test
    void unmatchedSocketsAreRejectedByName() throws IOException {
        Collector first = builder(0, 2).build().start();
        int port = first.addresses().get(0).getPort();
        assertThatThrownBy(() -> start(builder(port, 1).adopt(duplicates(first, false))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("2 sockets of 127.0.0.1:" + port + " were passed, and there is 1 receiver");
        assertThatThrownBy(() -> start(builder(0, 2).adopt(duplicates(first, false))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("(udp 127.0.0.1:" + port + ") was passed, and no input listens there");
        first.close();
        try (Collector alone =
                builder(0, 1).journal(directory.resolve("alone")).build().start()) {
            int own = alone.addresses().get(0).getPort();
            assertThatThrownBy(() -> start(builder(own, 2).adopt(duplicates(alone, false))))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("2 receivers need 2 sockets of 127.0.0.1:" + own + ", but 1 was passed")
                    .hasMessageContaining("ReusePort=yes");
        }
        assertThatThrownBy(() -> start(builder(0, 1).adopt(List.of(new BoundSocket(9999, true)))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("descriptor 9999 is not open");
        Path file = Files.createFile(directory.resolve("file"));
        // The adopting collector closes the socket, even if its start fails.
        int descriptor = FileDescriptor.from(file.toFile()).intValue();
        assertThatThrownBy(() -> start(builder(0, 1).adopt(List.of(new BoundSocket(descriptor, true)))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("descriptor " + descriptor + " is not a socket, but " + file);
    }

    @Test
    void passedSocketsAreClosedIfTheDirectoryIsLocked() throws IOException {
        Path file = Files.createFile(directory.resolve("no-directory"));
        Path first = Files.createFile(directory.resolve("first"));
        Path second = Files.createFile(directory.resolve("second"));
        CollectorBuilder refused = builder(0, 1)
                .journal(file)
                .adopt(List.of(
                        new BoundSocket(FileDescriptor.from(first.toFile()).intValue(), true)));
        assertThatThrownBy(() -> refused.build().start()).hasMessageContaining("is a file");
        builder(0, 1)
                .adopt(List.of(
                        new BoundSocket(FileDescriptor.from(second.toFile()).intValue(), true)))
                .build()
                .close();
        assertThat(openFiles()).doesNotContain(first, second);
    }

    private static Set<Path> openFiles() throws IOException {
        Set<Path> open = new HashSet<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors) {
                try {
                    open.add(Files.readSymbolicLink(descriptor));
                } catch (NoSuchFileException e) {
                    // The one the directory was read with.
                }
            }
        }
        return open;
    }

    private void start(CollectorBuilder builder) throws IOException {
        builder.journal(directory.resolve("other")).build().start().close();
    }
}
