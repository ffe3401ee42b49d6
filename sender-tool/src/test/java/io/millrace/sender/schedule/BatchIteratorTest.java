package io.millrace.sender.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BatchIteratorTest {
    private record Datagram(long n, int source, long sequence) {}

    private static List<Datagram> datagrams(SourceLayout layout, int thread, long count) {
        List<Datagram> datagrams = new ArrayList<>();
        BatchIterator batches = new BatchIterator(layout, thread, count);
        while (batches.next()) {
            for (int i = 0; i < batches.size(); i++) {
                datagrams.add(new Datagram(batches.first() + i, batches.source(), batches.sequence() + i));
            }
        }
        return datagrams;
    }

    @Test
    void sourcesSendRoundRobinBatchByBatch() {
        assertThat(datagrams(new SourceLayout(2, 1, 3, 1, 2), 0, 8))
                .containsExactly(
                        new Datagram(0, 0, 0),
                        new Datagram(1, 0, 1),
                        new Datagram(2, 0, 2),
                        new Datagram(3, 1, 0),
                        new Datagram(4, 1, 1),
                        new Datagram(5, 1, 2),
                        new Datagram(6, 0, 3),
                        new Datagram(7, 0, 4));
    }

    @Test
    void groupsSendOneAfterTheOther() {
        assertThat(datagrams(new SourceLayout(5, 1, 1, 1, 2), 0, 8))
                .extracting(Datagram::source)
                .containsExactly(0, 1, 0, 1, 2, 3, 2, 4);
    }

    @Test
    void everyNumberIsUsedOnceAndSequencesHaveNoGaps() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            int sources = 1 + random.nextInt(40);
            boolean grouped = random.nextInt(3) == 0;
            int threads = grouped ? 1 : 1 + random.nextInt(sources);
            int segments = grouped ? 1 : 1 + random.nextInt(5);
            SourceLayout layout =
                    new SourceLayout(sources, threads, segments, 1, grouped ? 1 + random.nextInt(sources) : sources);
            int count = random.nextInt(400);
            BitSet numbers = new BitSet();
            Map<Integer, Long> next = new HashMap<>();
            for (int thread = 0; thread < threads; thread++) {
                long before = -1;
                for (Datagram datagram : datagrams(layout, thread, count)) {
                    String what = layout + ", " + count + ", seed " + seed;
                    assertThat(datagram.source() % threads).as(what).isEqualTo(thread);
                    assertThat(datagram.n()).as(what).isGreaterThan(before);
                    before = datagram.n();
                    assertThat(numbers.get((int) datagram.n())).as(what).isFalse();
                    numbers.set((int) datagram.n());
                    assertThat(datagram.sequence()).as(what).isEqualTo(next.getOrDefault(datagram.source(), 0L));
                    next.put(datagram.source(), datagram.sequence() + 1);
                }
            }
            assertThat(numbers.nextClearBit(0)).as("%s, seed %d", layout, seed).isEqualTo(count);
        }
    }

    @Test
    void burstsConsistOfWholeBatches() {
        assertThat(new SourceLayout(4, 1, 4, 8, 4).firstOfBurst(13)).isEqualTo(8);
        assertThat(new SourceLayout(4, 1, 4, 1, 4).firstOfBurst(13)).isEqualTo(12);
        assertThat(new SourceLayout(4, 1, 1, 5, 4).firstOfBurst(13)).isEqualTo(10);
        assertThatThrownBy(() -> new SourceLayout(4, 1, 4, 6, 4))
                .hasMessageContaining("--burst accepts a multiple of --batch 4");
    }
}
