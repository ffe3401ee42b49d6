package io.millrace.sources;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The sources with the highest current rates, in constant memory. There are two windows of 30 s, each a
 * {@link SpaceSaving}. A new window replaces the older one, so a rate covers the last 30 to 60 s.
 *
 * <p>With N datagrams in a window, a rate is too high by at most N / 2,048 datagrams, and never too low. Each rate has
 * its own error bound, which is usually 0. A source whose error bound is more than half of its count is not listed, so
 * a flood of sources with few datagrams each shows no top sources. Bytes count from when the source got its counter, so
 * they may be too low. One thread.
 */
final class TopSources {
    static final int COUNTERS = 2048;
    private static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(30);
    private static final double SECOND_NS = 1e9;

    private SpaceSaving current = new SpaceSaving(COUNTERS);
    private SpaceSaving previous = new SpaceSaving(COUNTERS);
    private long beganNs;
    private long previousBeganNs;

    /** Starts counting at this time. */
    TopSources(long nowNs) {
        beganNs = nowNs;
        previousBeganNs = nowNs;
    }

    /** The approximate size in bytes, which is constant. */
    static long bytes() {
        return 2 * SpaceSaving.bytesOf(COUNTERS);
    }

    /** Counts datagrams. */
    void add(long high, long low, int hash, int datagrams, long payloadBytes) {
        current.add(high, low, hash, datagrams, payloadBytes);
    }

    /** Starts a new window if the current one is full. */
    void roll(long nowNs) {
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
            // The clock was set, or no call came for long: the counts are out of date.
            previous.clear();
            previousBeganNs = nowNs;
        }
    }

    /** The sources with the highest rates, in descending order. */
    List<SourcesStatus.Top> top(int limit, long nowNs) {
        roll(nowNs);
        double seconds = Math.max(1, (nowNs - previousBeganNs) / SECOND_NS);
        List<SourcesStatus.Top> found = new ArrayList<>();
        collect(current, previous, true, seconds, found);
        collect(previous, current, false, seconds, found);
        found.sort(Comparator.comparingDouble(SourcesStatus.Top::perSecond).reversed());
        return List.copyOf(found.subList(0, Math.min(limit, found.size())));
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
