package io.millrace.deliver;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait after a failure: twice as long each time up to a limit, and each time between half of that and all of
 * it, so that many who failed together do not come back together. One thread.
 */
final class Backoff {
    private final long atLeastNs;
    private final long atMostNs;
    private final RandomGenerator random;
    private long nextNs;

    Backoff(Duration atLeast, Duration atMost, RandomGenerator random) {
        this.atLeastNs = atLeast.toNanos();
        this.atMostNs = atMost.toNanos();
        this.random = random;
        this.nextNs = atLeastNs;
    }

    /** How long to wait after one more failure. */
    long nextNs() {
        long ns = nextNs;
        nextNs = Math.min(2 * nextNs, atMostNs);
        return ns / 2 + random.nextLong(ns / 2 + 1);
    }

    /** It worked. */
    void reset() {
        nextNs = atLeastNs;
    }
}
