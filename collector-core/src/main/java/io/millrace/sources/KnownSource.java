package io.millrace.sources;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What is known of one source. Its places in tables and lists belong to {@link KnownSources}. One thread. */
final class KnownSource {
    /** Datagrams after which a source counts as known for good. */
    static final int ESTABLISHED = 10;

    private static final long FADES_IN_NS = TimeUnit.DAYS.toNanos(1);
    private static final double MIN_SILENCE_NS = 60e9;

    long high;
    long low;
    int hash;

    @Nullable
    KnownSource sameHash;

    @Nullable
    KnownSource newer;

    @Nullable
    KnownSource older;
    /** When it was last put first in its list. */
    long touchedNs;

    @Nullable
    SourceSequences numbers;

    boolean silent;
    private int datagrams;
    private long lastNs;
    private double usualSilenceNs;

    /** Starts again as a source that was never heard. */
    void become(long newHigh, long newLow, int newHash, long timeNs) {
        high = newHigh;
        low = newLow;
        hash = newHash;
        touchedNs = timeNs;
        numbers = null;
        silent = false;
        datagrams = 0;
        lastNs = timeNs;
        usualSilenceNs = 0;
    }

    /**
     * Takes note of a datagram. The longest silence fades within about a day of time, however many datagrams come in it: the
     * pauses of a source that sends in bursts are not forgotten in a burst.
     *
     * @return true if this is the one that makes it established
     */
    boolean heard(long timeNs) {
        long silenceNs = timeNs - lastNs;
        if (silenceNs > 0) {
            double faded = usualSilenceNs - usualSilenceNs * Math.min(1, (double) silenceNs / FADES_IN_NS);
            usualSilenceNs = Math.max((double) silenceNs, faded);
            lastNs = timeNs;
        }
        if (datagrams == ESTABLISHED) {
            return false;
        }
        datagrams++;
        return datagrams == ESTABLISHED;
    }

    /** True once enough has come to follow its numbers, and to say that it is silent. */
    boolean isEstablished() {
        return datagrams == ESTABLISHED;
    }

    /** True if it has been silent for longer than is usual. */
    boolean isOverdue(long nowNs, int silentAfter) {
        return nowNs - lastNs > Math.max(MIN_SILENCE_NS, silentAfter * usualSilenceNs);
    }

    /** Receive time of its last datagram. */
    long lastNs() {
        return lastNs;
    }

    /** Its longest silence, faded. */
    long usualSilenceNs() {
        return (long) usualSilenceNs;
    }

    long missing() {
        return numbers == null ? 0 : numbers.missing();
    }

    SourceAddress address() {
        return new SourceAddress(high, low);
    }
}
