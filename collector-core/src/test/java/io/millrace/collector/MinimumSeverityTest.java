package io.millrace.collector;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.journal.DatagramView;
import io.millrace.journal.JournalCursor;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.LinuxSocket;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Messages that are dropped before the journal because of their severity, with each kind of input. */
@Timeout(60)
class MinimumSeverityTest {
    private static final int INFO = 6;
    private static final int DEBUG = 7;
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @TempDir
    Path directory;

    private CollectorBuilder builder() {
        return Collector.builder().journal(directory.resolve("data")).receivers(1);
    }

    private static PolicySettings minimum(int severity) {
        return PolicySettings.builder().minimumSeverity(severity).build();
    }

    private static List<String> texts(Collector collector) throws IOException {
        List<String> found = new ArrayList<>();
        try (JournalCursor cursor = collector.journal().cursor().open()) {
            while (cursor.poll((datagram, position) -> found.add(text(datagram))) > 0) {
                // All of it.
            }
        }
        return found;
    }

    private static String text(DatagramView datagram) {
        return datagram.payloadText();
    }

    private static void send(InetSocketAddress to, String... messages) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            for (String message : messages) {
                byte[] bytes = message.getBytes(US_ASCII);
                socket.send(new DatagramPacket(bytes, bytes.length, to));
            }
        }
    }

    private static void awaitFiltered(Collector collector, long filtered) {
        await().until(() -> collector.ledger().dropped(DropReason.FILTERED) == filtered
                && collector.ledger().inFlight() == 0);
    }

    private static void assertLedgerCloses(Collector collector) {
        Ledger ledger = collector.ledger();
        assertThat(ledger.received()).isEqualTo(ledger.journaled() + ledger.dropped(DropReason.FILTERED));
        for (StreamCounters counters : collector.streams()) {
            assertThat(counters.get(StreamCounter.READ_BYTES))
                    .isEqualTo(counters.get(StreamCounter.PAYLOAD_BYTES)
                            + counters.get(StreamCounter.FRAMING_BYTES)
                            + counters.get(StreamCounter.SKIPPED_BYTES));
        }
    }

    @Test
    void inputHasItsOwnMinimumAndANewPolicyTheOthers() throws IOException {
        Collector collector = builder()
                .listen("all", LOOPBACK)
                .listen("errors", LOOPBACK)
                .policy(PolicySettings.builder()
                        .minimumSeverity(INFO)
                        .minimumSeverity("errors", 3)
                        .build())
                .build()
                .start();
        try {
            send(collector.addresses().get(0), "<15>dropped", "<14>kept 1");
            send(collector.addresses().get(1), "<12>dropped", "<11>kept 2", "kept 3");
            awaitFiltered(collector, 2);
            collector.setPolicy(minimum(DEBUG));
            send(collector.addresses().get(0), "<15>kept 4");
            await().until(() -> collector.ledger().journaled() == 4);
            assertThat(texts(collector)).containsExactlyInAnyOrder("<14>kept 1", "<11>kept 2", "kept 3", "<15>kept 4");
        } finally {
            collector.close();
        }
        assertLedgerCloses(collector);
    }

    @Test
    void messagesOfConnections() throws IOException {
        Collector collector = builder()
                .listen("tcp", Endpoint.tcp(LOOPBACK), StreamSettings.DEFAULT)
                .policy(minimum(INFO))
                .build()
                .start();
        InetSocketAddress address = collector.endpoints().get(0).address();
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            socket.getOutputStream().write("<15>dropped\n<14>kept\n11 <15>dropped8 <13>kept".getBytes(US_ASCII));
            awaitFiltered(collector, 2);
            await().until(() -> collector.ledger().journaled() == 2);
            assertThat(texts(collector)).containsExactly("<14>kept", "<13>kept");
        } finally {
            collector.close();
        }
        assertLedgerCloses(collector);
    }

    /** Nothing follows that would be journaled, and the client must not wait for it. */
    @Test
    void filteredMessageOfRelpIsAcknowledged() throws IOException {
        Collector collector = builder()
                .listen("relp", Endpoint.relp(LOOPBACK), StreamSettings.DEFAULT)
                .policy(minimum(INFO))
                .build()
                .start();
        try (RelpClient client = RelpClient.open(collector.endpoints().get(0).address())) {
            for (String message : List.of("<15>dropped", "<14>kept", "<15>dropped", "<15>dropped")) {
                client.message(message);
                assertThat(client.read().isOk()).isTrue();
            }
            assertThat(texts(collector)).containsExactly("<14>kept");
        } finally {
            collector.close();
        }
        assertLedgerCloses(collector);
    }

    @Test
    void datagramsOfAUnixSocket() throws IOException {
        Assumptions.assumeTrue(Epoll.isAvailable(), "no epoll");
        Path path = directory.resolve("log.sock");
        Collector collector = builder()
                .listen("dev-log", Endpoint.unixgram(path), StreamSettings.DEFAULT)
                .policy(minimum(INFO))
                .build()
                .start();
        LinuxSocket sender = LinuxSocket.newSocketDomainDgram();
        try {
            for (String message : List.of("<15>dropped", "<14>kept")) {
                ByteBuffer bytes = ByteBuffer.allocateDirect(message.length());
                bytes.put(0, message.getBytes(US_ASCII));
                sender.sendToDomainSocket(
                        bytes, 0, message.length(), path.toString().getBytes(US_ASCII));
            }
            awaitFiltered(collector, 1);
            await().until(() -> collector.ledger().journaled() == 1);
            assertThat(texts(collector)).containsExactly("<14>kept");
        } finally {
            sender.close();
            collector.close();
        }
        assertLedgerCloses(collector);
    }
}
