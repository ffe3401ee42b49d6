package io.millrace.sender.schedule;

import io.millrace.sender.value.Text;
import java.math.BigInteger;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a run: due times, sources and end.
 *
 * @param schedule when each datagram is due
 * @param count the run ends after this many datagrams
 * @param deadlineNanos the run ends this long after its start, even if datagrams are unsent
 * @param layout the source of each datagram
 * @param runId the run id in each payload
 * @param recorded the sources of recorded datagrams; null if the layout has the source of each
 */
public record SendPlan(
        Schedule schedule,
        long count,
        long deadlineNanos,
        SourceLayout layout,
        int runId,
        @Nullable RecordedSources recorded) {
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
        return new SendPlan(schedule, count, Long.MAX_VALUE, layout, runId, null);
    }

    /**
     * A plan that sends what is due within the duration. A run that cannot keep up ends soon after it, incomplete. With
     * the rate max it ends with the duration, or when the sequence numbers are used up.
     */
    public static SendPlan ofDuration(Schedule schedule, Duration duration, SourceLayout layout, int runId) {
        long nanos = duration.toNanos();
        if (schedule.isMax()) {
            return new SendPlan(schedule, layout.sequences(), nanos, layout, runId, null);
        }
        BigInteger due = schedule.dueWithin(nanos);
        checkSequences(due, layout);
        return new SendPlan(schedule, due.longValueExact(), deadline(nanos), layout, runId, null);
    }

    /** A plan for all steps of a schedule. It ends soon after the last step even if the run cannot keep up. */
    public static SendPlan ofSteps(StepSchedule schedule, SourceLayout layout, int runId) {
        checkSequences(BigInteger.valueOf(schedule.count()), layout);
        return new SendPlan(schedule, schedule.count(), deadline(schedule.nanos()), layout, runId, null);
    }

    private static long deadline(long nanos) {
        return nanos + Math.max(MIN_GRACE_NANOS, nanos / GRACE_DIVISOR);
    }

    /** This plan with another end, for the warm-up before the run. */
    public SendPlan withDeadline(long nanos) {
        return new SendPlan(schedule, count, nanos, layout, runId, recorded);
    }

    /** This plan with the sources that recorded datagrams had. It has one thread and no batches. */
    public SendPlan from(RecordedSources sources) {
        if (layout.threads() > 1 || layout.segments() > 1) {
            throw new IllegalArgumentException("recorded sources have one thread and no batches");
        }
        return new SendPlan(schedule, count, deadlineNanos, layout, runId, sources);
    }

    /** The source of a datagram. */
    public int source(BatchIterator batch) {
        return recorded == null ? batch.source() : recorded.of(batch.first());
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
