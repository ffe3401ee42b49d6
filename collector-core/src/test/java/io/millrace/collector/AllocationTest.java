package io.millrace.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import io.millrace.counters.Counter;
import io.millrace.counters.CounterFile;
import io.millrace.counters.ShardCounters;
import io.millrace.journal.DataDirectory;
import io.millrace.journal.JournalWriter;
import io.millrace.record.StagedDatagram;
import io.millrace.ring.Slab;
import io.millrace.ring.SlabRing;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Bytes allocated on the Java heap for each datagram in steady state, by the thread that does the work. The bounds are
 * the figures of {@code docs/figures.md} and a margin for the JDK: a change that makes them grow must be meant.
 */
class AllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int PAYLOAD_BYTES = 125;

    @TempDir
    private Path directory;

    @Test
    void theJournalWriterAllocatesNothing() throws IOException {
        try (DataDirectory data = DataDirectory.open(directory)) {
            var unused = data.register(List.of("it"), 1);
            ShardCounters counters = CounterFile.open(
                            data.countersFile(), data.meta().journalId(), 1)
                    .shard(0);
            SlabRing ring = new SlabRing(4, 256 << 10);
            try (JournalWriter writer = JournalWriter.open(data, 0, ring, counters, JournalWriter.Settings.DEFAULT)) {
                StagedDatagram datagram = datagram();
                journal(ring, writer, datagram, 20_000, 10);
                long least = Long.MAX_VALUE;
                int datagrams = 0;
                // The least of several rounds: what the JVM does once, such as compiling, is not steady state.
                for (int round = 0; round < 5; round++) {
                    long before = THREADS.getCurrentThreadAllocatedBytes();
                    datagrams = journal(ring, writer, datagram, 5_000, 10);
                    least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
                }
                System.err.printf("journal writer: %.4f bytes a datagram%n", (double) least / datagrams);
                assertThat(least)
                        .describedAs("bytes for %d datagrams", datagrams)
                        .isLessThan(datagrams / 100);
            }
        }
    }

    private static StagedDatagram datagram() {
        StagedDatagram datagram = new StagedDatagram(PAYLOAD_BYTES);
        datagram.source(new byte[] {10, 0, 0, 1}, 0, 514);
        datagram.received(PAYLOAD_BYTES);
        datagram.receiveTimeNs(1_000_000_000L);
        return datagram;
    }

    private static int journal(SlabRing ring, JournalWriter writer, StagedDatagram datagram, int batches, int frames) {
        for (int i = 0; i < batches; i++) {
            Slab slab = ring.takeFree();
            for (int frame = 0; frame < frames; frame++) {
                slab.batch().append(datagram, 0);
            }
            ring.handOver(slab);
            writer.doWork();
        }
        return batches * frames;
    }

    @ParameterizedTest(name = "{0} with {1} sources")
    @CsvSource({"epoll, 1, 160", "epoll, 16, 160", "nio, 1, 16", "nio, 16, 160"})
    void aReceiverAllocatesNoMoreThanIsPublished(String transport, int sources, double bound) throws IOException {
        try (Collector collector = Collector.builder()
                .journal(directory)
                .transport(transport)
                .threading(Threading.DEDICATED)
                .receivers(1)
                .listen("it", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .build()
                .start()) {
            long thread = receiverThread();
            List<DatagramSocket> sockets = new ArrayList<>();
            for (int i = 0; i < sources; i++) {
                sockets.add(new DatagramSocket());
            }
            send(collector, sockets, 60_000);
            int datagrams = 20_000;
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 4; round++) {
                long before = THREADS.getThreadAllocatedBytes(thread);
                send(collector, sockets, datagrams);
                least = Math.min(least, THREADS.getThreadAllocatedBytes(thread) - before);
            }
            double bytes = (double) least / datagrams;
            sockets.forEach(DatagramSocket::close);
            System.err.printf("%s receiver, %d sources: %.0f bytes a datagram%n", transport, sources, bytes);
            assertThat(bytes).isLessThan(bound);
        }
    }

    /** Sends in bursts, each after the one before was received, so that none is lost and the load is much the same. */
    private static void send(Collector collector, List<DatagramSocket> sockets, int count) throws IOException {
        InetSocketAddress target = collector.addresses().get(0);
        DatagramPacket packet = new DatagramPacket(new byte[PAYLOAD_BYTES], PAYLOAD_BYTES, target);
        long received = collector.sinceStart(Counter.RECEIVED_DATAGRAMS);
        for (int sent = 0; sent < count; sent++) {
            sockets.get(sent % sockets.size()).send(packet);
            // Few enough for the smallest receive buffer that a kernel grants.
            if (sent % 100 == 99) {
                long expected = received + sent + 1;
                await().pollInterval(Duration.ofMillis(1))
                        .until(() -> collector.sinceStart(Counter.RECEIVED_DATAGRAMS) == expected);
            }
        }
    }

    private static long receiverThread() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("millrace-receive-0"))
                .findFirst()
                .orElseThrow()
                .getId();
    }
}
