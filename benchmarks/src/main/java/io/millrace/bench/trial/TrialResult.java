package io.millrace.bench.trial;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.jspecify.annotations.Nullable;

/**
 * What a trial showed. Times are of the measured part, after the warm-up.
 *
 * @param suite the part of the run it belongs to, such as {@code loss} or {@code lossless}
 * @param subject the receiver
 * @param round which turn of the interleaved order it was in, from 1
 * @param load what the sender was asked for
 * @param sent datagrams that left the sender
 * @param received datagrams found again, each counted once; in a series, those the kernel did not drop at the socket
 * @param duplicated datagrams found again more than once
 * @param reordered datagrams that came after a later one of their source
 * @param drops what the kernel says found the socket's buffer full; null if it does not say
 * @param achievedRate the sender's, in datagrams per second
 * @param nanosPerDatagram CPU time of all threads of the receiver a datagram received; null if it took too little
 *     to tell from the clock's steps
 * @param askedBytes the receive buffer it was to ask for
 * @param grantedBytes the receive buffer the kernel granted, as it counts; null if unknown
 * @param highestQueuedBytes the most that waited in the receive buffer
 * @param queuedAtEndBytes what waited in it in the last moments of the load
 * @param drainSeconds how long it took after the load until the socket was empty and the receiver idle
 * @param memoryBytes the memory the receiver held after the load, without files it has mapped
 * @param stealPercent time the hypervisor gave to others
 * @param detail what else the receiver says of its work; null if nothing
 * @param voidReason why the trial does not count; null if it does
 */
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
        long askedBytes,
        @Nullable Long grantedBytes,
        long highestQueuedBytes,
        long queuedAtEndBytes,
        double drainSeconds,
        long memoryBytes,
        double stealPercent,
        @Nullable String detail,
        @Nullable String voidReason) {
    /** Of the granted buffer; more than this at the end of a trial hides an overload. */
    private static final double NEARLY_EMPTY = 0.1;

    /** A JVM or a logger with nothing to receive still tidies up for a moment. */
    private static final double MIN_DRAIN_SECONDS = 1;

    /** A trial that could not be run. */
    static TrialResult failed(String suite, String subject, int round, Load load, String reason) {
        return new TrialResult(
                suite, subject, round, load, 0, 0, 0, 0, null, 0, null, 0, null, 0, 0, 0, 0, 0, null, reason);
    }

    /** True if it counts. */
    @JsonIgnore
    public boolean valid() {
        return voidReason == null;
    }

    /** False if the receiver could not be started, or failed: another trial of it will fail too. */
    @JsonIgnore
    public boolean ran() {
        return sent > 0;
    }

    /** The share of what was sent that was not received, from 0 to 1. */
    @JsonIgnore
    public double loss() {
        return sent == 0 ? 0 : Math.max(0, (double) (sent - received) / sent);
    }

    /** True if it kept up: nothing lost, and no overload hidden in the receive buffer or in the receiver's own queues. */
    @JsonIgnore
    public boolean lossless() {
        long granted = grantedBytes == null ? 2 * askedBytes : grantedBytes;
        return received >= sent
                && queuedAtEndBytes < granted * NEARLY_EMPTY
                && drainSeconds < Math.max(MIN_DRAIN_SECONDS, load.seconds() * NEARLY_EMPTY);
    }
}
