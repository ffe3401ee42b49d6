package io.millrace.internal.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestSeed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SequenceStreamTest {
    private static final long MS = 1_000_000L;
    private static final long LAST = Integer.MAX_VALUE;

    private final SequenceStream stream = new SequenceStream(NumberingScheme.HOST, 0);
    private long nowNs = 1_700_000_000_000_000_000L;

    private void accept(long... numbers) {
        for (long number : numbers) {
            nowNs += MS;
            stream.accept(number, nowNs, 0);
        }
    }

    private void range(long from, long to) {
        for (long number = from; number <= to; number++) {
            accept(number);
        }
    }

    private void quiet() {
        nowNs += SequenceStream.SETTLE_NS + 1;
        stream.settle(nowNs);
    }

    /** Consecutive numbers, reordered, with 1 % lost and 2 % repeated. */
    private static List<Long> reordered(Random random, int count, int maxDelay, List<Long> lost) {
        record Arrival(long at, long number) {}
        List<Arrival> arrivals = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            boolean isInside = i > 0 && i < count - 1;
            if (isInside && random.nextInt(100) == 0) {
                lost.add(i);
                continue;
            }
            arrivals.add(new Arrival(i + (isInside ? random.nextInt(maxDelay) : 0), i));
            if (random.nextInt(50) == 0) {
                arrivals.add(new Arrival(i + random.nextInt(maxDelay), i));
            }
        }
        arrivals.sort(Comparator.comparingLong(Arrival::at));
        return arrivals.stream().map(Arrival::number).toList();
    }

    @Test
    void lostNumbersAreCountedExactlyInAnyOrder() {
        Random random = TestSeed.random(SequenceStreamTest.class);
        for (int round = 0; round < 20; round++) {
            List<Long> lost = new ArrayList<>();
            SequenceStream each = new SequenceStream(NumberingScheme.HOST, 0);
            // The numbers wrap around in between.
            long first = LAST - random.nextInt(20_000);
            for (long number : reordered(random, 20_000, 900, lost)) {
                nowNs += MS / 10;
                each.accept((first + number - 1) % LAST + 1, nowNs, 0);
            }
            each.settle(nowNs + SequenceStream.SETTLE_NS + 1);
            assertThat(each.tally().missing()).isEqualTo(lost.size());
            assertThat(each.tally().restarts()).isZero();
        }
    }

    @Test
    void numberIsMissingWhenItLeavesTheWindow() {
        range(1, 10);
        range(12, 11 + SequenceStream.WINDOW - 1);
        assertThat(stream.tally().missing()).isZero();
        accept(11 + SequenceStream.WINDOW);
        assertThat(stream.tally().missing()).isEqualTo(1);
    }

    @Test
    void numberIsMissingWhenTheStreamIsIdle() {
        accept(1, 2, 5);
        assertThat(stream.tally().missing()).isZero();
        quiet();
        assertThat(stream.tally().missing()).isEqualTo(2);
        accept(6, 8, 7);
        quiet();
        assertThat(stream.tally().missing()).isEqualTo(2);
    }

    @Test
    void lateAndRepeatedNumbersAreNotMissing() {
        accept(1, 4, 3, 2, 2, 4, 5);
        quiet();
        assertThat(stream.tally().missing()).isZero();
        assertThat(stream.tally().misfits()).isEqualTo(2);
    }

    @Test
    void numbersBeforeTheFirstAreIgnored() {
        accept(5, 3, 4, 6, 7);
        quiet();
        assertThat(stream.tally().missing()).isZero();
        assertThat(stream.tally().restarts()).isZero();
    }

    @Test
    void numbersWrapAround() {
        accept(LAST - 1, LAST, 1, 3);
        quiet();
        assertThat(stream.tally().missing()).isEqualTo(1);
        assertThat(stream.tally().restarts()).isZero();
    }

    @Test
    void gapBeyondTheWindowCountsOnceTheNextNumberConfirmsIt() {
        range(1, 100);
        accept(50_101);
        quiet();
        assertThat(stream.tally().missing()).isZero();
        accept(50_102);
        quiet();
        assertThat(stream.tally().missing()).isEqualTo(50_000);
        assertThat(stream.tally().restarts()).isZero();
    }

    @Test
    void restartIsNotAGap() {
        range(1, 5000);
        range(1, 3);
        quiet();
        assertThat(stream.tally().missing()).isZero();
        assertThat(stream.tally().restarts()).isEqualTo(1);
    }

    @Test
    void earlyRestartIsDetectedOnceTheStreamIsIdle() {
        range(1, 49);
        quiet();
        range(1, 3);
        accept(5);
        quiet();
        assertThat(stream.tally().missing()).isEqualTo(1);
        assertThat(stream.tally().restarts()).isEqualTo(1);
    }

    @Test
    void jumpFarAheadIsARestart() {
        range(1, 10);
        range(100_011, 100_020);
        assertThat(stream.tally().missing()).isZero();
        assertThat(stream.tally().restarts()).isEqualTo(1);
    }

    @Test
    void numbersOfAnotherDeviceBehindTheSameAddressAreNotGaps() {
        for (int i = 0; i < 3000; i++) {
            accept(10_000 + i, 70_000 + i);
        }
        quiet();
        assertThat(stream.tally().missing()).isZero();
        assertThat(stream.tally().restarts()).isZero();
        assertThat(stream.tally().misfits()).isEqualTo(3000);
    }

    @Test
    void unreadableDatagramsAreNotMissing() {
        accept(1, 2, 4);
        stream.forget(1);
        accept(5);
        stream.forget(0);
        accept(100, 102);
        quiet();
        assertThat(stream.tally().missing()).isEqualTo(1);
    }
}
