package io.millrace.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ReadCoalescerTest {
    private static final long US = 1_000;
    private static final long MS = 1_000_000;
    private static final long LATENCY_NS = 5 * MS;
    private static final int BUFFER = 64 << 20;
    /** What a host grants that nobody has set up. */
    private static final int SMALL_BUFFER = 212_992;

    private long nowNs = 1_000_000_000;

    /** Waits, then reads for a while; returns how long the receiver then sleeps. */
    private long pass(ReadCoalescer coalescer, long waitedNs, long tookNs, int received, boolean emptied) {
        return pass(coalescer, waitedNs, tookNs, received, emptied, false);
    }

    private long pass(
            ReadCoalescer coalescer, long waitedNs, long tookNs, int received, boolean emptied, boolean awaited) {
        return pass(coalescer, waitedNs, tookNs, received, emptied, awaited, false);
    }

    private long pass(
            ReadCoalescer coalescer,
            long waitedNs,
            long tookNs,
            int received,
            boolean emptied,
            boolean awaited,
            boolean pending) {
        long startNs = nowNs + waitedNs;
        nowNs = startNs + tookNs;
        coalescer.read(received, 125L * received, 0);
        long sleepNs = coalescer.sleepNs(emptied, awaited, pending, startNs, nowNs);
        nowNs += sleepNs;
        coalescer.slept(nowNs);
        return sleepNs;
    }

    private ReadCoalescer coalescer(int buffer) {
        return new ReadCoalescer(buffer, LATENCY_NS, nowNs);
    }

    @Test
    void doesNotSleepAfterALongWait() {
        ReadCoalescer coalescer = coalescer(BUFFER);
        assertThat(pass(coalescer, LATENCY_NS / 2, 2 * US, 1, true)).isZero();
        assertThat(pass(coalescer, 10 * MS, 500 * US, 400, true)).isZero();
    }

    @Test
    void sleepsForTheLatencyBudgetAtALowRate() {
        ReadCoalescer coalescer = coalescer(BUFFER);
        pass(coalescer, 10 * MS, 10 * US, 1, true);
        assertThat(pass(coalescer, MS, 10 * US, 1, true)).isEqualTo(LATENCY_NS);
        assertThat(pass(coalescer, MS, 10 * US, 6, true)).isEqualTo(LATENCY_NS);
    }

    @Test
    void theDefaultBufferAllowsTheDefaultBudget() {
        ReadCoalescer coalescer = new ReadCoalescer(BUFFER, 20 * MS, nowNs);
        pass(coalescer, 20 * MS, 10 * US, 1, true);
        assertThat(pass(coalescer, MS, 10 * US, 1, true)).isEqualTo(20 * MS);
        coalescer = new ReadCoalescer(4 << 20, 20 * MS, nowNs);
        pass(coalescer, 20 * MS, 10 * US, 1, true);
        assertThat(pass(coalescer, US, 10 * US, 1, true)).isBetween(MS, 3 * MS);
    }

    @Test
    void sleepsBrieflyForASecondAfterSomebodyWaited() {
        ReadCoalescer coalescer = coalescer(BUFFER);
        pass(coalescer, 10 * MS, 10 * US, 1, true);
        assertThat(pass(coalescer, MS, 10 * US, 1, true)).isEqualTo(LATENCY_NS);
        assertThat(pass(coalescer, 100 * US, 10 * US, 1, true, true))
                .as("somebody waits")
                .isZero();
        assertThat(pass(coalescer, 100 * US, 10 * US, 1, true)).isEqualTo(ReadCoalescer.BRIEF_SLEEP_NS);
        assertThat(pass(coalescer, MS, 10 * US, 1, true))
                .as("it had to wait for longer than half of that")
                .isZero();
        nowNs += ReadCoalescer.BRIEF_FOR_NS;
        pass(coalescer, 10 * MS, 10 * US, 1, true);
        assertThat(pass(coalescer, MS, 10 * US, 1, true)).isEqualTo(LATENCY_NS);
    }

    @Test
    void sleepsBrieflyEvenIfThereWasMoreToReadWhenSomebodyWaited() {
        ReadCoalescer coalescer = coalescer(BUFFER);
        assertThat(pass(coalescer, 0, MS, 1, false, true)).isZero();
        assertThat(pass(coalescer, 0, 10 * US, 1, true)).isEqualTo(ReadCoalescer.BRIEF_SLEEP_NS);
    }

    @Test
    void aBriefSleepIsNeverLongerThanAnotherLimit() {
        ReadCoalescer coalescer = coalescer(SMALL_BUFFER);
        assertThat(pass(coalescer, 100 * US, 10 * US, 1, true, true)).isZero();
        assertThat(pass(coalescer, 100 * US, 10 * US, 1, true)).isEqualTo(ReadCoalescer.MIN_BUSY_SLEEP_NS);
        coalescer = new ReadCoalescer(BUFFER, MS, nowNs);
        assertThat(pass(coalescer, 100 * US, 10 * US, 1, true, true)).isZero();
        assertThat(pass(coalescer, 100 * US, 10 * US, 1, true)).isEqualTo(MS);
    }

    @Test
    void countsWhatAPassReadsForSomebodyWhoWaits() {
        ReadCoalescer coalescer = coalescer(BUFFER);
        nowNs += 2 * ReadCoalescer.BRIEF_FOR_NS;
        pass(coalescer, 0, 100 * US, 1, true);
        pass(coalescer, 0, MS, 200, false, true);
        assertThat(pass(coalescer, 0, MS, 200, true))
                .as("400 datagrams in 2 ms")
                .isEqualTo(2 * MS * ReadCoalescer.TARGET_DATAGRAMS / 400);
    }

    @Test
    void aPendingSlabLimitsOneSleepOnly() {
        ReadCoalescer coalescer = coalescer(BUFFER);
        pass(coalescer, 10 * MS, 10 * US, 1, true);
        assertThat(pass(coalescer, MS, 10 * US, 1, true, false, true)).isEqualTo(SlabFiller.DEADLINE_NS);
        assertThat(pass(coalescer, MS, 10 * US, 1, true)).isEqualTo(LATENCY_NS);
    }

    /** One sender on a Unix stream socket, 4,000 messages of 2,000 bytes per second: its socket must not be full after a sleep. */
    @Test
    void sleepFillsNoMoreThanATolerablePartOfAUnixSocket() {
        ReadCoalescer coalescer = coalescer(BUFFER);
        double bytesPerNs = 4_000 * 2_000 / 1e9;
        long sleepNs = MS;
        for (int i = 0; i < 10; i++) {
            long bytes = (long) (bytesPerNs * (sleepNs + 10 * US));
            assertThat(bytes).as("pass %d", i).isLessThanOrEqualTo(ReadCoalescer.TOLERATED_UNIX_BYTES);
            coalescer.read(0, 0, bytes);
            sleepNs = pass(coalescer, i == 0 ? MS : 0, 10 * US, (int) (bytes / 2_000), true);
        }
        assertThat(sleepNs).isBetween(MS, 3 * MS);
        coalescer.read(0, 0, 1_000);
        pass(coalescer, 0, 10 * US, 1, true);
        coalescer.read(0, 0, 1_000);
        assertThat(pass(coalescer, MS, 10 * US, 1, true)).as("a slow one").isEqualTo(LATENCY_NS);
    }

    @Test
    void doesNotSleepAfterAPassThatReadNothing() {
        ReadCoalescer coalescer = coalescer(BUFFER);
        assertThat(pass(coalescer, 0, 10 * US, 0, true)).as("it wrote answers").isZero();
        assertThat(pass(coalescer, 0, 10 * US, 1, true)).isPositive();
    }

    @Test
    void sleepsUntilABatchWaitsAtAHighRate() {
        ReadCoalescer coalescer = coalescer(BUFFER);
        assertThat(pass(coalescer, 0, MS, 100, true))
                .as("100,000 msg/s")
                .isEqualTo(MS * ReadCoalescer.TARGET_DATAGRAMS / 100);
        assertThat(pass(coalescer, 0, 10 * MS, 20_000, true))
                .as("about 2 million msg/s")
                .isEqualTo(ReadCoalescer.MIN_BUSY_SLEEP_NS);
    }

    @Test
    void doesNotSleepWhileThereIsMoreToRead() {
        ReadCoalescer coalescer = coalescer(BUFFER);
        assertThat(pass(coalescer, 0, 400 * US, 512, false)).isZero();
        assertThat(pass(coalescer, 0, 10 * US, 10, true)).isPositive();
    }

    @Test
    void doesNotSleepWithoutALatencyBudget() {
        ReadCoalescer coalescer = new ReadCoalescer(BUFFER, 0, nowNs);
        assertThat(pass(coalescer, 0, 400 * US, 50, true)).isZero();
    }

    @Test
    void leavesThreeQuartersOfASmallBufferFree() {
        ReadCoalescer coalescer = coalescer(SMALL_BUFFER);
        long quarter = 2 * SMALL_BUFFER / (1_280 + 2 * 125) / 4;
        assertThat(pass(coalescer, 0, 500 * US, 100, true))
                .as("at 200,000 msg/s")
                .isCloseTo(quarter * 1_000_000_000 / 200_000 - 50 * US, within(5 * US));
        assertThat(pass(coalescer, 0, 100 * US, 10_000, true))
                .as("a sleep too short to save anything")
                .isZero();
    }

    @Test
    void shortensTheSleepIfABurstCouldFillASmallBuffer() {
        ReadCoalescer coalescer = coalescer(SMALL_BUFFER);
        assertThat(pass(coalescer, 100 * US, 10 * US, 1, true)).isEqualTo(ReadCoalescer.MIN_BUSY_SLEEP_NS);
    }

    @Test
    void passMayTakeTheTimeSinceTheLastOne() {
        ReadCoalescer coalescer = coalescer(SMALL_BUFFER);
        coalescer.slept(nowNs);
        assertThat(coalescer.passNs(nowNs + 700 * US)).isEqualTo(700 * US);
        assertThat(coalescer.passNs(nowNs + 700_000 * US)).isEqualTo(5_000 * US);
    }

    @Test
    void measuresTheRateOverSeveralPasses() {
        ReadCoalescer coalescer = coalescer(SMALL_BUFFER);
        assertThat(pass(coalescer, 0, 100 * US, 5_000, false)).isZero();
        assertThat(pass(coalescer, 0, 1 * US, 1, true)).isZero();
    }
}
