package io.millrace.internal.counters;

import io.millrace.collector.Distribution;
import io.millrace.collector.Distribution.Percentiles;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * The values of a {@link Distribution} in the last 30 to 60 seconds, with two digits. One thread records without
 * waiting and allocation; any thread may read.
 *
 * <p>Values are added to the current histogram when a thread reads or {@link #keep keeps} them. Every 30 seconds it
 * becomes the previous histogram. Percentiles include both.
 */
final class RecentValues {
    private static final int DIGITS = 2;
    private static final double[] SHARES = {0.5, 0.9, 0.99, 0.999, 1};
    private static final long HALF_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long FRESH_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final long highest;
    private final SingleWriterRecorder recorder;
    private final Histogram both;
    private Histogram interval;
    private Histogram current;
    private Histogram previous;
    private long count;
    private long turnedAtNs = System.nanoTime();
    private long readAtNs = turnedAtNs - FRESH_NS;
    private Percentiles last = Percentiles.NONE;

    RecentValues(long highest) {
        this.highest = highest;
        this.recorder = new SingleWriterRecorder(1, highest, DIGITS);
        this.interval = recorder.getIntervalHistogram();
        this.current = new Histogram(1, highest, DIGITS);
        this.previous = new Histogram(1, highest, DIGITS);
        this.both = new Histogram(1, highest, DIGITS);
    }

    void record(long value) {
        recorder.recordValue(Math.max(0, Math.min(highest, value)));
    }

    synchronized Percentiles read() {
        return read(System.nanoTime());
    }

    synchronized Percentiles read(long nowNs) {
        if (nowNs - readAtNs < FRESH_NS) {
            return last;
        }
        readAtNs = nowNs;
        keep(nowNs);
        both.reset();
        both.add(previous);
        both.add(current);
        last = percentiles();
        return last;
    }

    /** One pass over the histogram: scrapes are rare, so the interpreter runs this code for a long time. */
    private Percentiles percentiles() {
        long[] values = new long[SHARES.length];
        long total = both.getTotalCount();
        int next = 0;
        for (HistogramIterationValue step : both.recordedValues()) {
            while (next < SHARES.length && step.getTotalCountToThisValue() >= total * SHARES[next]) {
                values[next++] = step.getValueIteratedTo();
            }
        }
        return new Percentiles(count, values[0], values[1], values[2], values[3], values[4]);
    }

    /** Adds recorded values to the histogram. Without a call every 30 seconds, percentiles cover a longer time. */
    synchronized void keep(long nowNs) {
        interval = recorder.getIntervalHistogram(interval);
        long added = interval.getTotalCount();
        count += added;
        if (nowNs - turnedAtNs >= HALF_NS) {
            Histogram oldest = previous;
            previous = current;
            current = oldest;
            current.reset();
            turnedAtNs = nowNs;
        }
        if (added > 0) {
            current.add(interval);
        }
    }
}
