package io.millrace.internal.sources;

import java.util.concurrent.TimeUnit;

/**
 * How many datagrams source tracking reads per second. Each second may use what the one before did not, so a short burst or
 * backlog is read completely. If more arrive, the ones it reads are a sample. One thread.
 */
final class SamplingLimit {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final long perSecond;
    private long endNs;
    /** How many may be read in this second. */
    private long allowed;

    private long count;
    private long reachedNs;
    private double weight = 1;

    SamplingLimit(long perSecond) {
        this.perSecond = perSecond;
        this.allowed = perSecond;
    }

    /** Counts datagrams that were read. */
    void add(int datagrams, long nowNs) {
        boolean before = isReached();
        count += datagrams;
        if (isReached() && !before) {
            reachedNs = nowNs;
        }
    }

    /** How long nothing was read in this second. */
    long pauseNs(long nowNs) {
        return Math.max(0, nowNs - reachedNs);
    }

    /** True if nothing more is read in this second. */
    boolean isReached() {
        return count >= allowed;
    }

    boolean isOver(long nowNs) {
        return nowNs >= endNs || nowNs < endNs - SECOND_NS;
    }

    /**
     * Begins the next second.
     *
     * @param skipped datagrams of the last one that were not read
     */
    void begin(long nowNs, long skipped) {
        weight = skipped == 0 ? 1 : 1 + (double) skipped / count;
        allowed = perSecond + Math.min(perSecond, Math.max(0, allowed - count));
        count = 0;
        endNs = nowNs + SECOND_NS;
    }

    /** The factor by which counts of this second are multiplied: all datagrams of the last one divided by those that were read. */
    double weight() {
        return weight;
    }
}
