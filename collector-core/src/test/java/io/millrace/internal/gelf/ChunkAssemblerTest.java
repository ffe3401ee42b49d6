package io.millrace.internal.gelf;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.gelf.ChunkAssembler.Chunks;
import io.millrace.internal.gelf.ChunkAssembler.Verdict;
import io.millrace.internal.record.TestDatagram;
import io.millrace.journal.DatagramView;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class ChunkAssemblerTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int MAX_PAYLOAD = 200_000;

    private final ChunkAssembler assembler = new ChunkAssembler(MAX_PAYLOAD);

    private static DatagramView view(byte[] payload, int port) {
        return TestDatagram.of(payload).from(new byte[] {10, 0, 0, 1}, 0, port).view();
    }

    private Verdict take(byte[] chunk) {
        return assembler.take(view(chunk, 1), 0);
    }

    private String text() {
        Chunks message = assembler.next();
        assertThat(message).isNotNull();
        assertThat(message.isComplete()).isTrue();
        byte[] payload = new byte[message.payloadBytes()];
        message.copyPayload(payload);
        assembler.written();
        return new String(payload, UTF_8);
    }

    @Test
    void mergesInAnyOrder() {
        List<byte[]> chunks = Chunked.of("abcdefghij".getBytes(UTF_8), 7, 3);
        assertThat(take(chunks.get(3))).isEqualTo(Verdict.TAKEN);
        assertThat(take(chunks.get(0))).isEqualTo(Verdict.TAKEN);
        assertThat(take(chunks.get(2))).isEqualTo(Verdict.TAKEN);
        assertThat(assembler.next()).isNull();
        assertThat(take(chunks.get(1))).isEqualTo(Verdict.TAKEN);
        assertThat(text()).isEqualTo("abcdefghij");
        assertThat(assembler.isHolding()).isFalse();
        assertThat(assembler.bytes()).isZero();
    }

    @Test
    void copiesAreDuplicatesBeforeAndAfterTheMessageIsComplete() {
        List<byte[]> chunks = Chunked.of("abcd".getBytes(UTF_8), 7, 2);
        assertThat(take(chunks.get(0))).isEqualTo(Verdict.TAKEN);
        assertThat(take(chunks.get(0))).isEqualTo(Verdict.DUPLICATE);
        assertThat(take(Chunked.of("xxcd".getBytes(UTF_8), 7, 2).get(0)))
                .as("another content")
                .isEqualTo(Verdict.REJECTED);
        assertThat(take(chunks.get(1))).isEqualTo(Verdict.TAKEN);
        assertThat(take(chunks.get(1))).isEqualTo(Verdict.DUPLICATE);
        assertThat(text()).isEqualTo("abcd");
        assertThat(take(chunks.get(0))).isEqualTo(Verdict.DUPLICATE);
        assertThat(assembler.take(view(chunks.get(0), 1), 6 * SECOND_NS))
                .as("after its time a message is forgotten")
                .isEqualTo(Verdict.TAKEN);
    }

    @Test
    void messagesOfOtherPortsAreOthers() {
        List<byte[]> chunks = Chunked.of("abcd".getBytes(UTF_8), 7, 2);
        assembler.take(view(chunks.get(0), 1), 0);
        assembler.take(view(chunks.get(1), 2), 0);
        assertThat(assembler.next()).isNull();
    }

    @Test
    void whatIsNoChunkStaysAsItIs() {
        byte[] good = Chunked.of("abcd".getBytes(UTF_8), 7, 2).get(0);
        assertThat(take("{\"version\":\"1.1\"}".getBytes(UTF_8))).isEqualTo(Verdict.OTHER);
        assertThat(take(new byte[0])).isEqualTo(Verdict.OTHER);
        assertThat(take(new byte[] {0x1e, 0x0f, 1})).isEqualTo(Verdict.REJECTED);
        for (int[] wrong : new int[][] {{2, 2}, {0, 0}, {0, 129}, {255, 128}}) {
            byte[] chunk = good.clone();
            chunk[10] = (byte) wrong[0];
            chunk[11] = (byte) wrong[1];
            assertThat(take(chunk)).isEqualTo(Verdict.REJECTED);
        }
        assertThat(assembler.take(TestDatagram.of(good).truncated(true).view(), 0))
                .isEqualTo(Verdict.REJECTED);
        assertThat(assembler.isHolding()).isFalse();
    }

    @Test
    void leavesAsItCameAfterFiveSeconds() {
        List<byte[]> chunks = Chunked.of("abcdef".getBytes(UTF_8), 7, 2);
        take(chunks.get(2));
        take(chunks.get(0));
        assembler.expire(5 * SECOND_NS - 1);
        assertThat(assembler.next()).isNull();
        assembler.expire(5 * SECOND_NS);
        Chunks left = assembler.next();
        assertThat(left).isNotNull();
        assertThat(left.isComplete()).isFalse();
        assertThat(left.count()).isEqualTo(2);
        assertThat(left.chunk(1)).isNull();
        byte[] payload = new byte[chunks.get(2).length];
        left.chunk(2).copyPayload(payload, 0);
        assertThat(payload).isEqualTo(chunks.get(2));
        assembler.written();
        assertThat(assembler.bytes()).isZero();
    }

    /** What has left takes no place from what comes. */
    @Test
    void numberOfMessagesIsNotLimited() {
        for (int id = 0; id < 3 * ChunkAssembler.MAX_MESSAGES; id++) {
            List<byte[]> chunks = Chunked.of("abcd".getBytes(UTF_8), id, 2);
            assertThat(take(chunks.get(0))).isEqualTo(Verdict.TAKEN);
            assertThat(take(chunks.get(1))).isEqualTo(Verdict.TAKEN);
            assertThat(take(chunks.get(1))).isEqualTo(Verdict.DUPLICATE);
            assertThat(text()).isEqualTo("abcd");
        }
        assertThat(assembler.isHolding()).isFalse();
    }

    @Test
    void messageThatIsTooLongLeavesAsItCame() {
        List<byte[]> chunks = Chunked.of(new byte[MAX_PAYLOAD + 1], 7, 8000);
        for (int i = 0; i < chunks.size() - 1; i++) {
            assertThat(take(chunks.get(i))).isEqualTo(Verdict.TAKEN);
        }
        assertThat(take(chunks.get(chunks.size() - 1))).isEqualTo(Verdict.REJECTED);
        assertThat(assembler.next().count()).isEqualTo(chunks.size() - 1);
    }

    @Test
    void memoryIsLimitedWhoeverSends() {
        int taken = 0;
        for (int i = 0; i < 12_000; i++) {
            int chunkBytes = i % 3 == 0 ? 1 : 8000;
            byte[] chunk = Chunked.of(new byte[2 * chunkBytes], i, chunkBytes).get(0);
            byte[] address = i % 2 == 0 ? new byte[] {10, 0, 0, 1} : new byte[] {10, 1, (byte) (i >> 8), (byte) i};
            taken += take(chunk, address, 0) == Verdict.TAKEN ? 1 : 0;
            for (Chunks each = assembler.next(); each != null && i % 100 == 0; each = assembler.next()) {
                taken -= each.count();
                assembler.written();
            }
            assertThat(assembler.bytes()).isLessThanOrEqualTo(2 * ChunkAssembler.MAX_BYTES);
        }
        assembler.releaseAll();
        for (Chunks each = assembler.next(); each != null; each = assembler.next()) {
            taken -= each.count();
            assembler.written();
        }
        assertThat(taken).isZero();
        assertThat(assembler.bytes()).isZero();
    }

    private Verdict take(byte[] chunk, byte[] address, long nowNs) {
        return assembler.take(TestDatagram.of(chunk).from(address, 0, 1).view(), nowNs);
    }

    /** A source of first chunks, for two seconds beside a sender whose two chunks are some milliseconds apart. */
    private int merged(int floodPerSecond, int apartMs, IntFunction<byte[]> floodFrom) {
        byte[] honest = {(byte) 192, 0, 2, 1};
        byte[] flood = Chunked.of(new byte[2], 0, 1).get(0);
        int merged = 0;
        int id = 0;
        for (int ms = 0; ms < 2_000 + apartMs; ms++) {
            long nowNs = ms * 1_000_000L;
            if (ms % 100 == 0 && ms < 2_000) {
                take(Chunked.of("ab".getBytes(UTF_8), ms, 1).get(0), honest, nowNs);
            }
            for (; id < (long) ms * floodPerSecond / 1000; id++) {
                ByteBuffer.wrap(flood).putLong(2, 1_000_000_000L + id);
                take(flood, floodFrom.apply(id), nowNs);
            }
            if (ms >= apartMs && (ms - apartMs) % 100 == 0) {
                take(Chunked.of("ab".getBytes(UTF_8), ms - apartMs, 1).get(1), honest, nowNs);
            }
            for (Chunks each = assembler.next(); each != null; each = assembler.next()) {
                merged += each.isComplete() ? 1 : 0;
                assembler.written();
            }
        }
        return merged;
    }

    @Test
    void floodFromEightAddressesDelaysNobody() {
        assertThat(merged(2017, 4_900, id -> new byte[] {10, (byte) (id % 8), 0, 1}))
                .isEqualTo(20);
    }

    @Test
    void floodFromOneNetworkDelaysNobody() {
        assertThat(merged(2017, 4_900, id -> new byte[] {10, 0, 0, (byte) id})).isEqualTo(20);
    }

    @Test
    void floodFromThousandsOfNetworksLeavesMillisecondsToEachMessage() {
        assertThat(merged(100_000, 20, id -> new byte[] {10, (byte) (id >> 8), (byte) id, 1}))
                .isEqualTo(20);
    }

    @Test
    void floodWithTheAddressOfTheSenderLeavesMillisecondsToEachMessage() {
        assertThat(merged(100_000, 20, id -> new byte[] {(byte) 192, 0, 2, 1})).isEqualTo(20);
    }

    @Test
    void largeChunksOfOthersDelayNobody() {
        byte[] honest = {(byte) 192, 0, 2, 1};
        List<byte[]> two = Chunked.of("ab".getBytes(UTF_8), 1, 1);
        take(two.get(0), honest, 0);
        for (int id = 0; id < 10_000; id++) {
            byte[] address = {10, (byte) (id % 20), 0, 1};
            assertThat(take(Chunked.of(new byte[16_000], id, 8000).get(0), address, 0))
                    .isEqualTo(Verdict.TAKEN);
            while (assembler.next() != null) {
                assembler.written();
            }
        }
        take(two.get(1), honest, 0);
        assertThat(text()).isEqualTo("ab");
    }
}
