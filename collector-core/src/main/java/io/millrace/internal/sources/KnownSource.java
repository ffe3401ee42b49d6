package io.millrace.internal.sources;

import io.millrace.collector.SilenceLimit;
import io.millrace.collector.SourceAddress;
import io.millrace.collector.SourcesStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The state of one tracked source. {@link KnownSources} maintains its links in tables and lists. One thread. */
final class KnownSource {
    /** The number of datagrams after which a source counts as established. */
    static final int ESTABLISHED = 10;

    /** Header fields of a source rarely change. */
    private static final long HOST_NS = TimeUnit.SECONDS.toNanos(30);

    /** A source whose messages had several host names in this time is a relay. */
    private static final long RELAY_NS = TimeUnit.MINUTES.toNanos(10);

    private static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(30);

    private static final double SECOND_NS = 1e9;

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

    /** Its earlier minutes, up to the current window; null for a newcomer. */
    private @Nullable MinuteCounts minutes;

    private long windowEndNs;
    /** Estimates, if datagrams are sampled. */
    private double windowDatagrams;

    private double windowBytes;
    private double lastDatagrams;
    private double lastBytes;
    private double perSecond;
    private double bytesPerSecond;
    /** The host name in one of its last messages; null if they have none. */
    @Nullable
    String host;
    /** When its messages had another host name than before. */
    private long otherHostNs;

    private long hostTimeNs;

    boolean silent;
    private int datagrams;
    private long lastNs;
    /** The silence is counted from here if the last datagram was earlier: what was not read before may have been sent. */
    private long resumedNs;

    private double usualSilenceNs;

    /** Resets this object for another source. */
    void reset(long newHigh, long newLow, int newHash, long timeNs) {
        high = newHigh;
        low = newLow;
        hash = newHash;
        touchedNs = timeNs;
        numbers = null;
        minutes = null;
        windowEndNs = 0;
        windowDatagrams = 0;
        windowBytes = 0;
        lastDatagrams = 0;
        lastBytes = 0;
        perSecond = 0;
        bytesPerSecond = 0;
        host = null;
        hostTimeNs = 0;
        otherHostNs = Long.MIN_VALUE / 2;
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

    /** Leaves a time up to now, in which nothing was read, out of its silence. */
    void pause(long ns) {
        resumedNs = Math.max(lastNs, resumedNs) + ns;
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

    /**
     * Counts a datagram of an established source.
     *
     * @param weight how many datagrams it stands for
     */
    void count(long timeNs, double weight, int bytes) {
        // If the clock was set back, a new window begins, too.
        if (timeNs >= windowEndNs || timeNs < windowEndNs - 2 * WINDOW_NS) {
            beginWindow(timeNs);
        }
        windowDatagrams += weight;
        windowBytes += weight * bytes;
    }

    private void beginWindow(long timeNs) {
        if (minutes == null) {
            minutes = new MinuteCounts();
        } else {
            minutes.add(windowEndNs - 1, (int) Math.round(windowDatagrams));
        }
        boolean isNext = timeNs >= windowEndNs && timeNs < windowEndNs + WINDOW_NS;
        lastDatagrams = isNext ? windowDatagrams : 0;
        lastBytes = isNext ? windowBytes : 0;
        windowDatagrams = 0;
        windowBytes = 0;
        windowEndNs = (timeNs / WINDOW_NS + 1) * WINDOW_NS;
    }

    /** Measures its rates over the last 30 to 60 s, or since the tracker began if that is shorter. */
    void measureRate(long nowNs, long beganNs) {
        boolean isCurrent = nowNs < windowEndNs;
        boolean isOld = nowNs >= windowEndNs + WINDOW_NS || nowNs < windowEndNs - 2 * WINDOW_NS;
        long sinceNs = Math.max(beganNs, windowEndNs - (isCurrent ? 2 : 1) * WINDOW_NS);
        double seconds = Math.max(1, (nowNs - sinceNs) / SECOND_NS);
        perSecond = isOld ? 0 : (windowDatagrams + (isCurrent ? lastDatagrams : 0)) / seconds;
        bytesPerSecond = isOld ? 0 : (windowBytes + (isCurrent ? lastBytes : 0)) / seconds;
    }

    /** Datagrams per second, when they were measured last. */
    double perSecond() {
        return perSecond;
    }

    SourcesStatus.Top top() {
        return new SourcesStatus.Top(address(), perSecond, bytesPerSecond);
    }

    /** The host name in its messages; null if they have none or several, as those of a relay. */
    @Nullable
    String ownHost(long nowNs) {
        return nowNs - otherHostNs < RELAY_NS ? null : host;
    }

    /** True if no message was searched for a host name for a while. */
    boolean wantsHostName(long timeNs) {
        return Math.abs(timeNs - hostTimeNs) > HOST_NS;
    }

    /** See {@link SourceSequences#touch}. */
    long touch() {
        return lastNs + (numbers == null ? 0 : numbers.touch());
    }

    /** Sets the host name of a message, or null if it has none. */
    void setHostName(@Nullable String name, long timeNs) {
        hostTimeNs = timeNs;
        if (name != null && !name.equals(host)) {
            otherHostNs = host == null ? otherHostNs : timeNs;
            host = name;
        }
    }

    /** True after enough datagrams to check its sequence numbers and to report it as silent. */
    boolean isEstablished() {
        return datagrams == ESTABLISHED;
    }

    /** True if it has been silent for too long. */
    boolean isOverdue(long nowNs, SilenceLimit limit) {
        return limit.isOver(silenceNs(nowNs), usualSilenceNs);
    }

    /** True if it is silent for too long by a limit, which may be longer than the one that found it. */
    boolean isSilentBy(long nowNs, SilenceLimit limit) {
        return limit.isOver(nowNs - lastNs, usualSilenceNs);
    }

    /** How long nothing was heard from it although a process listened. */
    long silenceNs(long nowNs) {
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

    /** Its datagrams in the last half hour. */
    long recent(long nowNs) {
        boolean isRecent = nowNs - windowEndNs < TimeUnit.MINUTES.toNanos(MinuteCounts.MINUTES - 1);
        return minutes == null ? 0 : minutes.sum(nowNs) + (isRecent ? Math.round(windowDatagrams) : 0);
    }

    SourcesStatus.Source status(long nowNs) {
        int[] counts = minutes == null
                ? new int[MinuteCounts.MINUTES]
                : minutes.until(nowNs, windowEndNs - 1, (int) Math.round(windowDatagrams));
        return new SourcesStatus.Source(
                address(),
                host,
                nowNs - otherHostNs < RELAY_NS,
                Instant.EPOCH.plusNanos(lastNs),
                Duration.ofNanos(usualSilenceNs()),
                silent,
                Arrays.stream(counts).boxed().toList());
    }
}
