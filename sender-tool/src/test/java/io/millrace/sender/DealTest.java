package io.millrace.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DealTest {
    private record Dealt(long n, int source, long sequence) {}

    private static List<Dealt> deal(Layout layout, int thread, long count) {
        List<Dealt> dealt = new ArrayList<>();
        Deal deal = new Deal(layout, thread, count);
        while (deal.next()) {
            for (int i = 0; i < deal.length(); i++) {
                dealt.add(new Dealt(deal.first() + i, deal.source(), deal.sequence() + i));
            }
        }
        return dealt;
    }

    @Test
    void sourcesTakeTurnsTrainByTrain() {
        assertThat(deal(new Layout(2, 1, 3, 1, 2), 0, 8))
                .containsExactly(
                        new Dealt(0, 0, 0),
                        new Dealt(1, 0, 1),
                        new Dealt(2, 0, 2),
                        new Dealt(3, 1, 0),
                        new Dealt(4, 1, 1),
                        new Dealt(5, 1, 2),
                        new Dealt(6, 0, 3),
                        new Dealt(7, 0, 4));
    }

    @Test
    void groupsComeOneAfterTheOther() {
        assertThat(deal(new Layout(5, 1, 1, 1, 2), 0, 8))
                .extracting(Dealt::source)
                .containsExactly(0, 1, 0, 1, 2, 3, 2, 4);
    }

    @Test
    void threadsDealEachNumberOnceAndNoSourceHasAHole() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            int sources = 1 + random.nextInt(40);
            boolean grouped = random.nextInt(3) == 0;
            int threads = grouped ? 1 : 1 + random.nextInt(sources);
            int gso = grouped ? 1 : 1 + random.nextInt(5);
            Layout layout = new Layout(sources, threads, gso, 1, grouped ? 1 + random.nextInt(sources) : sources);
            int count = random.nextInt(400);
            BitSet numbers = new BitSet();
            Map<Integer, Long> next = new HashMap<>();
            for (int thread = 0; thread < threads; thread++) {
                long before = -1;
                for (Dealt dealt : deal(layout, thread, count)) {
                    String what = layout + ", " + count + ", seed " + seed;
                    assertThat(dealt.source() % threads).as(what).isEqualTo(thread);
                    assertThat(dealt.n()).as(what).isGreaterThan(before);
                    before = dealt.n();
                    assertThat(numbers.get((int) dealt.n())).as(what).isFalse();
                    numbers.set((int) dealt.n());
                    assertThat(dealt.sequence()).as(what).isEqualTo(next.getOrDefault(dealt.source(), 0L));
                    next.put(dealt.source(), dealt.sequence() + 1);
                }
            }
            assertThat(numbers.nextClearBit(0)).as("%s, seed %d", layout, seed).isEqualTo(count);
        }
    }

    @Test
    void burstsAreMadeOfWholeTrains() {
        assertThat(new Layout(4, 1, 4, 8, 4).firstOfBurst(13)).isEqualTo(8);
        assertThat(new Layout(4, 1, 4, 1, 4).firstOfBurst(13)).isEqualTo(12);
        assertThat(new Layout(4, 1, 1, 5, 4).firstOfBurst(13)).isEqualTo(10);
        assertThatThrownBy(() -> new Layout(4, 1, 4, 6, 4)).hasMessageContaining("--burst takes a multiple of --gso 4");
    }
}
