package io.millrace.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.counters.Counter;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
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
    void countersThatChangedAfterAnOrderlyStopAreKeptAsideAndTheNumberingGoesOn() throws IOException {
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
}
