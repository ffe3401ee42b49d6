package io.millrace.collector;

/**
 * Percentiles of a {@link Distribution} over the last 30 to 60 seconds, in its unit.
 *
 * @param count values recorded since the start of the process
 * @param p50 the 50th percentile
 * @param p90 the 90th percentile
 * @param p99 the 99th percentile
 * @param p999 the 99.9th percentile
 * @param max the maximum
 */
public record Percentiles(long count, long p50, long p90, long p99, long p999, long max) {
    /** The percentiles of no values. */
    public static final Percentiles NONE = new Percentiles(0, 0, 0, 0, 0, 0);
}
