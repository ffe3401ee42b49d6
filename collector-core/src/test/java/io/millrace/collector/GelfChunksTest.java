package io.millrace.collector;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.internal.gelf.Chunked;
import io.millrace.journal.JournalCursor;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chunks of GELF from the socket to the journal, and the ledger. */
@Timeout(60)
class GelfChunksTest {
    @TempDir
    private Path directory;

    private Collector start(String transport, boolean gelfChunks) throws IOException {
        Assumptions.assumeTrue(transport.equals("nio") || Epoll.isAvailable(), "no epoll");
        return Collector.builder()
                .journal(directory.resolve("data"))
                .transport(transport)
                .receivers(1)
                .stopTimeout(Duration.ofSeconds(5))
                .listen("gelf", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), gelfChunks)
                .build()
                .start();
    }

    private static void send(Collector collector, List<byte[]> datagrams) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            for (byte[] payload : datagrams) {
                socket.send(new DatagramPacket(
                        payload, payload.length, collector.addresses().get(0)));
            }
        }
    }

    private static List<String> texts(Collector collector) throws IOException {
        List<String> found = new ArrayList<>();
        try (JournalCursor cursor = collector.journal().cursor().open()) {
            while (cursor.poll((datagram, position) -> {
                        assertThat(datagram.sourceText()).isEqualTo("127.0.0.1");
                        found.add(datagram.payloadText());
                    })
                    > 0) {
                // All of it.
            }
        }
        return found;
    }

    private static void assertLedgerCloses(Collector collector) {
        Ledger ledger = collector.ledger();
        assertThat(ledger.inFlight()).isZero();
        assertThat(ledger.received())
                .isEqualTo(ledger.journaled()
                        + ledger.chunks().merged()
                        + ledger.chunks().duplicates());
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void chunksAreMergedAndTheLedgerCloses(String transport) throws IOException {
        Collector collector = start(transport, true);
        String text = "0123456789".repeat(5000);
        List<byte[]> chunks = new ArrayList<>(Chunked.of(text.getBytes(UTF_8), 1, 1000));
        chunks.add(chunks.get(7));
        chunks.add("{\"version\":\"1.1\"}".getBytes(UTF_8));
        send(collector, chunks);
        await().until(() -> collector.ledger().journaled() == 2);
        assertThat(texts(collector)).containsExactlyInAnyOrder(text, "{\"version\":\"1.1\"}");
        Ledger ledger = collector.ledger();
        assertThat(ledger.received()).isEqualTo(52);
        assertThat(ledger.chunks()).isEqualTo(new Ledger.Chunks(49, 1));
        assertThat(ledger.inFlight()).isZero();
        assertLedgerCloses(collector);
        collector.close();
        assertThat(collector.sinceStart(Counter.INCOMPLETE_CHUNKS)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void theStopJournalsWaitingChunksAsTheyCame(String transport) throws IOException {
        Collector collector = start(transport, true);
        List<byte[]> chunks = Chunked.of("abcdef".getBytes(UTF_8), 1, 2);
        send(collector, List.of(chunks.get(0), chunks.get(2)));
        await().until(() -> collector.ledger().received() == 2);
        assertThat(collector.ledger().inFlight()).isEqualTo(2);
        collector.close();
        assertLedgerCloses(collector);
        assertThat(collector.ledger().journaled()).isEqualTo(2);
        assertThat(collector.ledger().chunks()).isEqualTo(new Ledger.Chunks(0, 0));
        assertThat(collector.sinceStart(Counter.INCOMPLETE_CHUNKS)).isEqualTo(2);
        assertThat(texts(collector))
                .hasSize(2)
                .allSatisfy(chunk -> assertThat(chunk).startsWith("\u001e\u000f"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll"})
    void chunksLeaveAfterFiveSeconds(String transport) throws IOException {
        Collector collector = start(transport, true);
        send(collector, List.of(Chunked.of("abcdef".getBytes(UTF_8), 1, 2).get(1)));
        await().until(() -> collector.ledger().inFlight() == 1);
        await().atMost(Duration.ofSeconds(15)).until(() -> collector.ledger().journaled() == 1);
        assertThat(collector.sinceStart(Counter.INCOMPLETE_CHUNKS)).isEqualTo(1);
        assertLedgerCloses(collector);
        collector.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll"})
    void withoutTheSettingChunksAreDatagrams(String transport) throws IOException {
        Collector collector = start(transport, false);
        send(collector, Chunked.of("abcdef".getBytes(UTF_8), 1, 2));
        await().until(() -> collector.ledger().journaled() == 3);
        collector.close();
        assertThat(collector.ledger().chunks()).isEqualTo(new Ledger.Chunks(0, 0));
    }
}
