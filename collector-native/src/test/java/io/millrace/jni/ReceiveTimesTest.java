package io.millrace.jni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.collector.Collector;
import io.millrace.collector.CollectorBuilder;
import io.millrace.collector.Steering;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Receive times of datagrams that arrive in bursts. {@code receive_test.c} has the other tests of receive times. */
class ReceiveTimesTest {
    private static final int BURST = 400;
    private static final int BURSTS = 50;

    @TempDir
    private Path directory;

    @BeforeAll
    static void needsTheLibrary() {
        Library.isNeeded();
    }

    @Test
    void datagramsOfABurstHaveABatchTimestamp() throws IOException {
        long others = timesOfOthers(Collector.builder());
        // The number depends on the host: 64 datagrams must wait at the same time.
        Assumptions.assumeTrue(others > 0, "each datagram was read before the next ones came");
        assertThat(others).isLessThan(BURST * BURSTS);
    }

    @Test
    void datagramsHavePacketTimestampsOnRequest() throws IOException {
        assertThat(timesOfOthers(Collector.builder().packetTimestamps(true))).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = Steering.class,
            names = {"CPU", "SPREAD"})
    void datagramsHavePacketTimestampsIfReceiversShareASource(Steering steering) throws IOException {
        assertThat(timesOfOthers(Collector.builder().receivers(2).steering(steering)))
                .isZero();
    }

    private long timesOfOthers(CollectorBuilder builder) throws IOException {
        try (Collector collector = builder.journal(directory)
                        .transport("native")
                        .listen("it", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .build()
                        .start();
                DatagramSocket socket = new DatagramSocket()) {
            DatagramPacket datagram =
                    new DatagramPacket(new byte[10], 10, collector.addresses().get(0));
            for (int i = 1; i <= BURSTS; i++) {
                for (int j = 0; j < BURST; j++) {
                    socket.send(datagram);
                }
                long soFar = (long) i * BURST;
                await().until(() -> collector.ledger().received() == soFar);
            }
        }
        long[] others = {0};
        try (JournalCursor cursor =
                Journal.open(directory).cursor().byTime(false).open()) {
            while (cursor.poll((datagram, position) -> others[0] += datagram.isKernelTime() ? 0 : 1) > 0) {
                // Until nothing is left.
            }
        }
        return others[0];
    }
}
