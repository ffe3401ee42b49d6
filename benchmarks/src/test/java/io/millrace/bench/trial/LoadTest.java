package io.millrace.bench.trial;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoadTest {
    @Test
    void burstIsANumberOfDatagramsAndNotLongerThanTheRestOfTheWarmUp() {
        assertThat(Load.of(600_000, 6, 125).burst(30)).isEqualTo(Load.of(600_000, 12.5, 125));
        assertThat(Load.of(600_000, 6, 125).burst(0.3).seconds()).isEqualTo(0.3);
        assertThat(Load.of(Load.MAX, 6, 125).burst(30).seconds()).isEqualTo(5);
    }

    @Test
    void warmUpAboveItsHighestRateIsExpectedAtTwoRates() {
        assertThat(Load.of(600_000, 6, 125).expectedWithWarmUp(30)).isEqualTo(300_000 * 30 + 7_500_000 + 3_600_000);
        assertThat(Load.of(100_000, 6, 125).expectedWithWarmUp(30)).isEqualTo(3_000_000 + 600_000);
    }
}
