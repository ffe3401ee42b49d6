package io.millrace.internal.parse.time;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/**
 * Converter of local time to time since the epoch. The rules of a time zone allocate objects, so this class caches some
 * of the spans between two clock changes, and allocates nothing for times within them. One thread.
 */
final class Zone {
    private static final int SPANS = 4;

    private final ZoneRules rules;
    private final long[] fromLocalS = new long[SPANS];
    private final long[] toLocalS = new long[SPANS];
    private final int[] offsetS = new int[SPANS];
    private int last;
    private int oldest;

    Zone(ZoneId id) {
        rules = id.getRules();
    }

    /**
     * Converts a local time. A local time that is skipped by a clock change is converted with the offset before the
     * change. One that occurs twice is the earlier.
     *
     * @param localS seconds, as if local time were UTC
     */
    long epochSecond(long localS) {
        for (int i = 0; i < SPANS; i++) {
            int span = (last + i) % SPANS;
            if (localS >= fromLocalS[span] && localS < toLocalS[span]) {
                last = span;
                return localS - offsetS[span];
            }
        }
        return localS - look(localS);
    }

    private int look(long localS) {
        int seconds = rules.getOffset(LocalDateTime.ofEpochSecond(localS, 0, ZoneOffset.UTC))
                .getTotalSeconds();
        // For a skipped local time, this instant is after the change and has another offset.
        Instant instant = Instant.ofEpochSecond(localS - seconds);
        ZoneOffsetTransition before = rules.previousTransition(instant.plusSeconds(1));
        ZoneOffsetTransition after = rules.nextTransition(instant);
        last = oldest;
        oldest = (oldest + 1) % SPANS;
        offsetS[last] = rules.getOffset(instant).getTotalSeconds();
        // The span excludes ambiguous times: for them the rules are asked each time.
        fromLocalS[last] = before == null
                ? Long.MIN_VALUE
                : before.toEpochSecond()
                        + Math.max(seconds(before.getOffsetBefore()), seconds(before.getOffsetAfter()));
        toLocalS[last] = after == null
                ? Long.MAX_VALUE
                : after.toEpochSecond() + Math.min(seconds(after.getOffsetBefore()), seconds(after.getOffsetAfter()));
        return seconds;
    }

    private static int seconds(ZoneOffset offset) {
        return offset.getTotalSeconds();
    }
}
