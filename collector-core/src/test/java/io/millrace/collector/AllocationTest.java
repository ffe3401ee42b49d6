package io.millrace.collector;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.journal.DataDirectory;
import io.millrace.internal.journal.write.JournalWriter;
import io.millrace.internal.ring.Slab;
import io.millrace.internal.ring.SlabRing;
import io.millrace.transport.StagedDatagram;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Bytes allocated on the Java heap for each datagram in steady state, by the thread that does the work. The bounds are
 * measured results and a margin for the JDK: a change that makes them grow must be meant.
 */
class AllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int PAYLOAD_BYTES = 125;

    @TempDir
    private Path directory;

    @Test
    void journalWriterAllocatesNothing() throws IOException {
        try (DataDirectory data = DataDirectory.open(directory)) {
            var unused = data.register(List.of("it"), 1);
            ShardCells counters = CounterFile.open(
                            data.countersFile(), data.meta().journalId(), 1)
                    .shard(0);
            SlabRing ring = new SlabRing(4, 256 << 10);
            try (JournalWriter writer = JournalWriter.open(data, 0, ring, counters, WriterSettings.DEFAULT)) {
                StagedDatagram datagram = datagram();
                journal(ring, writer, datagram, 20_000, 10);
                long least = Long.MAX_VALUE;
                int datagrams = 0;
                // The least of several rounds: what the JVM does once, such as compiling, is not steady state.
                for (int round = 0; round < 20; round++) {
                    long before = THREADS.getCurrentThreadAllocatedBytes();
                    datagrams = journal(ring, writer, datagram, 5_000, 10);
                    least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
                }
                System.err.printf("journal writer: %.4f bytes per datagram%n", (double) least / datagrams);
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
            ring.submit(slab);
            writer.doWork();
        }
        return batches * frames;
    }

    @ParameterizedTest(name = "{0} with {1} sources")
    @CsvSource({"epoll, 1, 1", "epoll, 16, 1", "nio, 1, 16", "nio, 16, 160"})
    void receiverAllocationIsWithinThePublishedLimit(String transport, int sources, double bound) throws IOException {
        assertThat(ReceiverAllocation.bytesPerDatagram(directory, transport, sources))
                .isLessThan(bound);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"epoll, 1", "nio, 16"})
    void policyAllocatesNothing(String transport, double bound) throws IOException {
        assertThat(ReceiverAllocation.bytesPerDatagramWithPolicy(directory, transport))
                .isLessThan(bound);
    }
}
