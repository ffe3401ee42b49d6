package io.millrace.collector;

import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.SettingTypes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When a source counts as silent: after so many times its longest silence so far, and at least this time.
 *
 * @param times 0 if only the time counts
 * @param least the shortest silence that counts
 */
public record SilenceLimit(int times, Duration least) {
    private static final int MAX_TIMES = 1000;
    private static final Duration MIN_SILENCE = Duration.ofMinutes(1);

    /** The shortest time of {@link #time}. */
    public static final Duration MIN_TIME = Duration.ofSeconds(10);
    /** A source is forgotten after a week. */
    private static final Duration MAX_TIME = Duration.ofDays(6);

    /** A source with this limit is never silent. */
    public static final SilenceLimit NEVER = new SilenceLimit(0, Duration.ofDays(Integer.MAX_VALUE));

    /** What the settings are, for people. */
    public static final String TAKES = "a whole number from 1 to " + MAX_TIMES
            + " (times the longest silence so far), or a time such as 10m, from 10s to 6d";

    /** When a source is silent. */
    public static final Setting<SilenceLimit> SETTING = Setting.withDefault(
            "silentAfter",
            SettingTypes.parsed("TIMES or TIME", TAKES, SilenceLimit::parse, SettingTypes::durationMeant),
            "3",
            "A source is reported as silent after this many times its longest silence so far, and at least a"
                    + " minute; or after this time.");

    /** Parses a number of times or a time; returns null if the text is neither. */
    public static @Nullable SilenceLimit parse(String text) {
        try {
            return text.matches("\\d{1,9}") ? times(Integer.parseInt(text)) : time(SettingTypes.DURATION.parse(text));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** After so many times its longest silence, 1 to 1,000, and at least a minute. */
    public static SilenceLimit times(int times) {
        check(times >= 1 && times <= MAX_TIMES, times);
        return new SilenceLimit(times, MIN_SILENCE);
    }

    /** After this time, 10 s to 6 d, whatever its silences were so far. */
    public static SilenceLimit time(Duration time) {
        check(time.compareTo(MIN_TIME) >= 0 && time.compareTo(MAX_TIME) <= 0, time.toSeconds() + "s");
        return new SilenceLimit(0, time);
    }

    private static void check(boolean good, Object got) {
        if (!good) {
            throw new SettingException(SETTING, "accepts " + TAKES + ", not " + got);
        }
    }

    /** True for a limit of which no silence is over. */
    public boolean isNever() {
        return equals(NEVER);
    }

    /** True if a silence is longer than this limit, for a source with this longest silence so far. */
    public boolean isOver(long silenceNs, double longestNs) {
        return !isNever() && silenceNs > least.toNanos() && silenceNs > (long) (times * longestNs);
    }
}
