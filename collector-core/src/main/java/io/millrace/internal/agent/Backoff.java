package io.millrace.internal.agent;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Exponential backoff with jitter: the wait doubles with each failure up to a limit, and a random part of up to a half is
 * subtracted, so that clients that failed together do not retry together. One thread.
 */
public final class Backoff {
    private final long minNs;
    private final long maxNs;
    private final RandomGenerator random;
    private long nextNs;

    /**
     * Creates a backoff.
     *
     * @param min the first wait, at most
     * @param max the longest wait
     */
    public Backoff(Duration min, Duration max, RandomGenerator random) {
        this.minNs = min.toNanos();
        this.maxNs = max.toNanos();
        this.random = random;
        this.nextNs = minNs;
    }

    /** The wait after another failure, in ns. */
    public long nextNs() {
        long ns = nextNs;
        nextNs = Math.min(2 * nextNs, maxNs);
        return ns / 2 + random.nextLong(ns / 2 + 1);
    }

    /** Starts again with the shortest wait, after a success. */
    public void reset() {
        nextNs = minNs;
    }
}
