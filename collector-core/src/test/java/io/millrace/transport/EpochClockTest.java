package io.millrace.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class EpochClockTest {
    private final EpochClock clock = EpochClock.system();

    @Test
    void returnsTheCurrentTime() {
        assertIsNow();
    }

    @Test
    void returnsTheCurrentTimeAfterItMeasuredTheOffsetAgain() {
        Instant start = Instant.now();
        await().pollInterval(Duration.ofMillis(100))
                .until(() -> Duration.between(start, Instant.now()).toMillis() > 1100);
        assertIsNow();
        assertIsNow();
    }

    /** Several attempts: on a busy machine the thread may be preempted between two clock readings. */
    private void assertIsNow() {
        long off = Long.MAX_VALUE;
        for (int i = 0; i < 100 && off > 1_000_000; i++) {
            Instant now = Instant.now();
            off = Math.abs(clock.epochNs() - (now.getEpochSecond() * 1_000_000_000L + now.getNano()));
        }
        assertThat(off).as("ns off").isLessThanOrEqualTo(1_000_000);
    }
}
