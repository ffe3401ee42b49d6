package io.millrace.output.internal.name;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limit of names from messages (files, topics, streams): any sender can cause names, and each costs the destination an
 * inode, a partition or an index. A name counts until it was not used for a day. One thread.
 */
public final class NameLimit {
    private static final long DAY_NS = TimeUnit.DAYS.toNanos(1);
    private static final double MINUTE_NS = TimeUnit.MINUTES.toNanos(1);

    private final int max;
    private final int perMinute;
    private final LongSupplier clockNs;
    private final Map<String, Long> lastUsedNs = new LinkedHashMap<>(16, 0.75f, true);
    private double allowance;
    private long countedNs;

    /**
     * Creates a limit.
     *
     * @param max names used within a day
     * @param perMinute new names per minute, which is also the burst
     * @param clockNs as {@link System#nanoTime}
     */
    public NameLimit(int max, int perMinute, LongSupplier clockNs) {
        this.max = max;
        this.perMinute = perMinute;
        this.clockNs = clockNs;
        this.allowance = perMinute;
        this.countedNs = clockNs.getAsLong();
    }

    /** True if a name may be used: it is known, or the limit allows it. */
    public boolean admits(String name) {
        long now = clockNs.getAsLong();
        if (lastUsedNs.replace(name, now) != null) {
            return true;
        }
        forget(now);
        allowance = Math.min(perMinute, allowance + (now - countedNs) / MINUTE_NS * perMinute);
        countedNs = now;
        if (lastUsedNs.size() >= max || allowance < 1) {
            return false;
        }
        allowance--;
        lastUsedNs.put(name, now);
        return true;
    }

    /** Adds an existing name from before the start, without counting it as new. */
    public void note(String name) {
        long now = clockNs.getAsLong();
        forget(now);
        if (lastUsedNs.size() < max || lastUsedNs.containsKey(name)) {
            lastUsedNs.put(name, now);
        }
    }

    private void forget(long now) {
        Iterator<Long> oldest = lastUsedNs.values().iterator();
        while (oldest.hasNext() && now - oldest.next() > DAY_NS) {
            oldest.remove();
        }
    }

    @Override
    public String toString() {
        return "messages name more than maxNames (" + max + ") in a day, or maxNewNames (" + perMinute
                + ") new ones in a minute";
    }
}
