package io.millrace.internal.text;

import java.time.Duration;

/** Formatter of durations for people, in at most two units. */
public final class DurationText {
    private DurationText() {}

    /** For example {@code 250 ms}, {@code 18 s}, {@code 5 min 2 s}, {@code 3 h 12 min} or {@code 5 d 4 h}. */
    public static String of(Duration time) {
        if (time.toDays() > 0) {
            return time.toDays() + " d " + time.toHoursPart() + " h";
        }
        if (time.toHours() > 0) {
            return time.toHours() + " h " + time.toMinutesPart() + " min";
        }
        if (time.toMinutes() > 0) {
            return time.toMinutes() + " min " + time.toSecondsPart() + " s";
        }
        return time.toSeconds() > 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }
}
