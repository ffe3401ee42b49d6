package io.millrace.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.counters.SocketCells;
import io.millrace.internal.transport.FakeSocket;
import io.millrace.internal.transport.ListeningSocket;
import io.millrace.internal.transport.ReceiveSocket;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocketDropsTest {
    @TempDir
    private Path directory;

    private final FakeSocket socket = new FakeSocket(1000);
    private ShardCells counters;
    private SocketDrops drops;

    @BeforeEach
    void makeDrops() throws IOException {
        counters = CounterFile.open(directory.resolve("counters"), 1, 1).shard(0);
        drops = new SocketDrops(
                List.of(new ListeningSocket(socket, 0, new SocketCells("syslog", 0, 4096))), counters, true);
    }

    @Test
    void countsDropsAcrossA32BitOverflowOfTheKernel() {
        socket.drops = 0xffff_fff0L;
        drops.poll();
        socket.drops = 0x10;
        drops.poll();
        assertThat(counters.get(DropReason.SOCKET_BUFFER.counter())).isEqualTo(0x1_0000_0010L);
    }

    @Test
    void unavailableDropsAreCountedAsUnknown() {
        assertThat(counters.get(Counter.SOCKET_DROPS_UNKNOWN)).isZero();
        socket.drops = ReceiveSocket.UNAVAILABLE;
        drops.poll();
        assertThat(counters.get(Counter.SOCKET_DROPS_UNKNOWN)).isEqualTo(1);
        assertThat(counters.get(DropReason.SOCKET_BUFFER.counter())).isZero();
        socket.drops = 5;
        drops.poll();
        assertThat(counters.get(Counter.SOCKET_DROPS_UNKNOWN)).isZero();
        assertThat(counters.get(DropReason.SOCKET_BUFFER.counter())).isEqualTo(5);
    }

    @Test
    void dropsAfterTheStopAreCountedSeparately() {
        socket.drops = 3;
        drops.poll();
        drops.countAfterStop(true);
        socket.drops = 10;
        drops.poll();
        assertThat(counters.get(DropReason.SOCKET_BUFFER.counter())).isEqualTo(3);
        assertThat(counters.get(DropReason.AFTER_STOP.counter())).isEqualTo(7);
    }

    @Test
    void dropsWhileTheJournalIsBlockedAreCountedSeparately() {
        socket.drops = 3;
        drops.poll();
        counters.set(Counter.JOURNAL_BLOCKED, 1);
        socket.drops = 10;
        drops.poll();
        counters.set(Counter.JOURNAL_BLOCKED, 0);
        socket.drops = 15;
        drops.poll();
        socket.drops = 16;
        drops.poll();
        assertThat(counters.get(DropReason.SOCKET_BUFFER.counter())).isEqualTo(3 + 1);
        assertThat(counters.get(DropReason.JOURNAL_FULL.counter())).isEqualTo(7 + 5);
    }

    @Test
    void dropsOfGroBatchesAreUnknown() {
        SocketDrops ofGroBatches = new SocketDrops(
                List.of(new ListeningSocket(socket, 0, new SocketCells("syslog", 0, 4096))), counters, false);
        ofGroBatches.poll();
        assertThat(counters.get(Counter.SOCKET_DROPS_UNKNOWN)).isEqualTo(1);
    }
}
