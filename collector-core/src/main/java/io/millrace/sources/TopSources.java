package io.millrace.sources;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The sources that send most now, in memory that does not grow with their number: two windows of half a minute, each a
 * {@link SpaceSaving}; the older is forgotten when the newer is full. What is told is of the last half to one minute.
 *
 * <p>With N datagrams in a window a source's figure is too high by N / 2,048 at the most, and never too low; each
 * figure comes with its own bound, which is mostly 0. A source of which more may be others' than its own is not told: in a
 * flood of sources that send next to nothing there is no top. Bytes are those since the source has its counters, and so
 * may be too low. One thread.
 */
final class TopSources {
    static final int COUNTERS = 2048;
    private static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(30);
    private static final double SECOND_NS = 1e9;

    private SpaceSaving current = new SpaceSaving(COUNTERS);
    private SpaceSaving previous = new SpaceSaving(COUNTERS);
    private long beganNs;
    private long previousBeganNs;

    /** Begins to count at a time. */
    TopSources(long nowNs) {
        beganNs = nowNs;
        previousBeganNs = nowNs;
    }

    /** About how many bytes this takes, whatever comes. */
    static long bytes() {
        return 2 * SpaceSaving.bytesOf(COUNTERS);
    }

    /** Counts a datagram. */
    void add(long high, long low, int hash, int payloadBytes) {
        current.add(high, low, hash, payloadBytes);
    }

    /** Begins a new window if it is time. */
    void turn(long nowNs) {
        long age = nowNs - beganNs;
        if (age >= 0 && age < WINDOW_NS) {
            return;
        }
        SpaceSaving oldest = previous;
        previous = current;
        current = oldest;
        current.clear();
        previousBeganNs = beganNs;
        beganNs = nowNs;
        if (age < 0 || age >= 2 * WINDOW_NS) {
            // A clock that was set, or nothing for long: what was counted tells nothing of now.
            previous.clear();
            previousBeganNs = nowNs;
        }
    }

    /** Those that send most, most first. */
    List<SourcesStatus.Top> top(int most, long nowNs) {
        turn(nowNs);
        double seconds = Math.max(1, (nowNs - previousBeganNs) / SECOND_NS);
        List<SourcesStatus.Top> found = new ArrayList<>();
        collect(current, previous, true, seconds, found);
        collect(previous, current, false, seconds, found);
        found.sort(Comparator.comparingDouble(SourcesStatus.Top::perSecond).reversed());
        return List.copyOf(found.subList(0, Math.min(most, found.size())));
    }

    private static void collect(
            SpaceSaving window, SpaceSaving other, boolean both, double seconds, List<SourcesStatus.Top> found) {
        for (int i = 0; i < window.capacity(); i++) {
            if (window.count(i) == 0) {
                continue;
            }
            SourceAddress address = window.address(i);
            int there = other.find(address.high(), address.low(), window.hash(i));
            if (there >= 0 && !both) {
                continue;
            }
            long count = window.count(i) + (there >= 0 ? other.count(there) : other.lowest());
            long error = window.error(i) + (there >= 0 ? other.error(there) : other.lowest());
            long bytes = window.bytes(i) + (there >= 0 ? other.bytes(there) : 0);
            if (2 * error <= count) {
                found.add(new SourcesStatus.Top(address, count / seconds, bytes / seconds, error / seconds));
            }
        }
    }
}
