package io.millrace.parse;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/**
 * Local time to time since the epoch. The rules of the zone make objects when they are asked, so a few of the spans
 * between two changes of the clocks are remembered, and no object is made as long as times lie in those. One thread.
 */
final class Zone {
    private static final int SPANS = 4;
    private static final long MOST_OFFSET_S = 18 * 3600;

    private final ZoneRules rules;
    private final long[] fromLocalS = new long[SPANS];
    private final long[] toLocalS = new long[SPANS];
    private final int[] offsetS = new int[SPANS];
    private int last;

    Zone(ZoneId id) {
        rules = id.getRules();
    }

    /**
     * The time since the epoch of a local one. A local time that does not exist, because clocks were put forward, counts
     * on from before; one that exists twice is the earlier.
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
        ZoneOffset offset = rules.getOffset(LocalDateTime.ofEpochSecond(localS, 0, ZoneOffset.UTC));
        int seconds = offset.getTotalSeconds();
        Instant instant = Instant.ofEpochSecond(localS - seconds);
        ZoneOffsetTransition before = rules.previousTransition(instant.plusSeconds(1));
        ZoneOffsetTransition after = rules.nextTransition(instant);
        // Not close to a change: there the rules are asked each time.
        last = (last + 1) % SPANS;
        offsetS[last] = seconds;
        fromLocalS[last] = before == null ? Long.MIN_VALUE : before.toEpochSecond() + seconds + MOST_OFFSET_S;
        toLocalS[last] = after == null ? Long.MAX_VALUE : after.toEpochSecond() + seconds - MOST_OFFSET_S;
        return seconds;
    }
}
