package io.millrace.sender;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a run did.
 *
 * @param tally what its threads counted, added up
 * @param nominalNanos the time the schedule has for the datagrams of this run; 0 without a schedule
 * @param askedRate the mean rate the schedule has for them, in datagrams per second; 0 without a schedule
 * @param missedSlots datagrams whose time came and that were not even tried before the run's end
 * @param stopped whether the run was asked to end
 */
record SendResult(Tally tally, long nominalNanos, double askedRate, long missedSlots, boolean stopped) {

    /**
     * Less than this behind at its end, a run is never said to have missed its rate: a run of a few milliseconds
     * measures the start-up of the JVM.
     */
    static final long TOLERATED_OVERRUN_NANOS = 10_000_000;

    private static final double NANOS_PER_SECOND = 1e9;

    /** Datagrams whose send succeeded. */
    long sent() {
        return tally.sent;
    }

    /** The bytes of their payloads. */
    long bytes() {
        return tally.bytes;
    }

    /** Datagrams given up after {@link Sender#MAX_TRIES} tries. */
    long failed() {
        return tally.failed;
    }

    /** Reports of a closed port at the target. */
    long refused() {
        return tally.refused;
    }

    /** All other errors of a send; most are made good by another try. */
    long sendErrors() {
        return tally.sendErrors;
    }

    /** Datagrams sent more than {@link Sender#LATE_NANOS} after their intended time. */
    long late() {
        return tally.late;
    }

    /** The most that a datagram was late. */
    long maxLateNanos() {
        return tally.maxLateNanos;
    }

    /** How often each error was met, by its name; refusals are among them. */
    Map<String, Long> errors() {
        return tally.errors;
    }

    /** The text of the first send error. */
    @Nullable
    String firstError() {
        return tally.firstError;
    }

    /** The text of the last send error. */
    @Nullable
    String lastError() {
        return tally.lastError;
    }

    /**
     * The time the run is counted to have taken. The last datagram's slot belongs to it, though nobody waits for the
     * slot's end: ten datagrams at one per second are a run of ten seconds, not nine.
     */
    double elapsedSeconds() {
        return Math.max(tally.runNanos, nominalNanos) / NANOS_PER_SECOND;
    }

    /** Datagrams sent a second: all that the schedule asked, exactly, in a run that ended in its time. */
    double achievedRate() {
        double seconds = elapsedSeconds();
        return seconds > 0 ? sent() / seconds : 0;
    }

    /** By how many percent the achieved rate falls short of the asked one. */
    double missedPercent() {
        return askedRate == 0 ? 0 : Math.max(0, 100 * (1 - achievedRate() / askedRate));
    }

    /** Why the run is not what was asked for, in one line, or null when it is. */
    @Nullable
    String complaint(double toleratedPercent) {
        if (failed() > 0) {
            String last = lastError();
            return Text.format(
                    "%s could not be sent; the last error was: %s",
                    Text.counted(failed(), "datagram"), last == null ? "the port is closed" : last);
        }
        double missed = missedPercent();
        if (missed > toleratedPercent && tally.runNanos - nominalNanos > TOLERATED_OVERRUN_NANOS) {
            return Text.format(
                    "the rate was missed by %.2f %%, more than the %s %% that --tolerate allows",
                    missed, Text.plain(toleratedPercent));
        }
        return null;
    }
}
