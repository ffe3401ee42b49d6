package io.millrace.sender.payload;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * A payload that is changed in place: the identity per datagram, the time of day per second.
 */
final class PayloadTemplate {
    /** The format of the time of day, in UTC and with a resolution of a second. */
    enum Clock {
        NONE(""),
        /** RFC 5424: {@code 2026-11-21T09:45:10Z}. */
        ISO("yyyy-MM-dd'T'HH:mm:ss'Z'"),
        /** RFC 3164, with the day padded by a space: {@code Nov  1 09:45:10}. */
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

    private PayloadTemplate(byte[] bytes, int identityAt, Clock clock, int timeAt) {
        this.bytes = bytes;
        this.identityAt = identityAt;
        this.clock = clock;
        this.timeAt = timeAt;
    }

    static PayloadTemplate constant(byte[] bytes) {
        return new PayloadTemplate(bytes, NOWHERE, Clock.NONE, NOWHERE);
    }

    /**
     * A payload of header, identity and text.
     *
     * @param before the header up to the time of day, or the whole header if the clock is {@link Clock#NONE}
     * @param after the rest of the header
     * @param text begins with a space, or is empty
     */
    static PayloadTemplate of(String before, Clock clock, String after, String text) {
        String header = before + clock.at(0) + after;
        byte[] bytes = (header + " ".repeat(SequencePayload.LENGTH) + text).getBytes(StandardCharsets.ISO_8859_1);
        return new PayloadTemplate(bytes, header.length(), clock, before.length());
    }

    byte[] bytes() {
        return bytes;
    }

    /** The minimum length: the header and the identity. */
    int minBytes() {
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
