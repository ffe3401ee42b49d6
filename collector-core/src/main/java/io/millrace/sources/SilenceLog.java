package io.millrace.sources;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Says which sources fall silent and which are back: {@value #MAX_LINES} lines a minute at the most, then one with the
 * number of the others. One thread.
 */
final class SilenceLog {
    static final int MAX_LINES = 10;
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);

    private final Consumer<String> out;
    private long minuteBeganNs;
    private int lines;
    private long moreSilent;
    private long moreBack;

    /** Makes one that writes lines. */
    SilenceLog(Consumer<String> out) {
        this.out = out;
    }

    /** A source has fallen silent. */
    void silent(KnownSource source, long nowNs) {
        if (mayWrite(nowNs)) {
            out.accept("Source " + source.address() + " is silent: nothing for " + text(nowNs - source.lastNs())
                    + ", where its longest silence is " + text(source.usualSilenceNs()));
        } else {
            moreSilent++;
        }
    }

    /** A source that was silent is heard again. */
    void back(SourceAddress source, long afterNs, long nowNs) {
        if (mayWrite(nowNs)) {
            out.accept("Source " + source + " is back after " + text(afterNs));
        } else {
            moreBack++;
        }
    }

    private boolean mayWrite(long nowNs) {
        turn(nowNs);
        if (lines == MAX_LINES) {
            return false;
        }
        lines++;
        return true;
    }

    /** Says the number of the others when the minute is over. To be called now and then. */
    void turn(long nowNs) {
        long age = nowNs - minuteBeganNs;
        if (age >= 0 && age < MINUTE_NS) {
            return;
        }
        minuteBeganNs = nowNs;
        lines = 0;
        if (moreSilent + moreBack > 0) {
            out.accept("Besides, " + moreSilent + " more sources fell silent and " + moreBack + " were back");
            moreSilent = 0;
            moreBack = 0;
        }
    }

    private static String text(long ns) {
        Duration time = Duration.ofNanos(ns);
        return time.toHours() > 0
                ? time.toHours() + " h " + time.toMinutesPart() + " min"
                : time.toMinutes() > 0
                        ? time.toMinutes() + " min " + time.toSecondsPart() + " s"
                        : time.toMillis() / 1000.0 + " s";
    }
}
