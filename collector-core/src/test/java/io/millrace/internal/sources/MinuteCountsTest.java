package io.millrace.internal.sources;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MinuteCountsTest {
    private static final long MINUTE = 60_000_000_000L;
    private static final long START = 28_000_000 * MINUTE;

    private final MinuteCounts counts = new MinuteCounts();

    private static int[] last(int[] all, int count) {
        return Arrays.copyOfRange(all, all.length - count, all.length);
    }

    @Test
    void countsEachMinuteAndForgetsTheOldest() {
        for (int i = 0; i < 100; i++) {
            counts.add(START + i * MINUTE, i);
            counts.add(START + i * MINUTE + 1, 1);
        }
        int[] all = counts.until(START + 99 * MINUTE, 0, 0);
        assertThat(all).hasSize(MinuteCounts.MINUTES);
        assertThat(last(all, 3)).containsExactly(98, 99, 100);
        assertThat(all[0]).isEqualTo(71);
    }

    @Test
    void minutesWithoutDatagramsAreZero() {
        counts.add(START, 5);
        counts.add(START + 3 * MINUTE, 7);
        assertThat(last(counts.until(START + 4 * MINUTE, 0, 0), 6)).containsExactly(0, 5, 0, 0, 7, 0);
        assertThat(counts.until(START + 40 * MINUTE, 0, 0)).containsOnly(0);
        counts.add(START + 1000 * MINUTE, 1);
        assertThat(last(counts.until(START + 1000 * MINUTE, 0, 0), 2)).containsExactly(0, 1);
    }

    @Test
    void olderDatagramsCountInTheirMinute() {
        counts.add(START, 5);
        counts.add(START - MINUTE, 1);
        assertThat(last(counts.until(START, 0, 0), 2)).containsExactly(1, 5);
        assertThat(last(counts.until(START, START, 4), 2)).containsExactly(1, 9);
        assertThat(last(counts.until(START, START - MINUTE, 4), 2)).containsExactly(5, 5);
        assertThat(counts.sum(START)).isEqualTo(6);
    }

    /** The page looks at a source that pauses. */
    @Test
    void lookingChangesNothing() {
        for (int i = 0; i < 20; i++) {
            counts.add(START + i * MINUTE, 100);
        }
        assertThat(counts.sum(START + 23 * MINUTE)).isEqualTo(2000);
        assertThat(last(counts.until(START + 23 * MINUTE, START + 19 * MINUTE, 50), 5))
                .containsExactly(150, 0, 0, 0, 0);
        counts.add(START + 19 * MINUTE, 50);
        counts.add(START + 23 * MINUTE, 1);
        assertThat(last(counts.until(START + 23 * MINUTE, 0, 0), 6)).containsExactly(100, 150, 0, 0, 0, 1);
        assertThat(counts.sum(START + 23 * MINUTE)).isEqualTo(2051);
    }

    @Test
    void clockThatIsSetBackBeginsAgain() {
        counts.add(START, 5);
        counts.add(START - 100 * MINUTE, 1);
        assertThat(counts.until(START - 100 * MINUTE, 0, 0)).endsWith(0, 1);
    }
}
