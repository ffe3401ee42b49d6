package io.millrace.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import io.millrace.internal.deliver.PositionFile;
import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import io.millrace.sink.Positions;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkBatch;
import io.millrace.sink.SinkSettings;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Outputs of a whole collector. */
class OutputTest {
    @TempDir
    Path root;

    private final Memory memory = new Memory();

    /** Keeps the sequence numbers of what it gets. */
    private static final class Memory implements Sink {
        private final List<Long> received = Collections.synchronizedList(new ArrayList<>());
        private volatile boolean closed;

        @Override
        public @Nullable Object encode(LogRecord record, LineBuffer out) {
            out.append(record.bytes(), record.begin(), record.end());
            return null;
        }

        @Override
        public void send(SinkBatch batch) {
            for (int i = 0; i < batch.size(); i++) {
                received.add(batch.sequence(i));
            }
            batch.done();
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private Collector collector() {
        return Collector.builder()
                .listen("in", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .journal(root.resolve("data"))
                .transport("nio")
                .receivers(1)
                .deliver(SinkSettings.of("memory"), memory)
                .build();
    }

    private static void send(Collector collector, int count) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < count; i++) {
                socket.send(new DatagramPacket(
                        new byte[] {'x'}, 1, collector.addresses().get(0)));
            }
        }
    }

    /** The power failed: the journal's end was not on disk, but positions were. */
    @Test
    void deliveredSequencesAreNeverReused() throws IOException {
        try (Collector collector = collector().start()) {
            send(collector, 3);
            await().until(() -> memory.received.size() == 3);
        }
        PositionFile file = PositionFile.of(root.resolve("data"), "memory");
        Positions before = Objects.requireNonNull(file.read());
        file.write(new Positions(before.journalId(), new long[] {10}, before.counts()));
        try (Collector collector = collector().start()) {
            send(collector, 2);
            await().until(() -> memory.received.size() == 5);
        }
        assertThat(memory.received).containsExactly(0L, 1L, 2L, 10L, 11L);
    }

    @Test
    void sinksAreClosedIfTheStartFails() throws IOException {
        Files.createFile(root.resolve("data"));
        Collector collector = collector();
        assertThatIOException().isThrownBy(collector::start);
        assertThat(memory.closed).isTrue();
    }

    @Test
    void sinksAreClosedWithoutAStart() throws IOException {
        collector().close();
        assertThat(memory.closed).isTrue();
    }
}
