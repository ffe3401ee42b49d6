package io.millrace.internal.receive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.Counter;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.gelf.Chunked;
import io.millrace.internal.record.BatchView;
import io.millrace.internal.record.FrameWriter;
import io.millrace.internal.record.TestDatagram;
import io.millrace.internal.ring.Slab;
import io.millrace.internal.ring.SlabRing;
import io.millrace.journal.DatagramView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chunks that are lost, repeated and reordered, from the slab of a read to the slabs of the journal writer. */
class ChunkGateTest {
    private static final int SLAB_BYTES = 256 << 10;
    private static final int CASES = 1000;

    @TempDir
    private Path directory;

    private final SlabRing ring = new SlabRing(4, SLAB_BYTES);
    private final Map<ByteBuffer, Integer> journaled = new HashMap<>();
    private long frames;
    private ShardCells counters;
    private SlabFiller filler;
    private ChunkGate gate;

    @BeforeEach
    void makeGate() throws IOException {
        counters = CounterFile.open(directory.resolve("counters"), 1, 1).shard(0);
        filler = new SlabFiller(ring, counters);
        gate = new ChunkGate(filler, () -> TestDatagram.TIME_NS);
    }

    private void receive(byte[] payload, int port, long timeNs) {
        TestDatagram datagram =
                TestDatagram.of(payload).from(new byte[] {10, 0, 0, 1}, 0, port).at(timeNs);
        FrameWriter batch = batch();
        batch.mark();
        if (!datagram.appendTo(batch)) {
            filler.flush();
            batch = batch();
            batch.mark();
            assertThat(datagram.appendTo(batch)).isTrue();
        }
        filler.received(1, payload.length, 0);
        gate.take(batch);
        while (!gate.write()) {
            write();
        }
    }

    private FrameWriter batch() {
        if (filler.acquire() == null) {
            write();
        }
        return filler.acquire();
    }

    /** The journal writer: takes the full slabs. */
    private void write() {
        for (Slab slab = ring.takeFull(); slab != null; slab = ring.takeFull()) {
            FrameWriter batch = slab.batch();
            batch.seal(0, 1, frames);
            DatagramView view = new DatagramView();
            new BatchView().wrap(batch.buffer(), 0, batch.length()).first(view);
            do {
                byte[] payload = new byte[view.payloadLength()];
                view.copyPayload(payload, 0);
                journaled.merge(ByteBuffer.wrap(payload), 1, Integer::sum);
                assertThat(view.sourceText()).isEqualTo("10.0.0.1");
                frames++;
            } while (view.next());
            ring.release(slab);
        }
    }

    @Test
    void randomChunksArriveWholeOrAsTheyCame() {
        long seed = Long.getLong("millrace.test.seed", System.nanoTime());
        System.out.println("ChunkGateTest seed " + seed + ", repeat with -Dmillrace.test.seed=" + seed);
        Random random = new Random(seed);
        List<Map.Entry<Integer, byte[]>> sent = new ArrayList<>();
        List<byte[]> complete = new ArrayList<>();
        int single = 0;
        for (int i = 0; i < CASES; i++) {
            byte[] payload = new byte[12 + random.nextInt(random.nextInt(10) == 0 ? 60_000 : 5_000)];
            random.nextBytes(payload);
            payload[0] = '{';
            int loss = random.nextInt(3) == 0 ? random.nextInt(30) : 0;
            boolean lost = false;
            List<byte[]> chunks =
                    Chunked.of(payload, random.nextLong(), payload.length / 128 + 100 + random.nextInt(1400));
            for (byte[] chunk : chunks) {
                if (random.nextInt(100) < loss) {
                    lost = true;
                    continue;
                }
                for (int copies = random.nextInt(20) == 0 ? 2 : 1; copies > 0; copies--) {
                    sent.add(Map.entry(1 + i % 50, chunk));
                }
            }
            if (!lost) {
                complete.add(payload);
            }
            if (random.nextInt(3) == 0) {
                sent.add(Map.entry(1, ("plain " + i).getBytes(UTF_8)));
                single++;
            }
        }
        // Reordered within a window, as a network does.
        for (int from = 0; from < sent.size(); from += 200) {
            Collections.shuffle(sent.subList(from, Math.min(from + 200, sent.size())), random);
        }
        long timeNs = TestDatagram.TIME_NS;
        for (Map.Entry<Integer, byte[]> datagram : sent) {
            receive(datagram.getValue(), datagram.getKey(), timeNs += random.nextInt(2_000_000));
        }
        gate.releaseAll();
        while (!gate.write()) {
            write();
        }
        filler.publish();
        filler.flush();
        write();
        assertThat(gate.isHolding()).isFalse();
        assertThat(complete)
                .hasSizeGreaterThan(CASES / 2)
                .allSatisfy(payload ->
                        assertThat(journaled.get(ByteBuffer.wrap(payload))).isEqualTo(1));
        assertThat(single).isPositive();
        assertThat(counters.get(Counter.RECEIVED_DATAGRAMS)).isEqualTo(sent.size());
        assertThat(counters.get(Counter.DUPLICATE_CHUNKS)).isPositive();
        assertThat(counters.get(Counter.INCOMPLETE_CHUNKS)).isPositive();
        assertThat(counters.get(Counter.RECEIVED_DATAGRAMS))
                .isEqualTo(frames + counters.get(Counter.MERGED_CHUNKS) + counters.get(Counter.DUPLICATE_CHUNKS));
        assertThat(frames).isEqualTo(complete.size() + single + counters.get(Counter.INCOMPLETE_CHUNKS));
    }

    /** 128 chunks of 8 KiB would be longer than a slab. */
    @Test
    void messageThatFitsInNoSlabIsJournaledAsChunks() {
        List<byte[]> chunks = Chunked.of(new byte[128 * 8000], 7, 8000);
        for (byte[] chunk : chunks) {
            receive(chunk, 1, TestDatagram.TIME_NS);
        }
        filler.flush();
        write();
        assertThat(frames).isEqualTo(128);
        assertThat(counters.get(Counter.INCOMPLETE_CHUNKS)).isEqualTo(128);
        assertThat(counters.get(Counter.MERGED_CHUNKS)).isZero();
        assertThat(chunks).allSatisfy(chunk -> assertThat(journaled).containsKey(ByteBuffer.wrap(chunk)));
    }

    @Test
    void messageOfMoreThan64KiBIsOneFrame() {
        byte[] payload = new byte[200_000];
        new Random(1).nextBytes(payload);
        for (byte[] chunk : Chunked.of(payload, 7, 8000)) {
            receive(chunk, 1, TestDatagram.TIME_NS);
        }
        filler.flush();
        write();
        assertThat(journaled).containsOnlyKeys(ByteBuffer.wrap(payload));
        assertThat(counters.get(Counter.MERGED_CHUNKS)).isEqualTo(24);
    }
}
