package io.millrace.bench.trial;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import org.jspecify.annotations.Nullable;

/**
 * The result of a trial. All values are from the time after the warm-up.
 *
 * @param suite the part of the run it belongs to, such as {@code loss} or {@code lossless}
 * @param subject the receiver
 * @param round the round of the interleaved order, from 1
 * @param load the load
 * @param sent datagrams that the sender sent
 * @param received distinct received datagrams; in a series, those that the kernel did not drop at the socket
 * @param duplicated duplicates
 * @param reordered datagrams that arrived after a later one of their source
 * @param drops datagrams that the kernel dropped at the socket; null if unknown
 * @param achievedRate the rate of the sender in datagrams per second
 * @param nanosPerDatagram CPU time of all threads of the receiver per received datagram; null if it was too short for
 *     the resolution of the clock
 * @param cpuPercent CPU time of all threads of the receiver, from the start of the load until it is idle, in percent of the time of
 *     the load; null in runs of earlier versions
 * @param askedBytes the requested receive buffer
 * @param grantedBytes the granted receive buffer in units of the kernel; null if unknown
 * @param queuedAtEndBytes the content of the receive buffer at the end of the load; null if the suite does not sample it
 * @param drainSeconds the time after the load until the socket was empty and the receiver idle
 * @param memoryBytes the memory of the receiver after the load, without mapped files
 * @param stealPercent CPU time that the hypervisor gave to other guests
 * @param reportedLost how many datagrams the receiver itself says that it lost; null if it does not count them
 * @param detail another result of the receiver; null if there is none
 * @param voidReason why the trial is invalid; null if it is valid
 */
// Results of earlier versions have the maximum content of the receive buffer too.
@JsonIgnoreProperties("highestQueuedBytes")
public record TrialResult(
        String suite,
        String subject,
        int round,
        Load load,
        long sent,
        long received,
        long duplicated,
        long reordered,
        @Nullable Long drops,
        double achievedRate,
        @Nullable Double nanosPerDatagram,
        @Nullable Double cpuPercent,
        long askedBytes,
        @Nullable Long grantedBytes,
        @Nullable Long queuedAtEndBytes,
        double drainSeconds,
        long memoryBytes,
        double stealPercent,
        @Nullable Long reportedLost,
        @Nullable String detail,
        @Nullable String voidReason) {
    /** A larger part of the granted buffer in use at the end of a trial indicates an overload. */
    private static final double NEARLY_EMPTY = 0.1;

    /** A receiver may work for a moment after the last datagram. */
    private static final double MIN_DRAIN_SECONDS = 1;

    /** A trial that could not be run. */
    static TrialResult failed(String suite, String subject, int round, Load load, String reason) {
        return new TrialResult(
                suite, subject, round, load, 0, 0, 0, 0, null, 0, null, null, 0, null, null, 0, 0, 0, null, null,
                reason);
    }

    /** A trial without a load, whose result is its detail. */
    static TrialResult of(String suite, String subject, int round, Load load, String detail) {
        return new TrialResult(
                suite, subject, round, load, 0, 0, 0, 0, null, 0, null, null, 0, null, null, 0, 0, 0, null, detail,
                null);
    }

    /** The same, and valid. */
    TrialResult withoutVoidReason() {
        return new TrialResult(
                suite,
                subject,
                round,
                load,
                sent,
                received,
                duplicated,
                reordered,
                drops,
                achievedRate,
                nanosPerDatagram,
                cpuPercent,
                askedBytes,
                grantedBytes,
                queuedAtEndBytes,
                drainSeconds,
                memoryBytes,
                stealPercent,
                reportedLost,
                detail,
                null);
    }

    /** True if the trial is valid. */
    @JsonIgnore
    public boolean valid() {
        return voidReason == null;
    }

    /** False if the receiver could not be started or failed: another trial would fail too. */
    @JsonIgnore
    public boolean ran() {
        return sent > 0 || (load.isIdle() && valid());
    }

    /** The lost part of the sent datagrams, from 0 to 1. */
    @JsonIgnore
    public double loss() {
        return sent == 0 ? 0 : Math.max(0, (double) (sent - received) / sent);
    }

    /** The datagrams that are neither stored nor reported as lost. */
    @JsonIgnore
    public long lostSilently() {
        return Math.max(0, sent - received - (reportedLost == null ? 0 : reportedLost));
    }

    /** True without loss, and without a hidden overload in the receive buffer, if it was sampled, or in the receiver's queues. */
    @JsonIgnore
    public boolean lossless() {
        long granted = grantedBytes == null ? 2 * askedBytes : grantedBytes;
        return received >= sent
                && (queuedAtEndBytes == null || queuedAtEndBytes < granted * NEARLY_EMPTY)
                && drainSeconds < Math.max(MIN_DRAIN_SECONDS, load.seconds() * NEARLY_EMPTY);
    }
}
