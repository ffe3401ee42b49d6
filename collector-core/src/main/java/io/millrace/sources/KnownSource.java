package io.millrace.sources;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The state of one tracked source. {@link KnownSources} maintains its links in tables and lists. One thread. */
final class KnownSource {
    /** The number of datagrams after which a source counts as established. */
    static final int ESTABLISHED = 10;

    private static final long DECAY_NS = TimeUnit.DAYS.toNanos(1);

    long high;
    long low;
    int hash;

    @Nullable
    KnownSource sameHash;

    @Nullable
    KnownSource newer;

    @Nullable
    KnownSource older;
    /** When it was last moved to the head of its list. */
    long touchedNs;

    @Nullable
    SourceSequences numbers;

    boolean silent;
    private int datagrams;
    private long lastNs;
    /** Before this time this process did not listen; 0 if it did. */
    private long resumedNs;

    private double usualSilenceNs;

    /** Resets this object for another source. */
    void reset(long newHigh, long newLow, int newHash, long timeNs) {
        high = newHigh;
        low = newLow;
        hash = newHash;
        touchedNs = timeNs;
        numbers = null;
        silent = false;
        datagrams = 0;
        lastNs = timeNs;
        resumedNs = 0;
        usualSilenceNs = 0;
    }

    /** Makes this source an established one that was last heard by an earlier process. */
    void restore(long heardNs, long longestSilenceNs, boolean isSilent, long nowNs) {
        datagrams = ESTABLISHED;
        lastNs = heardNs;
        resumedNs = nowNs;
        usualSilenceNs = longestSilenceNs;
        silent = isSilent;
    }

    /**
     * Records a datagram. The longest silence decays with time, over about a day, and not with the number of datagrams.
     * So a burst does not hide the pauses of a source that sends in bursts.
     *
     * @return true if this datagram makes the source established
     */
    boolean record(long timeNs) {
        long silenceNs = silenceNs(timeNs);
        if (silenceNs > 0) {
            double decayed = usualSilenceNs - usualSilenceNs * Math.min(1, (double) silenceNs / DECAY_NS);
            usualSilenceNs = Math.max((double) silenceNs, decayed);
            lastNs = timeNs;
        }
        if (datagrams == ESTABLISHED) {
            return false;
        }
        datagrams++;
        return datagrams == ESTABLISHED;
    }

    /** True after enough datagrams to check its sequence numbers and to report it as silent. */
    boolean isEstablished() {
        return datagrams == ESTABLISHED;
    }

    /** True if it has been silent for too long. */
    boolean isOverdue(long nowNs, SilenceLimit limit) {
        return limit.isOver(silenceNs(nowNs), usualSilenceNs);
    }

    /** How long nothing was heard from it although a process listened. */
    private long silenceNs(long nowNs) {
        return nowNs - Math.max(lastNs, resumedNs);
    }

    /** The receive time of its last datagram. */
    long lastNs() {
        return lastNs;
    }

    /** Its longest silence, with decay. */
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
