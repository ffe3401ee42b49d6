package io.millrace.jni;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.Collector;
import io.millrace.collector.ReceiverAllocation;
import io.millrace.collector.TransportContract;
import io.millrace.read.Journal;
import io.millrace.read.JournalCursor;
import io.millrace.receive.Steering;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of transports, for {@code native}. */
class NativeContractTest extends TransportContract {
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
    void aReceiverAllocatesNothing(int sources, @TempDir Path directory) throws IOException {
        assertThat(ReceiverAllocation.bytesADatagram(directory, "native", sources))
                .isLessThan(1);
    }

    /** One source that two receivers got, read back as it was sent. */
    @Test
    void theKernelsTimesTellTheOrderOfASourceThatWasSpread(@TempDir Path directory) throws IOException {
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
                // Goes on.
            }
        }
        assertThat(shards).containsExactly(0, 1);
        assertThat(found).isSorted().hasSize(sent);
        assertThat(kernelTime[0]).isTrue();
    }

    @Test
    void trainsAreCutUpIntoTheDatagramsThatWereSent(@TempDir Path directory) throws IOException {
        try (Collector collector = Collector.builder()
                        .journal(directory)
                        .transport("native")
                        .gro(true)
                        .listen("it", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .build()
                        .start();
                DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < 1000; i++) {
                byte[] payload = ("number " + i).getBytes(StandardCharsets.US_ASCII);
                socket.send(new DatagramPacket(
                        payload, payload.length, collector.addresses().get(0)));
            }
        }
        List<String> found = new ArrayList<>();
        try (JournalCursor cursor = Journal.open(directory).cursor().open()) {
            while (cursor.poll((datagram, position) -> found.add(datagram.payloadText())) > 0) {
                // Goes on.
            }
        }
        assertThat(found)
                .isEqualTo(IntStream.range(0, 1000).mapToObj(i -> "number " + i).toList());
    }
}
