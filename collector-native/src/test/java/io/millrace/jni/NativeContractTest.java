package io.millrace.jni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.collector.Collector;
import io.millrace.collector.DropReason;
import io.millrace.collector.ReceiverAllocation;
import io.millrace.collector.Steering;
import io.millrace.collector.TransportContract;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.socket.SocketProtocolFamily;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of transports, for {@code native}. */
class NativeContractTest extends TransportContract {
    private static final int IPPROTO_UDP = 17;
    private static final int UDP_SEGMENT = 103;

    @BeforeAll
    static void needsTheLibrary() {
        Library.isNeeded();
    }

    @Override
    protected String transport() {
        return "native";
    }

    @Override
    protected boolean isOnEpoll() {
        return true;
    }

    @ParameterizedTest(name = "{0} sources")
    @ValueSource(ints = {1, 16})
    void receiverAllocatesNothing(int sources, @TempDir Path directory) throws IOException {
        assertThat(ReceiverAllocation.bytesPerDatagram(directory, "native", sources))
                .isLessThan(1);
    }

    @Test
    void receiverWithAPolicyAllocatesNothing(@TempDir Path directory) throws IOException {
        assertThat(ReceiverAllocation.bytesPerDatagramWithPolicy(directory, "native"))
                .isLessThan(1);
    }

    /** Two receivers share a source. Read by time, its datagrams have the order in which they were sent. */
    @Test
    void packetTimestampsRestoreTheOrderOfASpreadSource(@TempDir Path directory) throws IOException {
        int sent = 5000;
        try (Collector collector = Collector.builder()
                        .journal(directory)
                        .transport("native")
                        .receivers(2)
                        .steering(Steering.SPREAD)
                        .listen("it", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .build()
                        .start();
                DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < sent; i++) {
                byte[] payload = Integer.toString(i).getBytes(StandardCharsets.US_ASCII);
                socket.send(new DatagramPacket(
                        payload, payload.length, collector.addresses().get(0)));
                if (i % 100 == 99) {
                    long soFar = i + 1L;
                    await().until(() -> collector.ledger().received() == soFar);
                }
            }
        }
        List<Integer> found = new ArrayList<>();
        Set<Integer> shards = new HashSet<>();
        boolean[] kernelTime = {true};
        try (JournalCursor cursor =
                Journal.open(directory).cursor().byTime(false).open()) {
            while (cursor.poll((datagram, position) -> {
                        found.add(Integer.valueOf(datagram.payloadText()));
                        shards.add(position.shard());
                        kernelTime[0] &= datagram.isKernelTime();
                    })
                    > 0) {
                // Until nothing is left.
            }
        }
        assertThat(shards).containsExactly(0, 1);
        assertThat(found).isSorted().hasSize(sent);
        assertThat(kernelTime[0]).isTrue();
    }

    @Test
    void groBatchesAreSplitIntoTheSentDatagrams(@TempDir Path directory) throws IOException {
        int segment = 1000;
        int inGroBatch = 60;
        int groBatches = 40;
        List<String> sent = new ArrayList<>();
        try (Collector collector = Collector.builder()
                .journal(directory)
                .transport("native")
                .gro(true)
                .listen("it", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .build()
                .start()) {
            LinuxSocket socket = LinuxSocket.newSocketDgram(SocketProtocolFamily.INET);
            socket.setIntOpt(IPPROTO_UDP, UDP_SEGMENT, segment);
            for (int batch = 0; batch < groBatches; batch++) {
                ByteBuffer payload = ByteBuffer.allocateDirect(segment * inGroBatch);
                for (int i = 0; i < inGroBatch; i++) {
                    String text = "%1000d".formatted(batch * inGroBatch + i);
                    sent.add(text);
                    payload.put(text.getBytes(StandardCharsets.US_ASCII));
                }
                int unused = socket.sendTo(
                        payload,
                        0,
                        payload.capacity(),
                        InetAddress.getLoopbackAddress(),
                        collector.addresses().get(0).getPort());
                // Checked before the stop: no datagram may wait for the next one.
                await().until(() -> collector.ledger().journaled() == sent.size());
            }
            socket.close();
            assertThat(collector.ledger().inFlight()).isZero();
            // The kernel counts GRO batches, not datagrams.
            assertThat(collector.ledger().dropped(DropReason.SOCKET_BUFFER)).isNull();
        }
        List<String> found = new ArrayList<>();
        try (JournalCursor cursor = Journal.open(directory).cursor().open()) {
            while (cursor.poll((datagram, position) -> found.add(datagram.payloadText())) > 0) {
                // Until nothing is left.
            }
        }
        assertThat(found).isEqualTo(sent);
    }
}
