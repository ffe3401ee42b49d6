package io.millrace.app.fault;

import io.millrace.collector.DropReason;
import io.millrace.internal.text.DurationText;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Logs losses, for each drop reason: a line when they begin, one per minute while they go on, and one when there was none for a minute, with
 * the total. What the policy rejects is no loss, and counts of the whole host are not ours. One thread.
 */
public final class LossLog {
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);

    private final BiConsumer<Level, String> out;
    private final Map<DropReason, Episode> episodes = new EnumMap<>(DropReason.class);

    /** The losses of a reason, from the first one until there was none for a minute. */
    private static final class Episode {
        private long known;
        private boolean on;
        private long before;
        private long beganNs;
        private long grownNs;
        private long toldNs;
        private long told;
    }

    public LossLog(BiConsumer<Level, String> out) {
        this.out = out;
    }

    /**
     * Compares the losses with those before. To be called every second or so.
     *
     * @param sinceStart the losses by drop reason since the start; null if unknown
     * @param nowNs the time by {@link System#nanoTime}
     */
    public void update(Function<DropReason, @Nullable Long> sinceStart, long nowNs) {
        for (DropReason reason : DropReason.values()) {
            // The start has a line about what the last process lost.
            boolean counts = reason.isOurs() && !reason.isByPolicy() && reason.stage() != DropReason.Stage.JOURNAL;
            Long total = counts ? sinceStart.apply(reason) : null;
            if (total != null) {
                update(reason, episodes.computeIfAbsent(reason, it -> new Episode()), total, nowNs);
            }
        }
    }

    private void update(DropReason reason, Episode episode, long total, long nowNs) {
        if (total > episode.known) {
            if (!episode.on) {
                episode.on = true;
                episode.before = episode.known;
                episode.told = episode.known;
                episode.beganNs = nowNs;
                episode.toldNs = nowNs - MINUTE_NS;
            }
            episode.known = total;
            episode.grownNs = nowNs;
        }
        if (!episode.on) {
            return;
        }
        if (nowNs - episode.toldNs >= MINUTE_NS && episode.known > episode.told) {
            boolean first = episode.told == episode.before;
            tell(
                    Level.WARN,
                    "%,d datagrams were lost%s: %s (%s), %,d since the start; %s; see docs/%s",
                    episode.known - episode.told,
                    first ? "" : " in the last minute",
                    reason.title(),
                    reason.key(),
                    episode.known,
                    reason.remedy(),
                    Fault.pageOf(reason));
            episode.told = episode.known;
            episode.toldNs = nowNs;
        }
        if (nowNs - episode.grownNs >= MINUTE_NS) {
            episode.on = false;
            tell(
                    Level.INFO,
                    "No more datagrams are lost: %s (%s); %,d were lost within %s, %,d since the start",
                    reason.title(),
                    reason.key(),
                    episode.known - episode.before,
                    DurationText.of(
                            Duration.ofNanos(Math.max(TimeUnit.SECONDS.toNanos(1), episode.grownNs - episode.beganNs))),
                    episode.known);
        }
    }

    private void tell(Level level, String format, Object... values) {
        out.accept(level, String.format(Locale.ROOT, format, values));
    }
}
