package io.millrace.app.config;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where in the journal an output begins, the first time it runs.
 *
 * @param where at which end, or at a time
 * @param time null unless it is at a time
 */
public record StartAt(Where where, @Nullable Instant time) {
    /** The kinds of beginnings. */
    public enum Where {
        /** With the oldest datagram. */
        BEGIN,
        /** With what arrives from now on. */
        END,
        /** With what was received at a time or later. */
        TIME
    }

    static @Nullable StartAt parse(String text) {
        for (Where where : new Where[] {Where.BEGIN, Where.END}) {
            if (where.name().equalsIgnoreCase(text)) {
                return new StartAt(where, null);
            }
        }
        Instant time = IsoTime.parse(text);
        return time == null ? null : new StartAt(Where.TIME, time);
    }
}
