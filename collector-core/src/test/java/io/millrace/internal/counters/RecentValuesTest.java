package io.millrace.internal.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.millrace.collector.Distribution.Percentiles;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RecentValuesTest {
    private static final long HIGHEST = 100_000_000_000L;
    private static final double TWO_DIGITS = 0.01;

    private static void near(long value, long expected) {
        assertThat((double) value).isCloseTo((double) expected, within((double) expected * TWO_DIGITS));
    }

    @Test
    void percentilesHaveTwoDigits() {
        RecentValues values = new RecentValues(HIGHEST);
        for (int i = 1; i <= 10_000; i++) {
            values.record(i * 1000L);
        }
        Percentiles read = values.read(System.nanoTime());
        assertThat(read.count()).isEqualTo(10_000);
        near(read.p50(), 5_000_000);
        near(read.p90(), 9_000_000);
        near(read.p99(), 9_900_000);
        near(read.p999(), 9_990_000);
        near(read.max(), 10_000_000);
    }

    @Test
    void percentilesOfOneValueAndOfNone() {
        RecentValues values = new RecentValues(HIGHEST);
        long nowNs = System.nanoTime();
        assertThat(values.read(nowNs)).isEqualTo(Percentiles.NONE);
        values.record(7);
        values.record(2 * HIGHEST);
        values.record(2 * HIGHEST);
        Percentiles read = values.read(nowNs + TimeUnit.SECONDS.toNanos(1));
        assertThat(read.count()).isEqualTo(3);
        near(read.p50(), HIGHEST);
        near(read.max(), HIGHEST);
    }

    @Test
    void valuesExpireAfterAMinuteButStayCounted() {
        RecentValues values = new RecentValues(HIGHEST);
        long nowNs = System.nanoTime();
        values.record(1_000_000);
        near(values.read(nowNs + TimeUnit.SECONDS.toNanos(1)).max(), 1_000_000);
        values.record(1000);
        near(values.read(nowNs + TimeUnit.SECONDS.toNanos(32)).max(), 1_000_000);
        Percentiles later = values.read(nowNs + TimeUnit.SECONDS.toNanos(63));
        assertThat(later.count()).isEqualTo(2);
        near(later.max(), 1000);
        assertThat(values.read(nowNs + TimeUnit.SECONDS.toNanos(94)).max()).isZero();
    }
}
