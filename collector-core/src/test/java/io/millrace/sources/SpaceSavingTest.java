package io.millrace.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestSeed;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SpaceSavingTest {
    private final Random random = TestSeed.random(SpaceSavingTest.class);

    private static void add(SpaceSaving counters, long key, int times) {
        counters.add(0, key, SourceAddress.hash(0, key), times, 10L * times);
    }

    @Test
    void everyCountIsWithinItsErrorOfTheTrueCount() {
        for (int capacity : new int[] {1, 2, 7, 64, 100}) {
            SpaceSaving counters = new SpaceSaving(capacity);
            for (int round = 0; round < 3; round++) {
                counters.clear();
                check(counters, 20_000);
            }
        }
    }

    private void check(SpaceSaving counters, int additions) {
        Map<Long, Long> truth = new HashMap<>();
        long added = 0;
        for (int i = 0; i < additions; i++) {
            // A few keys are frequent, many keys occur once.
            long key = (long) Math.exp(random.nextDouble() * 8);
            // Every third comes several times in a row, and sometimes very often.
            int run = random.nextInt(3) > 0 ? 1 : 1 + (int) Math.exp(random.nextDouble() * 6);
            truth.merge(key, (long) run, Long::sum);
            add(counters, key, run);
            added += run;
        }
        long sum = 0;
        for (int i = 0; i < counters.capacity(); i++) {
            long count = counters.count(i);
            long times = truth.getOrDefault(counters.address(i).low(), 0L);
            sum += count;
            assertThat(count).isGreaterThanOrEqualTo(counters.lowest());
            assertThat(times).isBetween(count - counters.error(i), count);
            assertThat(counters.bytes(i)).isEqualTo(10 * (count - counters.error(i)));
        }
        assertThat(sum).isEqualTo(added);
        assertThat(counters.lowest()).isLessThanOrEqualTo(added / counters.capacity());
        truth.forEach((key, times) -> {
            if (times > counters.lowest()) {
                assertThat(counters.find(0, key, SourceAddress.hash(0, key))).isNotNegative();
            }
        });
    }

    @Test
    void countsAreExactIfEveryKeyHasACounter() {
        SpaceSaving counters = new SpaceSaving(100);
        for (int key = 1; key <= 99; key++) {
            for (int i = 0; i < key; i++) {
                add(counters, key, 1);
            }
        }
        assertThat(counters.lowest()).isZero();
        for (int key = 1; key <= 99; key++) {
            int counter = counters.find(0, key, SourceAddress.hash(0, key));
            assertThat(counters.count(counter)).isEqualTo(key);
            assertThat(counters.error(counter)).isZero();
        }
    }
}
