package io.millrace.sender;

import org.jspecify.annotations.Nullable;

/**
 * What a run did.
 *
 * @param sent datagrams whose send succeeded
 * @param failed datagrams given up after {@link Sender#MAX_TRIES} tries
 * @param refused reports of a closed port at the target
 * @param sendErrors all other errors of a send; most are made good by another try
 * @param late datagrams sent more than {@link Sender#LATE_NANOS} after their intended time
 * @param maxLateNanos the most that a datagram was late
 * @param runNanos from the start to the end of the run, which is the end of its last send unless it was stopped
 * @param nominalNanos the time the schedule has for the datagrams of this run; 0 without a schedule
 * @param stopped whether the run was asked to end
 * @param firstError the text of the first send error
 * @param lastError the text of the last send error
 */
record SendResult(
        long sent,
        long failed,
        long refused,
        long sendErrors,
        long late,
        long maxLateNanos,
        long runNanos,
        long nominalNanos,
        boolean stopped,
        @Nullable String firstError,
        @Nullable String lastError) {

    /**
     * Less than this behind at its end, a run is never said to have missed its rate: a run of a few milliseconds
     * measures the start-up of the JVM.
     */
    static final long TOLERATED_OVERRUN_NANOS = 10_000_000;

    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * The time the run is counted to have taken. The last datagram's slot belongs to it, though nobody waits for the
     * slot's end: ten datagrams at one a second are a run of ten seconds, not nine.
     */
    double elapsedSeconds() {
        return Math.max(runNanos, nominalNanos) / NANOS_PER_SECOND;
    }

    /** Datagrams sent a second: all that the schedule asked, exactly, in a run that ended in its time. */
    double achievedRate() {
        double seconds = elapsedSeconds();
        return seconds > 0 ? sent / seconds : 0;
    }

    /** By how many percent the achieved rate falls short of the asked one. */
    double missedPercent(Rate asked) {
        if (asked.isMax() || sent + failed == 0) {
            return 0;
        }
        return Math.max(0, 100 * (1 - achievedRate() / asked.perSecond().doubleValue()));
    }

    /** Why the run is not what was asked for, in one line, or null when it is. */
    @Nullable
    String complaint(Rate asked, double toleratedPercent) {
        if (failed > 0) {
            return Text.format(
                    "%s could not be sent; the last error was: %s",
                    Text.counted(failed, "datagram"), lastError == null ? "the port is closed" : lastError);
        }
        double missed = missedPercent(asked);
        if (missed > toleratedPercent && runNanos - nominalNanos > TOLERATED_OVERRUN_NANOS) {
            return Text.format(
                    "the rate was missed by %.2f %%, more than the %s %% that --tolerate allows",
                    missed, Text.plain(toleratedPercent));
        }
        return null;
    }
}
