package io.millrace.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestSeed;
import io.millrace.journal.DatagramView;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BatchRoundTripTest {
    private static final int SLAB_BYTES = 256 * 1024;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(SLAB_BYTES);
    private final FrameWriter batch = new FrameWriter(memory);

    @Test
    void randomBatchesRoundTrip() {
        Random random = TestSeed.random(BatchRoundTripTest.class);
        for (int round = 0; round < 200; round++) {
            batch.reset();
            List<TestDatagram> datagrams = fill(random, random.nextInt(200) + 1);
            long journalId = random.nextLong();
            long firstSequence = random.nextLong() >>> 1;
            int shard = random.nextInt(65_536);
            batch.seal(shard, journalId, firstSequence);

            // Copied to other memory at any offset, as a reader does, with the byte order of a plain buffer.
            int offset = 8 * random.nextInt(10);
            ByteBuffer copy = ByteBuffer.allocate(offset + batch.length() + 8 * random.nextInt(3));
            copy.put(offset, memory, 0, batch.length());
            BatchView view = new BatchView().wrap(copy, offset, copy.capacity() - offset);
            assertThat(view.check()).isEqualTo(BatchView.Health.OK);
            assertThat(view.version()).isEqualTo(1);
            assertThat(view.shard()).isEqualTo(shard);
            assertThat(view.journalId()).isEqualTo(journalId);
            assertThat(view.firstSequence()).isEqualTo(firstSequence);
            assertThat(view.nextSequence()).isEqualTo(firstSequence + datagrams.size());
            assertThat(view.length()).isEqualTo(batch.length());
            assertHolds(view, datagrams);
        }
    }

    /** Appends random datagrams until the slab is full. Their times go forward and back, within the largest delta. */
    private List<TestDatagram> fill(Random random, int count) {
        List<TestDatagram> datagrams = new ArrayList<>();
        int maxPayload = random.nextInt(4) == 0 ? TestDatagram.MAX_PAYLOAD : 600;
        for (int i = 0; i < count; i++) {
            TestDatagram datagram =
                    TestDatagram.random(random, maxPayload).at(TestDatagram.TIME_NS + random.nextInt() / 2);
            if (!datagram.appendTo(batch)) {
                break;
            }
            datagrams.add(datagram);
        }
        assertThat(batch.count()).isEqualTo(datagrams.size());
        return datagrams;
    }

    private static void assertHolds(BatchView view, List<TestDatagram> datagrams) {
        assertThat(view.count()).isEqualTo(datagrams.size());
        assertThat(view.minTimeNs())
                .isEqualTo(
                        datagrams.stream().mapToLong(TestDatagram::timeNs).min().orElseThrow());
        assertThat(view.maxTimeNs())
                .isEqualTo(
                        datagrams.stream().mapToLong(TestDatagram::timeNs).max().orElseThrow());
        DatagramView datagram = new DatagramView();
        view.first(datagram);
        for (int i = 0; i < datagrams.size(); i++) {
            datagrams.get(i).assertIs(datagram);
            assertThat(datagram.next()).isEqualTo(i + 1 < datagrams.size());
        }
    }

    @Test
    void emptyAndLongestPayloadsRoundTrip() {
        for (int length : new int[] {0, 1, 7, 8, 9, TestDatagram.MAX_PAYLOAD}) {
            for (boolean truncated : new boolean[] {false, true}) {
                TestDatagram datagram = TestDatagram.of(new byte[length]).truncated(truncated);
                datagram.assertIs(datagram.view());
            }
        }
    }

    @Test
    void mappedSourceIsStoredAsIpv4() {
        byte[] mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, (byte) 192, 0, 2, 7};
        DatagramView view = TestDatagram.of("x").from(mapped, 3, 5514).view();
        assertThat(view.isIpv6()).isFalse();
        assertThat(view.sourceAddress().getAddress()).containsExactly(192, 0, 2, 7);
        assertThat(TestDatagram.batchOf(TestDatagram.of("x").from(mapped, 3, 5514))
                        .limit())
                .isEqualTo(64 + 16 + 8);
    }

    @Test
    void largestTimeDeltasFit() {
        long base = TestDatagram.TIME_NS;
        TestDatagram first = TestDatagram.of("first").at(base);
        TestDatagram earliest = TestDatagram.of("earliest").at(base + Integer.MIN_VALUE);
        TestDatagram latest = TestDatagram.of("latest").at(base + Integer.MAX_VALUE);
        for (TestDatagram datagram : List.of(first, earliest, latest)) {
            assertThat(datagram.appendTo(batch)).isTrue();
        }
        batch.seal(0, 1, 0);
        assertHolds(new BatchView().wrap(memory, 0, batch.length()), List.of(first, earliest, latest));
    }

    @Test
    void timeBeyondTheLargestDeltaNeedsANewBatch() {
        for (long delta : new long[] {Integer.MAX_VALUE + 1L, Integer.MIN_VALUE - 1L}) {
            batch.reset();
            TestDatagram first = TestDatagram.of("first");
            TestDatagram late = TestDatagram.of("second").at(TestDatagram.TIME_NS + delta);
            assertThat(first.appendTo(batch)).isTrue();
            int length = batch.length();
            assertThat(late.appendTo(batch)).isFalse();
            assertThat(batch.length()).isEqualTo(length);
            batch.seal(0, 1, 0);
            assertHolds(new BatchView().wrap(memory, 0, batch.length()), List.of(first));

            batch.reset();
            assertThat(late.appendTo(batch)).isTrue();
            batch.seal(0, 1, 1);
            assertHolds(new BatchView().wrap(memory, 0, batch.length()), List.of(late));
        }
    }

    @Test
    void frameThatDoesNotFitIsRejectedAndTheBatchUnchanged() {
        TestDatagram longest = TestDatagram.of(new byte[1000]).from(new byte[16], 0, 1);
        FrameWriter small = new FrameWriter(ByteBuffer.allocateDirect(FrameWriter.minCapacity(1000)));
        assertThat(longest.appendTo(small)).isTrue();
        assertThat(small.hasRoomFor(1)).isFalse();
        assertThat(TestDatagram.of("").appendTo(small)).isFalse();
        assertThat(small.count()).isEqualTo(1);
        small.seal(0, 1, 0);
        assertHolds(new BatchView().wrap(small.buffer(), 0, small.length()), List.of(longest));
    }

    @Test
    void paddingContainsNoBytesOfAnEarlierBatch() {
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, (byte) 0xee);
        }
        for (int length = 0; length < 17; length++) {
            for (int addressBytes : new int[] {4, 16}) {
                batch.reset();
                assertThat(TestDatagram.of(new byte[length])
                                .from(new byte[addressBytes], 0, 1)
                                .appendTo(batch))
                        .isTrue();
                batch.seal(0, 1, 0);
                assertThat(batch.length() % 8).isZero();
                int payloadEnd = 64 + (addressBytes == 4 ? 16 : 32) + length;
                // Payload and address are zero, so every byte from the address on must be zero.
                for (int i = payloadEnd - length - addressBytes; i < batch.length(); i++) {
                    assertThat(memory.get(i))
                            .as("byte %d of length %d", i, length)
                            .isZero();
                }
                assertThat(batch.length() - payloadEnd).isBetween(0, 7);
            }
        }
    }
}
