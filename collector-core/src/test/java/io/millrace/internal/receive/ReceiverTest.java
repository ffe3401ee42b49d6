package io.millrace.internal.receive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.collector.Network;
import io.millrace.collector.NetworkSet;
import io.millrace.collector.PolicySettings;
import io.millrace.collector.RateLimit;
import io.millrace.collector.Steering;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.counters.SocketCells;
import io.millrace.internal.policy.Policy;
import io.millrace.internal.record.BatchView;
import io.millrace.internal.ring.Slab;
import io.millrace.internal.ring.SlabRing;
import io.millrace.internal.transport.FakeSocket;
import io.millrace.internal.transport.ListeningSocket;
import io.millrace.internal.transport.ReceiveSocket;
import io.millrace.internal.transport.SocketSettings;
import io.millrace.internal.transport.Transport;
import io.millrace.internal.transport.Transports;
import io.millrace.journal.DatagramView;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A receiver, one cycle at a time. */
class ReceiverTest {
    private static final int MAX_DATAGRAM = 1000;
    private static final int SLABS = 4;
    private static final int SLAB_BYTES = 4096;

    @TempDir
    private Path directory;

    private final FakeSocket socket = new FakeSocket(MAX_DATAGRAM);
    private final FakeSocket other = new FakeSocket(MAX_DATAGRAM);
    private final AtomicLong clock = new AtomicLong(1_000_000_000_000L);
    private final SlabRing ring = new SlabRing(SLABS, SLAB_BYTES);
    private ShardCells counters;
    private Receiver receiver;

    @BeforeEach
    void makeReceiver() throws IOException {
        counters = CounterFile.open(directory.resolve("counters"), 1, 1).shard(0);
        receiver = receiver(null);
    }

    private Receiver receiver(PolicyGate gate) {
        return new Receiver(
                0,
                List.of(
                        new ListeningSocket(socket, 0, new SocketCells("syslog", 0, 4096)),
                        new ListeningSocket(other, 1, new SocketCells("other", 0, 4096))),
                new SlabFiller(ring, counters),
                counters,
                clock::get,
                gate);
    }

    @Test
    void submitsTheSlabAtOnceIfTheSocketIsEmptyAndTheWriterIdle() {
        socket.put("one", "two");
        receiver.markReadable(0);
        assertThat(receiver.doWork()).isEqualTo(2);
        assertThat(takeFull()).containsExactly("one", "two");
        assertThat(receiver.isPending()).isFalse();
    }

    @Test
    void keepsTheSlabUntilTheDeadlineIfTheWriterIsBusy() {
        socket.put("one");
        receiver.markReadable(0);
        receiver.doWork();
        socket.put("two");
        receiver.markReadable(0);
        receiver.doWork();
        assertThat(ring.depth()).isEqualTo(1);
        assertThat(receiver.isPending()).isTrue();

        clock.addAndGet(SlabFiller.DEADLINE_NS - 1);
        receiver.doWork();
        assertThat(ring.depth()).isEqualTo(1);
        clock.addAndGet(1);
        receiver.doWork();
        assertThat(ring.depth()).isEqualTo(2);
        assertThat(takeFull()).containsExactly("one");
        assertThat(takeFull()).containsExactly("two");
    }

    @Test
    void chunksThatWaitLeaveAtTheStop() {
        SlabFiller slabs = new SlabFiller(ring, counters);
        ListeningSocket gelf = new ListeningSocket(socket, 0, new SocketCells("gelf", 0, 4096), true);
        Receiver merging = new Receiver(0, List.of(gelf), slabs, counters, clock::get, null);
        byte[] chunk = {0x1e, 0x0f, 1, 2, 3, 4, 5, 6, 7, 8, 0, 2, '{'};
        socket.put(chunk);
        merging.markReadable(0);
        assertThat(merging.doWork()).isEqualTo(1);
        merging.flush();
        assertThat(ring.depth()).as("it waits for the other").isZero();
        assertThat(merging.isDrained()).isTrue();
        merging.release();
        assertThat(merging.isDrained()).isFalse();
        merging.flush();
        assertThat(takeFull()).containsExactly(new String(chunk, UTF_8));
        assertThat(merging.isDrained()).isTrue();
        assertThat(counters.get(Counter.INCOMPLETE_CHUNKS)).isEqualTo(1);
    }

    /** Its senders block after ten datagrams, so the event loop must not sleep. */
    @Test
    void reportsReadsOfUnixDatagramSockets() {
        socket.put("one");
        receiver.markReadable(0);
        receiver.doWork();
        assertThat(receiver.outcome().isAwaited()).isFalse();
        socket.local = true;
        receiver.markReadable(0);
        receiver.doWork();
        assertThat(receiver.outcome().isAwaited()).as("nothing was read").isFalse();
        socket.put("two");
        receiver.markReadable(0);
        receiver.doWork();
        assertThat(receiver.outcome().isAwaited()).isTrue();
        assertThat(receiver.outcome().receivedCount()).isEqualTo(2);
    }

    @Test
    void clockSetBackDoesNotDelayASlab() {
        socket.put("one");
        receiver.markReadable(0);
        receiver.doWork();
        socket.put("two");
        receiver.markReadable(0);
        receiver.doWork();
        clock.addAndGet(-3_600_000_000_000L);
        receiver.doWork();
        assertThat(ring.depth()).isEqualTo(2);
    }

    @Test
    void datagramSecondsAfterTheFirstStartsANewBatch() {
        socket.put("first");
        receiver.markReadable(0);
        receiver.doWork();
        socket.put("second");
        receiver.markReadable(0);
        receiver.doWork();
        socket.put("much later");
        clock.addAndGet(3_000_000_000L);
        receiver.markReadable(0);
        receiver.doWork();
        receiver.flush();
        assertThat(takeFull()).containsExactly("first");
        assertThat(takeFull()).containsExactly("second");
        assertThat(takeFull()).containsExactly("much later");
    }

    @Test
    void doesNotReadWithoutAFreeSlab() {
        for (int i = 0; i < 100; i++) {
            socket.put(new byte[MAX_DATAGRAM]);
        }
        receiver.markReadable(0);
        while (!receiver.isStarved()) {
            receiver.doWork();
        }
        int readBefore = socket.reads;
        assertThat(receiver.doWork()).isZero();
        assertThat(socket.reads).isEqualTo(readBefore);
        assertThat(socket.left()).isEqualTo(100 - readBefore).isPositive();
        assertThat(counters.get(Counter.RECEIVED_DATAGRAMS)).isEqualTo(readBefore);
        assertThat(counters.get(Counter.RING_DEPTH_MAX)).isPositive();

        int taken = 0;
        while (!receiver.isDrained()) {
            taken += takeFull().size();
            receiver.doWork();
        }
        receiver.flush();
        for (int more = takeFull().size(); more > 0; more = takeFull().size()) {
            taken += more;
        }
        assertThat(taken).isEqualTo(100);
    }

    @Test
    void discardCountsWhatTheSocketHasAsDroppedAndNotAsReceived() {
        for (int i = 0; i < 100; i++) {
            socket.put(new byte[MAX_DATAGRAM]);
        }
        receiver.markReadable(0);
        while (!receiver.isStarved()) {
            receiver.doWork();
        }
        long received = counters.get(Counter.RECEIVED_DATAGRAMS);
        counters.set(Counter.JOURNAL_BLOCKED, 1);

        assertThat(receiver.discard(0, 1)).isTrue();
        assertThat(socket.left()).isZero();
        assertThat(counters.get(Counter.RECEIVED_DATAGRAMS)).isEqualTo(received);
        assertThat(counters.get(DropReason.JOURNAL_FULL.counter()))
                .isEqualTo(100 - received)
                .isPositive();
        assertThat(counters.get(DropReason.AFTER_STOP.counter())).isZero();
    }

    /** Of a read of 20 datagrams the slabs take some; the next read only moves the others, and the socket has more. */
    @Test
    void discardReadsOnAfterTheStagedDatagrams() throws IOException {
        Assumptions.assumeTrue(Epoll.isAvailable(), "no epoll");
        ReceiveSocket epoll = Transports.select("epoll")
                .open(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        new SocketSettings(1 << 20, MAX_DATAGRAM, false, Steering.HASH, false, false),
                        Transport.Sharing.ALONE);
        try (DatagramSocket sender = new DatagramSocket()) {
            Receiver reading = new Receiver(
                    0,
                    List.of(new ListeningSocket(epoll, 0, new SocketCells("syslog", 0, 4096))),
                    new SlabFiller(ring, counters),
                    counters,
                    clock::get,
                    null);
            send(sender, epoll.localAddress(), 20);
            reading.markReadable(0);
            while (!reading.isStarved()) {
                reading.doWork();
            }
            assertThat(reading.hasStaged()).isTrue();
            send(sender, epoll.localAddress(), 30);
            counters.set(Counter.JOURNAL_BLOCKED, 1);

            assertThat(reading.discard(0, 1)).isTrue();
            assertThat(counters.get(Counter.RECEIVED_DATAGRAMS)).isEqualTo(20);
            assertThat(counters.get(DropReason.JOURNAL_FULL.counter())).isEqualTo(30);
        } finally {
            epoll.close();
        }
    }

    private static void send(DatagramSocket sender, InetSocketAddress to, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            sender.send(new DatagramPacket(new byte[MAX_DATAGRAM], MAX_DATAGRAM, to));
        }
    }

    @Test
    void failedReadIsCountedAndTheOtherSocketIsStillRead() {
        socket.put("before").put(FakeSocket.FAILURE).put("after");
        other.put("unharmed");
        receiver.markReadable(0);
        receiver.markReadable(1);
        assertThat(receiver.doWork()).isEqualTo(2);
        assertThat(counters.get(Counter.RECEIVE_ERRORS)).isEqualTo(1);
        assertThat(receiver.hasFailed(0)).isTrue();
        assertThat(receiver.hasFailed(1)).isFalse();

        receiver.markReadable(0);
        assertThat(receiver.doWork()).isEqualTo(1);
        assertThat(receiver.hasFailed(0)).isFalse();
        assertThat(takeFull()).containsExactly("before", "unharmed");
        receiver.flush();
        assertThat(takeFull()).containsExactly("after");
    }

    @Test
    void cycleHasALimitOfReads() {
        for (int i = 0; i < 3 * Receiver.READS_PER_CYCLE; i++) {
            socket.put("x");
        }
        other.put("not forgotten");
        receiver.markReadable(0);
        receiver.markReadable(1);
        int cycles = 0;
        while (!receiver.isDrained()) {
            assertThat(receiver.doWork()).isLessThanOrEqualTo(2 * Receiver.READS_PER_CYCLE);
            cycles++;
            while (!takeFull().isEmpty()) {
                // The writer keeps up.
            }
        }
        assertThat(cycles).isGreaterThanOrEqualTo(3);
        assertThat(counters.get(Counter.RECEIVED_DATAGRAMS)).isEqualTo(3 * Receiver.READS_PER_CYCLE + 1L);
    }

    /** The event loop only knows what waits in the socket, so staged datagrams would be left behind. */
    @Test
    void cycleLeavesNothingStagedWhileSlabsAreFree() {
        SlabRing roomy = new SlabRing(16, SLAB_BYTES);
        Receiver alone = new Receiver(
                0,
                List.of(new ListeningSocket(socket, 0, new SocketCells("syslog", 0, 4096))),
                new SlabFiller(roomy, counters),
                counters,
                clock::get,
                null);
        // A slab holds 63 of them, so each read of 64 leaves one staged. The ninth read ends the cycle.
        for (int i = 0; i < 9 * 63 + 1; i++) {
            socket.put(new byte[48]);
        }
        alone.markReadable(0);
        assertThat(alone.doWork()).isGreaterThanOrEqualTo(Receiver.READS_PER_CYCLE);
        assertThat(socket.reader().staged()).isZero();
        assertThat(socket.left()).isZero();
    }

    @Test
    void datagramsAreCountedAsReceivedBeforeTheWriterGetsThem() {
        for (int i = 0; i < 11; i++) {
            socket.put(new byte[MAX_DATAGRAM]);
        }
        receiver.markReadable(0);
        receiver.doWork();
        long submitted = 0;
        for (List<String> batch = takeFull(); !batch.isEmpty(); batch = takeFull()) {
            submitted += batch.size();
        }
        assertThat(submitted).isPositive();
        assertThat(counters.get(Counter.RECEIVED_DATAGRAMS)).isGreaterThanOrEqualTo(submitted);
        assertThat(counters.get(Counter.RECEIVED_BYTES))
                .isEqualTo(counters.get(Counter.RECEIVED_DATAGRAMS) * MAX_DATAGRAM);
    }

    @Test
    void tooLongDatagramIsTruncatedAndCounted() {
        socket.put(new byte[MAX_DATAGRAM]).put(new byte[MAX_DATAGRAM + 1]).put(new byte[0]);
        receiver.markReadable(0);
        receiver.doWork();
        assertThat(takeFull()).extracting(String::length).containsExactly(MAX_DATAGRAM, MAX_DATAGRAM, 0);
        assertThat(counters.get(Counter.TRUNCATED_DATAGRAMS)).isEqualTo(1);
    }

    @Test
    void deniedDatagramsAreCountedAndNotSubmitted() {
        Network one = Network.parse("10.0.0.2");
        receiver = receiver(new PolicyGate(
                Policy.of(new PolicySettings(NetworkSet.of(List.of(), List.of(one)), null, null, 24, 64))));
        socket.put("one").from(2).put("not this").from(1).put("two").from(2).put(new byte[MAX_DATAGRAM + 1]);
        receiver.markReadable(0);
        assertThat(receiver.doWork()).isEqualTo(4);
        assertThat(takeFull()).containsExactly("one", "two");
        assertThat(counters.get(Counter.RECEIVED_DATAGRAMS)).isEqualTo(4);
        assertThat(counters.get(Counter.RECEIVED_BYTES)).isEqualTo(14 + MAX_DATAGRAM);
        assertThat(counters.get(Counter.TRUNCATED_DATAGRAMS)).isEqualTo(1);
        assertThat(counters.get(DropReason.DENIED.counter())).isEqualTo(2);
        assertThat(counters.get(DropReason.RATE_LIMITED.counter())).isZero();
        assertThat(receiver.isPending()).isFalse();
    }

    @Test
    void lessSevereMessagesAreCountedAndNotSubmitted() {
        receiver = receiver(new PolicyGate(
                Policy.of(PolicySettings.builder().minimumSeverity(6).build())));
        socket.put("<15>debug").put("<14>info").put("no priority").put("<191>debug");
        receiver.markReadable(0);
        assertThat(receiver.doWork()).isEqualTo(4);
        assertThat(takeFull()).containsExactly("<14>info", "no priority");
        assertThat(counters.get(Counter.RECEIVED_DATAGRAMS)).isEqualTo(4);
        assertThat(counters.get(DropReason.FILTERED.counter())).isEqualTo(2);
        assertThat(counters.get(DropReason.DENIED.counter())).isZero();
    }

    /** A slab emptied by the policy must not end the cycle early. A stream of denied datagrams must not keep it going. */
    @Test
    void floodOfDeniedDatagramsIsReadInLimitedCyclesAndFillsNoSlab() {
        receiver = receiver(new PolicyGate(Policy.of(new PolicySettings(
                NetworkSet.of(List.of(Network.parse("192.0.2.1")), List.of()), null, null, 24, 64))));
        for (int i = 0; i < 2000; i++) {
            socket.put(new byte[MAX_DATAGRAM - i % 7]);
        }
        receiver.markReadable(0);
        int cycles = 0;
        while (!receiver.isDrained()) {
            assertThat(receiver.doWork()).isLessThanOrEqualTo(2 * Receiver.READS_PER_CYCLE);
            assertThat(receiver.isStarved()).isFalse();
            cycles++;
        }
        assertThat(cycles).isGreaterThanOrEqualTo(3);
        assertThat(counters.get(DropReason.DENIED.counter())).isEqualTo(2000);
        assertThat(counters.get(Counter.RECEIVED_DATAGRAMS)).isEqualTo(2000);
        assertThat(ring.depth()).isZero();
        assertThat(receiver.isPending()).isFalse();
    }

    /** Slabs fill up, run out and are released while a limit rejects some datagrams. Each datagram is counted once. */
    @Test
    void datagramsAboveALimitAreCountedAndOthersSubmittedInOrder() {
        receiver = receiver(new PolicyGate(Policy.of(new PolicySettings(null, new RateLimit(300, 0), null, 24, 64))));
        for (int i = 0; i < 1000; i++) {
            socket.from(i % 2 + 1).put("%d".formatted(i) + " ".repeat(i % 500));
        }
        receiver.markReadable(0);
        List<String> found = new ArrayList<>();
        while (!receiver.isDrained()) {
            receiver.doWork();
            found.addAll(takeFull());
        }
        receiver.flush();
        for (List<String> more = takeFull(); !more.isEmpty(); more = takeFull()) {
            found.addAll(more);
        }
        assertThat(found)
                .extracting(it -> Integer.parseInt(it.strip()))
                .isSorted()
                .hasSize(600)
                .last()
                .isEqualTo(599);
        assertThat(counters.get(Counter.RECEIVED_DATAGRAMS)).isEqualTo(1000);
        assertThat(counters.get(DropReason.RATE_LIMITED.counter())).isEqualTo(400);
    }

    /** The payloads of the next submitted slab; empty if there is none. */
    private List<String> takeFull() {
        Slab slab = ring.takeFull();
        List<String> payloads = new ArrayList<>();
        if (slab != null) {
            slab.batch().seal(0, 1, 0);
            BatchView batch =
                    new BatchView().wrap(slab.batch().buffer(), 0, slab.batch().length());
            assertThat(batch.check()).isEqualTo(BatchView.Health.OK);
            DatagramView datagram = new DatagramView();
            batch.first(datagram);
            do {
                payloads.add(datagram.payloadText());
            } while (datagram.next());
            ring.release(slab);
        }
        return payloads;
    }
}
