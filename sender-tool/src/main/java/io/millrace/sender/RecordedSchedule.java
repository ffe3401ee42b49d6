package io.millrace.sender;

import java.math.BigInteger;
import java.util.concurrent.TimeUnit;

/**
 * The times of a capture, over and over. Packets keep their order: one whose time is before that of the packet in front
 * of it is due with that.
 */
final class RecordedSchedule implements Schedule {
    /** Between the last packet and the first one of the next round, where the capture does not say how long a gap is. */
    private static final long LONE_GAP_NANOS = 1_000_000_000;

    /** 25 years: what a damaged time says beyond is due then, and sums do not overflow. */
    private static final long MAX_NANOS = TimeUnit.DAYS.toNanos(9_131);

    private final long[] times;
    private final double speed;
    private final long roundNanos;

    /**
     * Takes times as they are.
     *
     * @param times in nanoseconds since any moment; kept
     * @param speed how much faster than recorded
     */
    RecordedSchedule(long[] times, double speed) {
        this.times = times;
        this.speed = speed;
        long first = times[0];
        long before = 0;
        for (int i = 0; i < times.length; i++) {
            before = Math.min(Math.max(times[i] - first, before), MAX_NANOS);
            times[i] = before;
        }
        // The next round begins a gap of mean length after the last packet.
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
        long rest = nanos % roundNanos;
        int low = 0;
        int high = times.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (scaled(times[middle]) < rest) {
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
