package io.millrace.sender;

import java.math.BigInteger;
import java.time.Duration;

/**
 * What a run is to send.
 *
 * @param rate the schedule
 * @param count the run ends after so many datagrams
 * @param deadlineNanos the run ends so long after its start, whatever is still unsent
 * @param size bytes in each payload
 * @param sources how many sources take turns
 * @param runId stands in each payload
 */
record SendPlan(Rate rate, long count, long deadlineNanos, int size, int sources, int runId) {
    static final int MAX_SIZE = 65_507;
    /** Each source is an open socket, and processes are commonly allowed some 20,000 of them or fewer. */
    static final int MAX_SOURCES = 10_000;

    /** The time in which a run that has fallen behind at its end may still catch up. */
    private static final long LEAST_GRACE_NANOS = 100_000_000;

    private static final long GRACE_DIVISOR = 100;

    SendPlan {
        if (size < SequencePayload.LENGTH || size > MAX_SIZE || sources < 1 || sources > MAX_SOURCES || count < 1) {
            throw new IllegalArgumentException(
                    "no such plan: count " + count + ", size " + size + ", sources " + sources);
        }
    }

    /** A plan that sends so many datagrams, however long it takes. */
    static SendPlan ofCount(Rate rate, long count, int size, int sources, int runId) {
        checkSequences(BigInteger.valueOf(count), sources);
        return new SendPlan(rate, count, Long.MAX_VALUE, size, sources, runId);
    }

    /**
     * A plan that sends what is due within the duration. A run that cannot keep up ends soon after it, unfinished; at
     * the rate max it ends with it, or when the sequence numbers are used up.
     */
    static SendPlan ofDuration(Rate rate, Duration duration, int size, int sources, int runId) {
        long nanos = duration.toNanos();
        if (rate.isMax()) {
            return new SendPlan(rate, sequences(sources), nanos, size, sources, runId);
        }
        BigInteger due = rate.dueWithin(nanos);
        checkSequences(due, sources);
        long deadline = nanos + Math.max(LEAST_GRACE_NANOS, nanos / GRACE_DIVISOR);
        return new SendPlan(rate, due.longValueExact(), deadline, size, sources, runId);
    }

    private static long sequences(int sources) {
        return (long) sources << Integer.SIZE;
    }

    private static void checkSequences(BigInteger count, int sources) {
        if (count.compareTo(BigInteger.valueOf(sequences(sources))) > 0) {
            throw new IllegalArgumentException(Text.format(
                    "a run of %,d datagrams needs more sequence numbers than %s can give (2^32 each):"
                            + " raise --sources, or send fewer",
                    count, Text.counted(sources, "source")));
        }
    }
}
