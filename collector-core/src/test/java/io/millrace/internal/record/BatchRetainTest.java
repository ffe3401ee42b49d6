package io.millrace.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestSeed;
import io.millrace.journal.DatagramView;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Removal of frames from a batch. */
class BatchRetainTest {
    private static final int SLAB_BYTES = 64 * 1024;

    private final FrameWriter batch = new FrameWriter(ByteBuffer.allocateDirect(SLAB_BYTES));

    /** Compares batches with lists: several reads fill a batch, and some frames of each read are kept. */
    @Test
    void retainKeepsExactlyTheSelectedFrames() {
        Random random = TestSeed.random(BatchRetainTest.class);
        for (int round = 0; round < 500; round++) {
            batch.reset();
            List<TestDatagram> kept = new ArrayList<>();
            int keepOf16 = random.nextInt(17);
            int reads = random.nextInt(6) + 1;
            for (int read = 0; read < reads; read++) {
                batch.mark();
                List<TestDatagram> brought = append(random, random.nextInt(20));
                boolean[] keeps = new boolean[brought.size()];
                int[] asked = {0};
                for (int i = 0; i < keeps.length; i++) {
                    keeps[i] = random.nextInt(16) < keepOf16;
                }
                batch.retain(view -> {
                    TestDatagram datagram = brought.get(asked[0]);
                    assertThat(view.payloadLength()).isEqualTo(datagram.payload().length);
                    assertThat(view.receiveTimeNs()).isEqualTo(datagram.timeNs());
                    assertThat(view.sourceText()).isEqualTo(datagram.view().sourceText());
                    return keeps[asked[0]++];
                });
                assertThat(asked[0]).isEqualTo(brought.size());
                for (int i = 0; i < keeps.length; i++) {
                    if (keeps[i]) {
                        kept.add(brought.get(i));
                    }
                }
                assertHolds(kept);
            }
        }
    }

    private List<TestDatagram> append(Random random, int count) {
        List<TestDatagram> datagrams = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            TestDatagram datagram = TestDatagram.random(random, 600).at(TestDatagram.TIME_NS + random.nextInt() / 2);
            if (datagram.appendTo(batch)) {
                datagrams.add(datagram);
            }
        }
        return datagrams;
    }

    private void assertHolds(List<TestDatagram> kept) {
        assertThat(batch.count()).isEqualTo(kept.size());
        assertThat(batch.payloadBytes())
                .isEqualTo(kept.stream().mapToLong(it -> it.payload().length).sum());
        assertThat(batch.truncated()).isEqualTo((int)
                kept.stream().filter(it -> it.view().isTruncated()).count());
        if (kept.isEmpty()) {
            assertThat(batch.length()).isEqualTo(BatchView.headerBytes());
            return;
        }
        batch.seal(1, 2, 3);
        BatchView view = new BatchView().wrap(batch.buffer(), 0, batch.length());
        assertThat(view.check()).isEqualTo(BatchView.Health.OK);
        assertThat(view.count()).isEqualTo(kept.size());
        assertThat(view.minTimeNs())
                .isEqualTo(kept.stream().mapToLong(TestDatagram::timeNs).min().orElseThrow());
        assertThat(view.maxTimeNs())
                .isEqualTo(kept.stream().mapToLong(TestDatagram::timeNs).max().orElseThrow());
        DatagramView datagram = new DatagramView();
        view.first(datagram);
        for (int i = 0; i < kept.size(); i++) {
            kept.get(i).assertIs(datagram);
            assertThat(datagram.next()).isEqualTo(i + 1 < kept.size());
        }
    }

    @Test
    void emptiedBatchTakesTheTimeOfTheNextDatagram() {
        batch.mark();
        assertThat(TestDatagram.of("early").appendTo(batch)).isTrue();
        batch.retain(view -> false);
        TestDatagram late = TestDatagram.of("late").at(TestDatagram.TIME_NS + 10_000_000_000L);
        batch.mark();
        assertThat(late.appendTo(batch)).isTrue();
        batch.retain(view -> true);
        assertHolds(List.of(late));
    }
}
