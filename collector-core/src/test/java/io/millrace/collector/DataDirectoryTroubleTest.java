package io.millrace.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody may do to a data directory, and what a whole collector makes of it. */
class DataDirectoryTroubleTest {
    @TempDir
    private Path parent;

    private Path data;

    @BeforeEach
    void locate() {
        data = parent.resolve("data");
    }

    private Collector start() throws IOException {
        return Collector.builder()
                .listen("in", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .journal(data)
                .transport("nio")
                .receivers(1)
                .build()
                .start();
    }

    private static void send(Collector collector, int count) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < count; i++) {
                socket.send(new DatagramPacket(
                        new byte[] {'x'}, 1, collector.addresses().get(0)));
            }
        }
    }

    private static void sendAndAwait(Collector collector, int count) throws IOException {
        long before = collector.sinceStart(Counter.JOURNALED_DATAGRAMS);
        send(collector, count);
        await().until(() -> collector.sinceStart(Counter.JOURNALED_DATAGRAMS) == before + count);
    }

    @Test
    void quarantinesChangedCountersAndContinuesSequences() throws IOException {
        try (Collector collector = start()) {
            sendAndAwait(collector, 10);
        }
        Path counters = data.resolve("counters");
        byte[] bytes = Files.readAllBytes(counters);
        // Two more or two fewer datagrams journaled: the values do not contradict each other.
        bytes[4096 + 64 * Counter.JOURNALED_DATAGRAMS.id()] ^= 2;
        Files.write(counters, bytes);
        try (Collector collector = start()) {
            assertThat(collector.ledger().lifetime().journaled()).isEqualTo(10);
            sendAndAwait(collector, 1);
        }
        assertThat(data).isDirectoryContaining(file -> file.toString().contains("counters.damaged-"));
    }

    /** The tests below wait for seconds: a check every second has to be enough. */
    private static void awaitProblem(Collector collector, Path gone) {
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(collector.problems())
                        .singleElement()
                        .asString()
                        .contains(gone.toString(), "removed or moved away"));
    }

    @Test
    void journalingPausesWhileTheDirectoryIsMovedAway() throws IOException {
        try (Collector collector = start()) {
            sendAndAwait(collector, 10);
            Path elsewhere = Files.move(data, parent.resolve("elsewhere"));
            awaitProblem(collector, data);
            send(collector, 5);
            await().until(() -> collector.ledger().received() == 15);
            await().until(() -> collector.sinceStart(Counter.JOURNAL_ERRORS) > 0);
            assertThat(collector.sinceStart(Counter.JOURNALED_DATAGRAMS)).isEqualTo(10);
            Files.move(elsewhere, data);
            await().until(() -> collector.problems().isEmpty());
            await().until(() -> collector.sinceStart(Counter.JOURNALED_DATAGRAMS) == 15);
        }
        try (Collector collector = start()) {
            assertThat(collector.ledger().lifetime().journaled()).isEqualTo(15);
            assertThat(collector.ledger().lifetime().dropped(DropReason.CRASH)).isZero();
        }
    }

    @Test
    void removedDirectoryIsReportedWhenIdle() throws IOException {
        Collector collector = start();
        try {
            sendAndAwait(collector, 1);
            removeAll(data);
            awaitProblem(collector, data);
            // An empty one in its place is not the one that is written to.
            Files.createDirectory(data);
            await().until(() -> collector.problems().stream().noneMatch(it -> it.contains(data + " was removed")));
            assertThat(collector.problems()).isNotEmpty();
        } finally {
            assertThatIOException().isThrownBy(collector::close);
        }
    }

    @Test
    void removedJournalFileIsReported() throws IOException {
        try (Collector collector = start()) {
            sendAndAwait(collector, 1);
            Path file = data.resolve("journal/shard-0/19700102F.cq4");
            Path elsewhere = parent.resolve("file");
            Files.move(file, elsewhere);
            awaitProblem(collector, file);
            Files.move(elsewhere, file);
            await().until(() -> collector.problems().isEmpty());
            sendAndAwait(collector, 1);
        }
    }

    private static void removeAll(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
