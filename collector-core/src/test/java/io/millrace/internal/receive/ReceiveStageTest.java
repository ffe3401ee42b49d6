package io.millrace.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.collector.Pinning;
import io.millrace.collector.PolicySettings;
import io.millrace.collector.Steering;
import io.millrace.internal.agent.Agent;
import io.millrace.internal.agent.NeededThreads;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.ring.SlabRing;
import io.millrace.internal.transport.DropMarks;
import io.millrace.internal.transport.InputAddress;
import io.millrace.internal.transport.SocketSettings;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stop of several receivers, of which one does not answer. */
class ReceiveStageTest {
    private static final int COUNT = 50;

    @TempDir
    Path directory;

    /** Blocks a receiver's thread at its first cycle, until it is released. */
    private static final class HeldUp implements Agent {
        private final CountDownLatch held = new CountDownLatch(1);
        private final CountDownLatch go = new CountDownLatch(1);

        @Override
        public String roleName() {
            return "held-up";
        }

        @Override
        public int doWork() {
            held.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return 0;
        }
    }

    /** Takes as long as the time limit of the receiver's answer. */
    @Test
    @Tag("once")
    @Timeout(60)
    void unresponsiveReceiverDoesNotBlockTheStopOfOthers() throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable(), "no epoll");
        CounterFile counters = CounterFile.open(directory.resolve("counters"), 7, 2);
        ShardCells first = counters.shard(0);
        ShardCells second = counters.shard(1);
        HeldUp heldUp = new HeldUp();
        ReceiveStage stage = bind("epoll", 2);
        try {
            stage.start(
                    List.of(
                            new ReceiveStage.Shard(ring(), first, heldUp),
                            new ReceiveStage.Shard(ring(), second, null)),
                    new NeededThreads((thread, e) -> {}));
            // Each loop runs once per second, even without traffic.
            heldUp.held.await();
            send(stage);
            await().until(() -> second.get(Counter.RECEIVED_DATAGRAMS) > 0);

            assertThatIOException().isThrownBy(stage::refuse).withMessage("receive-0 does not answer");
            assertThat(stage.canRefuse()).isFalse();
            assertThat(first.get(Counter.AFTER_STOP_UNKNOWN)).isEqualTo(1);
            assertThat(second.get(Counter.AFTER_STOP_UNKNOWN)).isZero();

            heldUp.go.countDown();
            stage.drain(1_000_000_000L);
            assertThat(first.get(Counter.RECEIVED_DATAGRAMS) + second.get(Counter.RECEIVED_DATAGRAMS))
                    .isEqualTo(COUNT);
        } finally {
            heldUp.go.countDown();
            stage.close();
        }
        assertThat(stage.ended()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void drainCountsWhatABlockedJournalDoesNotTake(String transport) throws Exception {
        Assumptions.assumeTrue(transport.equals("nio") || Epoll.isAvailable(), "no epoll");
        ShardCells counters =
                CounterFile.open(directory.resolve("counters"), 7, 1).shard(0);
        ReceiveStage stage = bind(transport, 1);
        try (DatagramSocket sender = new DatagramSocket()) {
            counters.set(Counter.JOURNAL_BLOCKED, 1);
            stage.start(
                    List.of(new ReceiveStage.Shard(new SlabRing(4, 8 << 10), counters, null)),
                    new NeededThreads((thread, e) -> {}));
            int sent = 500;
            for (int i = 0; i < sent; i++) {
                sender.send(
                        new DatagramPacket(new byte[100], 100, stage.addresses().get(0)));
                LockSupport.parkNanos(100_000);
            }
            stage.refuse();
            stage.drain(100_000_000L);
            stage.close();

            long received = counters.get(Counter.RECEIVED_DATAGRAMS);
            assertThat(received).isBetween(1L, sent - 100L);
            assertThat(received + counters.get(DropReason.JOURNAL_FULL.counter()))
                    .isEqualTo(sent);
        }
    }

    private static ReceiveStage bind(String transport, int receivers) throws IOException {
        return ReceiveStage.bind(
                new ReceiveStage.Settings(
                        transport,
                        new SocketSettings(1 << 16, 2048, false, Steering.HASH, false, false),
                        Pinning.NONE,
                        PolicySettings.NONE,
                        Duration.ofMillis(5)),
                List.of(new InputAddress("in", 0, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))),
                List.of(),
                List.of(),
                receivers,
                List.of(),
                List.of(),
                DropMarks.none());
    }

    /** A ring that nobody drains. It has a slab for each datagram. */
    private static SlabRing ring() {
        return new SlabRing(64, 8 << 10);
    }

    /** Sends from enough ports that each receiver gets something. */
    private static void send(ReceiveStage stage) throws IOException {
        for (int i = 0; i < COUNT; i++) {
            try (DatagramSocket socket = new DatagramSocket()) {
                socket.send(new DatagramPacket(
                        new byte[] {'x'}, 1, stage.addresses().get(0)));
            }
        }
    }
}
