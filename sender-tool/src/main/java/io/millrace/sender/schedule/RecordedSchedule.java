package io.millrace.sender.schedule;

import java.math.BigInteger;
import java.util.concurrent.TimeUnit;

/**
 * Schedule with the recorded times of a capture, repeated. Packets keep their order: a packet with an earlier time than
 * its predecessor is due at the same time as that.
 */
public final class RecordedSchedule implements Schedule {
    /** The gap before the next round if the capture has no gap to compute a mean from. */
    private static final long LONE_GAP_NANOS = 1_000_000_000;

    /** 25 years. Limits damaged times, so that sums do not overflow. */
    private static final long MAX_NANOS = TimeUnit.DAYS.toNanos(9_131);

    private final long[] times;
    private final double speed;
    private final long roundNanos;

    /**
     * Makes a schedule of recorded times.
     *
     * @param times in nanoseconds since any moment; the array is modified
     * @param speed the factor by which it is faster than recorded
     */
    public RecordedSchedule(long[] times, double speed) {
        this.times = times;
        this.speed = speed;
        long first = times[0];
        long before = 0;
        for (int i = 0; i < times.length; i++) {
            before = Math.min(Math.max(times[i] - first, before), MAX_NANOS);
            times[i] = before;
        }
        // The next round begins a mean gap after the last packet.
        long gap = times.length > 1 && before > 0 ? Math.max(before / (times.length - 1), 1) : LONE_GAP_NANOS;
        roundNanos = Math.max(scaled(before + gap), 1);
    }

    private long scaled(long nanos) {
        return speed == 1 ? nanos : Math.min((long) (nanos / speed), 2 * MAX_NANOS);
    }

    @Override
    public boolean isMax() {
        return false;
    }

    @Override
    public long dueNanos(long n) {
        return n / times.length * roundNanos + scaled(times[(int) (n % times.length)]);
    }

    @Override
    public BigInteger dueWithin(long nanos) {
        long remainder = nanos % roundNanos;
        int low = 0;
        int high = times.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (scaled(times[middle]) < remainder) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return BigInteger.valueOf(nanos / roundNanos)
                .multiply(BigInteger.valueOf(times.length))
                .add(BigInteger.valueOf(low));
    }
}
