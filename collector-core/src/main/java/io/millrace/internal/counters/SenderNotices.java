package io.millrace.internal.counters;

import io.millrace.collector.StreamCounter;
import io.millrace.collector.StreamCounters.SenderNotice;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Whose connections an input refuses, closes or cannot understand, and why, in the last minute: for the log, and as faults. Memory and lines
 * are bounded, however many senders there are. Any thread.
 */
public final class SenderNotices {
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);
    private static final int MAX_SOURCES = 64;
    /** Log lines per minute and reason, each about another source. */
    private static final int MAX_LINES = 16;

    private final String input;
    private final Map<StreamCounter, Minute> byReason = new EnumMap<>(StreamCounter.class);

    /** Creates notices of an input. */
    public SenderNotices(String input) {
        this.input = input;
    }

    /** The counts of a reason since the beginning of its minute. */
    private static final class Minute {
        private long beganNs;
        private long lastNs;
        private long all;
        private final Map<String, Long> bySource = new HashMap<>();
        private final Set<String> logged = new HashSet<>();

        void begin(long nowNs) {
            beganNs = nowNs;
            all = 0;
            bySource.clear();
            logged.clear();
        }
    }

    /** Counts one; true if the log should have a line about this source. */
    public synchronized boolean add(StreamCounter reason, String source, long nowNs) {
        Minute minute = byReason.get(reason);
        if (minute == null || nowNs - minute.beganNs >= MINUTE_NS) {
            minute = minute == null ? new Minute() : minute;
            minute.begin(nowNs);
            byReason.put(reason, minute);
        }
        minute.all++;
        minute.lastNs = nowNs;
        if (minute.bySource.size() < MAX_SOURCES || minute.bySource.containsKey(source)) {
            minute.bySource.merge(source, 1L, Long::sum);
        }
        return minute.logged.size() < MAX_LINES && minute.logged.add(source);
    }

    /** The reasons of the last minute. */
    public synchronized List<SenderNotice> recent(long nowNs) {
        List<SenderNotice> recent = new ArrayList<>();
        byReason.forEach((reason, minute) -> {
            if (nowNs - minute.lastNs < MINUTE_NS) {
                Map.Entry<String, Long> most = minute.bySource.entrySet().stream()
                        .max(Map.Entry.comparingByValue())
                        .orElseThrow();
                recent.add(new SenderNotice(input, reason, most.getKey(), most.getValue(), minute.all));
            }
        });
        return recent;
    }
}
