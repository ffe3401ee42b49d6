package io.millrace.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TicksTest {
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(50);

    @Test
    void threadsOfOnePeriodWakeUpAtItsMultiples() {
        long toNext = Ticks.nsToNext(PERIOD_NS);
        assertThat(toNext).isBetween(1L, PERIOD_NS);
        long number = Ticks.number(PERIOD_NS);
        while (Ticks.number(PERIOD_NS) == number) {
            Thread.onSpinWait();
        }
        assertThat(Ticks.number(PERIOD_NS)).isGreaterThan(number);
    }
}
