package io.millrace.counters;

/**
 * Percentiles of a {@link Distribution} over the last half to one minute, in its unit.
 *
 * @param count values recorded since the start of the process
 * @param p50 half of the values are not above
 * @param p90 nine of ten
 * @param p99 99 of a hundred
 * @param p999 999 of a thousand
 * @param max the highest
 */
public record Percentiles(long count, long p50, long p90, long p99, long p999, long max) {
    /** Of nothing. */
    public static final Percentiles NONE = new Percentiles(0, 0, 0, 0, 0, 0);
}
