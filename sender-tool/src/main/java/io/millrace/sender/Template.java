package io.millrace.sender;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * A payload made once and changed in place for each datagram: the identity each time, the time of day when its second
 * has passed.
 */
final class Template {
    /** How the time of day stands in a payload, in UTC and to the second. */
    enum Clock {
        NONE(""),
        /** As RFC 5424 has it: {@code 2026-11-21T09:45:10Z}. */
        ISO("yyyy-MM-dd'T'HH:mm:ss'Z'"),
        /** As RFC 3164 has it, with the day padded by a space: {@code Nov  1 09:45:10}. */
        BSD("MMM ppd HH:mm:ss");

        private final DateTimeFormatter formatter;

        Clock(String pattern) {
            formatter = DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC);
        }

        String at(long epochSecond) {
            return formatter.format(Instant.ofEpochSecond(epochSecond));
        }
    }

    private static final int NOWHERE = -1;

    private final byte[] bytes;
    private final int identityAt;
    private final Clock clock;
    private final int timeAt;

    private Template(byte[] bytes, int identityAt, Clock clock, int timeAt) {
        this.bytes = bytes;
        this.identityAt = identityAt;
        this.clock = clock;
        this.timeAt = timeAt;
    }

    /** A payload that is the same each time. */
    static Template constant(byte[] bytes) {
        return new Template(bytes, NOWHERE, Clock.NONE, NOWHERE);
    }

    /**
     * A payload of a header, the identity and a text.
     *
     * @param before the header up to the time of day, or all of it when the clock is {@link Clock#NONE}
     * @param after the rest of the header
     * @param text begins with a space, or is empty
     */
    static Template of(String before, Clock clock, String after, String text) {
        String header = before + clock.at(0) + after;
        byte[] bytes = (header + " ".repeat(SequencePayload.LENGTH) + text).getBytes(StandardCharsets.ISO_8859_1);
        return new Template(bytes, header.length(), clock, before.length());
    }

    byte[] bytes() {
        return bytes;
    }

    /** The least number of bytes of it that still hold the identity. */
    int least() {
        return identityAt == NOWHERE ? 1 : identityAt + SequencePayload.LENGTH;
    }

    void setIdentity(int runId, int source, int sequence, int intendedMicros) {
        if (identityAt != NOWHERE) {
            SequencePayload.encode(bytes, identityAt, runId, source, sequence, intendedMicros);
        }
    }

    void setTime(long epochSecond) {
        if (clock != Clock.NONE) {
            byte[] time = clock.at(epochSecond).getBytes(StandardCharsets.ISO_8859_1);
            System.arraycopy(time, 0, bytes, timeAt, time.length);
        }
    }
}
