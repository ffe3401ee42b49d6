package io.millrace.sender.run;

import io.millrace.sender.transmit.SendCounts;
import io.millrace.sender.value.Text;
import org.jspecify.annotations.Nullable;

/**
 * The result of a run.
 *
 * @param counts the sum of the counts of its threads
 * @param nominalNanos the time that the schedule has for the datagrams of this run; 0 without a schedule
 * @param askedRate the mean rate of the schedule, in datagrams per second; 0 without a schedule
 * @param missedSlots datagrams that were due before the end of the run and were not tried
 * @param stopped whether the run was stopped
 */
public record SendResult(SendCounts counts, long nominalNanos, double askedRate, long missedSlots, boolean stopped) {

    /** The maximum overrun that never counts as a missed rate: a run of a few milliseconds measures the start of the JVM. */
    private static final long TOLERATED_OVERRUN_NANOS = 10_000_000;

    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * The length of the run in seconds. It includes the slot of the last datagram, although nothing waits for its end: ten
     * datagrams at 1/s are a run of ten seconds, not nine.
     */
    public double elapsedSeconds() {
        return Math.max(counts.runNanos, nominalNanos) / NANOS_PER_SECOND;
    }

    /** The achieved rate in datagrams per second; equal to the rate of the schedule if the run ended in time. */
    public double achievedRate() {
        double seconds = elapsedSeconds();
        return seconds > 0 ? counts.sent / seconds : 0;
    }

    /** By how many percent the achieved rate is below that of the schedule. */
    public double missedPercent() {
        return askedRate == 0 ? 0 : Math.max(0, 100 * (1 - achievedRate() / askedRate));
    }

    /** Why the run failed, in one line; null if it did not. */
    public @Nullable String complaint(double toleratedPercent) {
        if (counts.failed > 0) {
            return Text.format(
                    "%s could not be sent; the last error was: %s",
                    Text.counted(counts.failed, "datagram"),
                    counts.lastError == null ? "the port is closed" : counts.lastError);
        }
        double missed = missedPercent();
        if (missed > toleratedPercent && counts.runNanos - nominalNanos > TOLERATED_OVERRUN_NANOS) {
            return Text.format(
                    "the rate was missed by %.2f %%, more than the %s %% that --tolerate allows",
                    missed, Text.plain(toleratedPercent));
        }
        return null;
    }
}
