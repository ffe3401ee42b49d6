package io.millrace.app.config;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Parser of ISO 8601 times: an instant, a time with an offset, or a local time in the zone of this host. */
public final class IsoTime {
    private static final List<Function<String, Instant>> FORMS = List.of(
            Instant::parse,
            it -> OffsetDateTime.parse(it).toInstant(),
            it -> LocalDateTime.parse(it.replace(' ', 'T'))
                    .atZone(ZoneId.systemDefault())
                    .toInstant(),
            it -> LocalDate.parse(it).atStartOfDay(ZoneId.systemDefault()).toInstant());

    private IsoTime() {}

    /** The time; null if the text is invalid. */
    public static @Nullable Instant parse(String text) {
        for (Function<String, Instant> form : FORMS) {
            try {
                return form.apply(text);
            } catch (DateTimeException notThisOne) {
                // Tries the next form.
            }
        }
        return null;
    }
}
