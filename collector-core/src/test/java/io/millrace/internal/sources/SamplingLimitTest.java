package io.millrace.internal.sources;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SamplingLimitTest {
    private static final long SECOND = 1_000_000_000L;

    private final SamplingLimit limit = new SamplingLimit(1000);
    private long nowNs = 1000 * SECOND;

    /** Reads as many as are allowed in batches of 100; returns their number. */
    private int readAll() {
        int count = 0;
        while (!limit.isReached()) {
            limit.add(100, nowNs);
            count += 100;
        }
        return count;
    }

    private void next(long skipped) {
        nowNs += SECOND;
        assertThat(limit.isOver(nowNs)).isTrue();
        limit.begin(nowNs, skipped);
        assertThat(limit.isOver(nowNs)).isFalse();
    }

    @Test
    void secondUsesWhatTheOneBeforeDidNot() {
        next(0);
        limit.add(300, nowNs);
        next(0);
        assertThat(readAll()).isEqualTo(2000);
        next(500);
        limit.add(400, nowNs);
        next(0);
        assertThat(readAll()).isEqualTo(1600);
    }

    @Test
    void sustainedOverloadIsReadUpToTheLimit() {
        next(0);
        readAll();
        for (int second = 0; second < 5; second++) {
            next(400);
            assertThat(readAll()).isEqualTo(1000);
        }
    }

    @Test
    void weightIsAllDividedByThoseThatWereRead() {
        next(0);
        assertThat(limit.weight()).isEqualTo(1);
        readAll();
        next(500);
        assertThat(limit.weight()).isEqualTo(1.25);
        readAll();
        next(200);
        assertThat(limit.weight()).isEqualTo(1.2);
        next(0);
        assertThat(limit.weight()).isEqualTo(1);
    }
}
