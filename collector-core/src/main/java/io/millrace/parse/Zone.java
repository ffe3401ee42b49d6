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
        int seconds = rules.getOffset(LocalDateTime.ofEpochSecond(localS, 0, ZoneOffset.UTC))
                .getTotalSeconds();
        // Of a local time that does not exist this is an instant after the change, where another offset is in force.
        Instant instant = Instant.ofEpochSecond(localS - seconds);
        ZoneOffsetTransition before = rules.previousTransition(instant.plusSeconds(1));
        ZoneOffsetTransition after = rules.nextTransition(instant);
        last = oldest;
        oldest = (oldest + 1) % SPANS;
        offsetS[last] = rules.getOffset(instant).getTotalSeconds();
        // What both offsets can be right for is not in the span: there the rules are asked each time.
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
