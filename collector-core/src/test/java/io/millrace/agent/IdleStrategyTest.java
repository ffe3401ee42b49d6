package io.millrace.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IdleStrategyTest {
    private static final int PARKED = 60;

    @ParameterizedTest
    @EnumSource(names = {"SPIN", "YIELD"})
    void spinningAndYieldingNeverSleep(IdleStrategy.Kind kind) {
        IdleStrategy strategy = kind.newStrategy();
        assertThat(fastestNs(() -> idle(strategy, PARKED), 50)).isLessThan(TimeUnit.MILLISECONDS.toNanos(1));
    }

    @Test
    void parkTimeDoublesUpToAMillisecond() {
        IdleStrategy parking = IdleStrategy.Kind.PARK.newStrategy();
        idle(parking, PARKED);
        // Each of these calls parks for a millisecond. Spurious wake-ups are possible, but not for every call.
        assertThat(fastestNs(() -> idle(parking, 20), 3)).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(10));
    }

    @Test
    void parkTimeIsResetAfterWork() {
        IdleStrategy parking = IdleStrategy.Kind.PARK.newStrategy();
        idle(parking, PARKED);
        // The first calls after work spin and yield: together they take less time than one park.
        assertThat(fastestNs(
                        () -> {
                            parking.idle(1);
                            idle(parking, 20);
                        },
                        50))
                .isLessThan(TimeUnit.MILLISECONDS.toNanos(1));
    }

    @Test
    void noStrategyWaitsAfterWork() {
        IdleStrategy parking = IdleStrategy.Kind.PARK.newStrategy();
        idle(parking, PARKED);
        assertThat(fastestNs(
                        () -> {
                            for (int i = 0; i < 1000; i++) {
                                parking.idle(1);
                            }
                        },
                        5))
                .isLessThan(TimeUnit.MILLISECONDS.toNanos(50));
    }

    private static void idle(IdleStrategy strategy, int times) {
        for (int i = 0; i < times; i++) {
            strategy.idle(0);
        }
    }

    /** The fastest of several runs, to exclude delays of a busy machine. */
    private static long fastestNs(Runnable run, int times) {
        long fastest = Long.MAX_VALUE;
        for (int i = 0; i < times; i++) {
            long startNs = System.nanoTime();
            run.run();
            fastest = Math.min(fastest, System.nanoTime() - startNs);
        }
        return fastest;
    }
}
