package io.millrace.internal.sources;

import io.millrace.collector.SilenceLimit;
import io.millrace.collector.SourceAddress;
import io.millrace.internal.text.DurationText;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.slf4j.event.Level;

/**
 * A rate-limited log of sources that fall silent or send again. It writes at most {@value #MAX_LINES} lines per minute,
 * then one line with the number of the others. One thread.
 */
final class SilenceLog {
    static final int MAX_LINES = 10;
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);

    private final BiConsumer<Level, String> out;
    private long minuteBeganNs;
    private int lines;
    private long moreSilent;
    private long moreBack;

    /** Creates a log that writes lines to a consumer: that a source is silent is a warning. */
    SilenceLog(BiConsumer<Level, String> out) {
        this.out = out;
    }

    void silent(KnownSource source, SilenceLimit limit, long nowNs) {
        if (mayWrite(nowNs)) {
            out.accept(
                    Level.WARN,
                    "Source " + source.address() + " is silent: no datagram for " + text(nowNs - source.lastNs())
                            + (limit.times() == 0
                                    ? ", the limit is " + DurationText.of(limit.least())
                                    : ", its longest silence is " + text(source.usualSilenceNs())));
        } else {
            moreSilent++;
        }
    }

    /** Logs that a silent source sends again. */
    void back(SourceAddress source, long afterNs, long nowNs) {
        if (mayWrite(nowNs)) {
            out.accept(Level.INFO, "Source " + source + " sends again after " + text(afterNs));
        } else {
            moreBack++;
        }
    }

    private boolean mayWrite(long nowNs) {
        endMinute(nowNs);
        if (lines == MAX_LINES) {
            return false;
        }
        lines++;
        return true;
    }

    /** Logs the number of suppressed lines once the minute is over. To be called regularly. */
    void endMinute(long nowNs) {
        long age = nowNs - minuteBeganNs;
        if (age >= 0 && age < MINUTE_NS) {
            return;
        }
        minuteBeganNs = nowNs;
        lines = 0;
        if (moreSilent + moreBack > 0) {
            out.accept(
                    moreSilent > 0 ? Level.WARN : Level.INFO,
                    moreSilent + " more sources fell silent and " + moreBack + " send again");
            moreSilent = 0;
            moreBack = 0;
        }
    }

    private static String text(long ns) {
        return DurationText.of(Duration.ofNanos(ns));
    }
}
