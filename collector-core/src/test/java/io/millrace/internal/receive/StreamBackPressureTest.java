package io.millrace.internal.receive;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.collector.Counter;
import io.millrace.collector.Endpoint;
import io.millrace.collector.Pinning;
import io.millrace.collector.PolicySettings;
import io.millrace.collector.Steering;
import io.millrace.collector.StreamInput;
import io.millrace.collector.StreamSettings;
import io.millrace.internal.agent.NeededThreads;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.record.BatchView;
import io.millrace.internal.ring.Slab;
import io.millrace.internal.ring.SlabRing;
import io.millrace.internal.transport.DropMarks;
import io.millrace.internal.transport.SocketSettings;
import io.millrace.journal.DatagramView;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections while nobody takes the slabs: senders stall, and each message is there once and in order afterwards. */
@Timeout(60)
class StreamBackPressureTest {
    private static final int SENDERS = 8;
    private static final int MESSAGES = 40_000;
    private static final String TEXT = " a message of about a hundred bytes".repeat(3);

    @TempDir
    Path directory;

    private final SlabRing ring = new SlabRing(4, 128 << 10);
    private final AtomicLong sent = new AtomicLong();

    private Thread sender(int number, InetSocketAddress to) {
        Thread thread = new Thread(() -> {
            try (Socket socket = new Socket(to.getAddress(), to.getPort())) {
                // If the kernel chooses, buffers can grow until they hold all messages.
                socket.setSendBufferSize(64 << 10);
                OutputStream out = socket.getOutputStream();
                for (int i = 0; i < MESSAGES; i++) {
                    byte[] message = (number + " " + i + TEXT + "\n").getBytes(US_ASCII);
                    out.write(message);
                    sent.addAndGet(message.length);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        thread.start();
        return thread;
    }

    /** Takes what is in the ring; returns how many messages. */
    private int take(int[] next) {
        int count = 0;
        for (Slab slab = ring.takeFull(); slab != null; slab = ring.takeFull()) {
            slab.batch().seal(0, 1, 0);
            BatchView view =
                    new BatchView().wrap(slab.batch().buffer(), 0, slab.batch().length());
            assertThat(view.isGood()).isTrue();
            DatagramView message = new DatagramView();
            view.first(message);
            do {
                String[] words = message.payloadText().split(" ", 3);
                int sender = Integer.parseInt(words[0]);
                assertThat(Integer.parseInt(words[1])).isEqualTo(next[sender]++);
                assertThat(" " + words[2]).isEqualTo(TEXT);
                count++;
            } while (message.next());
            ring.release(slab);
        }
        return count;
    }

    @Test
    void sendersStallAndNothingIsLost() throws Exception {
        ShardCells counters =
                CounterFile.open(directory.resolve("counters"), 7, 1).shard(0);
        ReceiveStage stage = ReceiveStage.bind(
                new ReceiveStage.Settings(
                        Epoll.isAvailable() ? "epoll" : "nio",
                        new SocketSettings(1 << 16, 2048, false, Steering.HASH, false, false),
                        Pinning.NONE,
                        PolicySettings.NONE,
                        Duration.ofMillis(5)),
                List.of(),
                List.of(new StreamInput(
                        "tcp",
                        Endpoint.tcp(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                        StreamSettings.DEFAULT)),
                List.of(0),
                1,
                List.of(),
                List.of(),
                DropMarks.none());
        try {
            stage.start(List.of(new ReceiveStage.Shard(ring, counters, null)), new NeededThreads((thread, e) -> {}));
            InetSocketAddress to = stage.listeners().endpoints().get(0).address();
            List<Thread> senders = new ArrayList<>();
            for (int i = 0; i < SENDERS; i++) {
                senders.add(sender(i, to));
            }
            await().until(() -> counters.get(Counter.BACK_PRESSURE_NS) > 0);
            long stalledAt = -1;
            while (stalledAt != sent.get()) {
                stalledAt = sent.get();
                Thread.sleep(300);
            }
            assertThat(stalledAt).isLessThan((long) SENDERS * MESSAGES * TEXT.length());
            long held = counters.get(Counter.STREAM_READ_BYTES) - counters.get(Counter.STREAM_PAYLOAD_BYTES);
            assertThat(held).as("bytes read and not placed").isLessThan(2 * 65_536 + SENDERS * 1024 + MESSAGES);

            int[] next = new int[SENDERS];
            int taken = 0;
            while (taken < SENDERS * MESSAGES) {
                taken += take(next);
                Thread.onSpinWait();
            }
            for (Thread sender : senders) {
                sender.join();
            }
            assertThat(stage.stopStreams(1_000_000_000L, 1_000_000_000L)).isZero();
            assertThat(counters.get(Counter.STREAM_READ_BYTES)).isEqualTo(sent.get());
            assertThat(counters.get(Counter.RECEIVED_DATAGRAMS)).isEqualTo(SENDERS * MESSAGES);
        } finally {
            stage.close();
        }
    }
}
