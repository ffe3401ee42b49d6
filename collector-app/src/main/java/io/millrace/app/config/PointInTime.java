package io.millrace.app.config;

import io.millrace.setting.SettingTypes;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Parser of points in time as people type them: RFC 3339, a date, a time of today, a duration before now, {@code now}, or
 * seconds since the epoch. Without an offset they are in the zone of this host.
 */
public final class PointInTime {
    /** What {@link #parse} accepts, for messages. */
    public static final String TAKES =
            "a time such as 2026-11-21T08:30:00Z, 2026-11-21, 08:30, 5m (ago), now, or seconds since 1970";

    private static final String AGO = "\\d+(ms|s|m|h|d)";
    private static final String OF_TODAY = "\\d\\d:.*";

    private static final List<BiFunction<String, Clock, Instant>> FORMS = List.of(
            (text, clock) -> Instant.parse(text),
            (text, clock) -> OffsetDateTime.parse(text.replace(' ', 'T')).toInstant(),
            (text, clock) -> at(LocalDateTime.parse(text.replace(' ', 'T')), clock),
            (text, clock) -> at(LocalDate.parse(text).atStartOfDay(), clock),
            (text, clock) -> at(LocalDate.now(clock).atTime(LocalTime.parse(text)), clock));

    private PointInTime() {}

    /** The point in time; null if the text is invalid. */
    public static @Nullable Instant parse(String text) {
        return parse(text, Clock.system(ZoneId.systemDefault()));
    }

    /** The same without the forms that mean another time at another moment; null if the text is invalid, or one of them. */
    static @Nullable Instant parseFixed(String text) {
        return text.equals("now") || text.matches(AGO) || text.matches(OF_TODAY) ? null : parse(text);
    }

    static @Nullable Instant parse(String text, Clock clock) {
        if (text.equals("now")) {
            return clock.instant();
        }
        if (text.matches("\\d{9,11}")) {
            return Instant.ofEpochSecond(Long.parseLong(text));
        }
        if (text.matches(AGO)) {
            return ago(text, clock);
        }
        for (BiFunction<String, Clock, Instant> form : FORMS) {
            try {
                return form.apply(text, clock);
            } catch (DateTimeException notThisOne) {
                // Tries the next form.
            }
        }
        return null;
    }

    private static @Nullable Instant ago(String text, Clock clock) {
        try {
            Duration duration = SettingTypes.DURATION.parse(text);
            return clock.instant().minus(duration);
        } catch (IllegalArgumentException tooLong) {
            return null;
        }
    }

    private static Instant at(LocalDateTime local, Clock clock) {
        return local.atZone(clock.getZone()).toInstant();
    }
}
