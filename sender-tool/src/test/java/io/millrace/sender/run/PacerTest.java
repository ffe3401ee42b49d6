package io.millrace.sender.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PacerTest {
    /** A monotonic clock may start anywhere, and wrap. */
    private final FakeClock clock = new FakeClock(Long.MAX_VALUE - 10);

    private final Pacer pacer = new Pacer(clock);

    @Test
    void parksDuringALongWaitAndSpinsAtItsEnd() {
        pacer.start();
        assertThat(pacer.await(1_000_000_000)).isEqualTo(1_000_000_000);
        assertThat(clock.parks).isEqualTo(1);
        assertThat(clock.spins).isEqualTo(Pacer.SPIN_NANOS / 1000);
    }

    @Test
    void parksAgainAfterAnEarlyWakeUp() {
        clock.longestPark = 400_000_000;
        pacer.start();
        assertThat(pacer.await(1_000_000_000)).isEqualTo(1_000_000_000);
        assertThat(clock.parks).isEqualTo(3);
    }

    @Test
    void neverParksBetweenCloseDatagrams() {
        pacer.start();
        for (int n = 0; n < 1000; n++) {
            assertThat(pacer.await(n * 10_000L)).isEqualTo(n * 10_000L);
        }
        assertThat(clock.parks).isZero();
    }

    @Test
    void doesNotWaitAtAllWhenLate() {
        pacer.start();
        clock.now += 5_000_000;
        assertThat(pacer.await(1_000_000)).isEqualTo(5_000_000);
        assertThat(pacer.await(5_000_000)).isEqualTo(5_000_000);
        assertThat(clock.parks + clock.spins).isZero();
    }

    @Test
    void delayExtendsANecessaryWait() {
        pacer.start();
        assertThat(pacer.await(1_000_000, 500_000)).isEqualTo(1_500_000);
        assertThat(pacer.await(1_500_000, 500_000)).as("due already").isEqualTo(1_500_000);
        assertThat(pacer.await(1_500_001, 500_000)).isGreaterThanOrEqualTo(2_000_001);
    }

    @Test
    void stopEndsAllLaterWaits() {
        pacer.start();
        pacer.stop();
        assertThat(pacer.await(0)).isEqualTo(Pacer.STOPPED);
        assertThat(pacer.await(1_000_000_000)).isEqualTo(Pacer.STOPPED);
        assertThat(clock.parks + clock.spins).isZero();
    }

    @Test
    void interruptEndsTheWait() {
        pacer.start();
        clock.longestPark = 1;
        Thread.currentThread().interrupt();
        try {
            assertThat(pacer.await(1_000_000_000)).isEqualTo(Pacer.STOPPED);
            assertThat(pacer.isStopped()).isTrue();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void stopFromAnotherThreadEndsAWait() throws InterruptedException {
        Pacer real = new Pacer(WaitClock.SYSTEM);
        long[] result = new long[1];
        Thread waiter = new Thread(() -> {
            real.start();
            result[0] = real.await(3_600_000_000_000L);
        });
        waiter.start();
        real.stop();
        waiter.join(10_000);
        assertThat(waiter.isAlive()).isFalse();
        assertThat(result[0]).isEqualTo(Pacer.STOPPED);
    }
}
