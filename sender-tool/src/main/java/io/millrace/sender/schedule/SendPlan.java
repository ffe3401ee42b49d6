package io.millrace.sender.schedule;

import io.millrace.sender.value.Text;
import java.math.BigInteger;
import java.time.Duration;

/**
 * The plan of a run: due times, sources and end.
 *
 * @param schedule when each datagram is due
 * @param count the run ends after this many datagrams
 * @param deadlineNanos the run ends this long after its start, even if datagrams are unsent
 * @param layout the source of each datagram
 * @param runId the run id in each payload
 */
public record SendPlan(Schedule schedule, long count, long deadlineNanos, SourceLayout layout, int runId) {
    /** The maximum length of a UDP payload over IPv4. */
    public static final int MAX_PAYLOAD_BYTES = 65_507;

    /** The minimum time for a late run to catch up after its end. */
    private static final long MIN_GRACE_NANOS = 100_000_000;

    private static final long GRACE_DIVISOR = 100;

    /** Checks the count. */
    public SendPlan {
        if (count < 1) {
            throw new IllegalArgumentException("invalid plan: count " + count);
        }
    }

    /** A plan that sends a number of datagrams, however long it takes. */
    public static SendPlan ofCount(Schedule schedule, long count, SourceLayout layout, int runId) {
        checkSequences(BigInteger.valueOf(count), layout);
        return new SendPlan(schedule, count, Long.MAX_VALUE, layout, runId);
    }

    /**
     * A plan that sends what is due within the duration. A run that cannot keep up ends soon after it, incomplete. With
     * the rate max it ends with the duration, or when the sequence numbers are used up.
     */
    public static SendPlan ofDuration(Schedule schedule, Duration duration, SourceLayout layout, int runId) {
        long nanos = duration.toNanos();
        if (schedule.isMax()) {
            return new SendPlan(schedule, layout.sequences(), nanos, layout, runId);
        }
        BigInteger due = schedule.dueWithin(nanos);
        checkSequences(due, layout);
        return new SendPlan(schedule, due.longValueExact(), deadline(nanos), layout, runId);
    }

    /** A plan for all steps of a schedule. It ends soon after the last step even if the run cannot keep up. */
    public static SendPlan ofSteps(StepSchedule schedule, SourceLayout layout, int runId) {
        checkSequences(BigInteger.valueOf(schedule.count()), layout);
        return new SendPlan(schedule, schedule.count(), deadline(schedule.nanos()), layout, runId);
    }

    private static long deadline(long nanos) {
        return nanos + Math.max(MIN_GRACE_NANOS, nanos / GRACE_DIVISOR);
    }

    /** This plan with another end, for the warm-up before the run. */
    public SendPlan withDeadline(long nanos) {
        return new SendPlan(schedule, count, nanos, layout, runId);
    }

    /** The due time of datagram {@code n}, which is that of its burst. */
    public long dueNanos(long n) {
        return schedule.dueNanos(layout.firstOfBurst(n));
    }

    private static void checkSequences(BigInteger count, SourceLayout layout) {
        if (count.compareTo(BigInteger.valueOf(layout.sequences())) > 0) {
            throw new IllegalArgumentException(Text.format(
                    "a run of %,d datagrams needs more sequence numbers than %s can provide (2^32 per source):"
                            + " raise --sources, or send fewer",
                    count, Text.counted(layout.sources(), "source")));
        }
    }
}
