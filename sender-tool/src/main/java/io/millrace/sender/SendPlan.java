package io.millrace.sender;

import java.math.BigInteger;
import java.time.Duration;

/**
 * When a run sends how much.
 *
 * @param schedule when each datagram is due
 * @param count the run ends after so many datagrams
 * @param deadlineNanos the run ends so long after its start, whatever is still unsent
 * @param layout from which source each datagram is sent
 * @param runId stands in each payload
 */
record SendPlan(Schedule schedule, long count, long deadlineNanos, Layout layout, int runId) {
    static final int MAX_SIZE = 65_507;

    /** The time in which a run that has fallen behind at its end may still catch up. */
    private static final long MIN_GRACE_NANOS = 100_000_000;

    private static final long GRACE_DIVISOR = 100;

    SendPlan {
        if (count < 1) {
            throw new IllegalArgumentException("no such plan: count " + count);
        }
    }

    /** A plan that sends so many datagrams, however long it takes. */
    static SendPlan ofCount(Schedule schedule, long count, Layout layout, int runId) {
        checkSequences(BigInteger.valueOf(count), layout);
        return new SendPlan(schedule, count, Long.MAX_VALUE, layout, runId);
    }

    /**
     * A plan that sends what is due within the duration. A run that cannot keep up ends soon after it, unfinished; at
     * the rate max it ends with it, or when the sequence numbers are used up.
     */
    static SendPlan ofDuration(Schedule schedule, Duration duration, Layout layout, int runId) {
        long nanos = duration.toNanos();
        if (schedule.isMax()) {
            return new SendPlan(schedule, layout.sequences(), nanos, layout, runId);
        }
        BigInteger due = schedule.dueWithin(nanos);
        checkSequences(due, layout);
        return new SendPlan(schedule, due.longValueExact(), deadline(nanos), layout, runId);
    }

    /** A plan that goes through all steps of a schedule, and ends soon after it even if it cannot keep up. */
    static SendPlan ofSteps(StepSchedule schedule, Layout layout, int runId) {
        checkSequences(BigInteger.valueOf(schedule.count()), layout);
        return new SendPlan(schedule, schedule.count(), deadline(schedule.nanos()), layout, runId);
    }

    private static long deadline(long nanos) {
        return nanos + Math.max(MIN_GRACE_NANOS, nanos / GRACE_DIVISOR);
    }

    /** The beginning of this plan, over and over, for so long: what the code is exercised with before the run. */
    SendPlan beginning(long nanos) {
        return new SendPlan(schedule, count, nanos, layout, runId);
    }

    /** When datagram {@code n} is due, which it may share with its burst. */
    long dueNanos(long n) {
        return schedule.dueNanos(layout.firstOfBurst(n));
    }

    private static void checkSequences(BigInteger count, Layout layout) {
        if (count.compareTo(BigInteger.valueOf(layout.sequences())) > 0) {
            throw new IllegalArgumentException(Text.format(
                    "a run of %,d datagrams needs more sequence numbers than %s can give (2^32 each):"
                            + " raise --sources, or send fewer",
                    count, Text.counted(layout.sources(), "source")));
        }
    }
}
