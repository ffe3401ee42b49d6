package io.millrace.parse;

import io.millrace.parse.SyslogMessage.Field;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;

/**
 * What holds of the result for any bytes: every field lies within them, and nothing around them and no message before
 * them makes a difference. Without an assertion library, because a fuzzer asks a hundred thousand times a second.
 */
public final class ParserChecks {
    private static final long NOW_NS = 1_795_262_400_000_000_000L;
    private static final byte[] AROUND = "%A-1-B: 9".getBytes(StandardCharsets.US_ASCII);
    private static final int MARGIN = AROUND.length;
    private static final Field[] FIELDS = Field.values();

    private final SyslogParser parser = new SyslogParser(ZoneOffset.UTC);
    private final SyslogMessage message = new SyslogMessage();
    private final SyslogMessage alone = new SyslogMessage();
    private final StructuredData data = new StructuredData();

    /** Reads the first bytes with others around them that would be part of the message if somebody looked there. */
    public void check(byte[] bytes, int length) {
        byte[] memory = new byte[MARGIN + length + MARGIN];
        System.arraycopy(AROUND, 0, memory, 0, MARGIN);
        System.arraycopy(bytes, 0, memory, MARGIN, length);
        System.arraycopy(AROUND, 0, memory, MARGIN + length, MARGIN);
        Kind kind = parser.parse(memory, MARGIN, MARGIN + length, NOW_NS, message);
        for (Field field : FIELDS) {
            int begin = message.begin(field);
            int end = message.end(field);
            boolean right = message.has(field)
                    ? begin >= MARGIN && end >= begin && end <= MARGIN + length
                    : begin == -1 && end == -1;
            that(right, field, bytes, length);
        }
        that(message.kind() == kind, "kind", bytes, length);
        that(message.facility() != null && message.severity() != null, "priority", bytes, length);
        data.wrap(message);
        while (data.nextElement()) {
            while (data.nextParameter()) {
                that(
                        data.valueBegin() <= data.valueEnd() && data.valueEnd() < MARGIN + length,
                        "structured data",
                        bytes,
                        length);
            }
        }
        checkAlone(bytes, length);
    }

    /** By itself, and by a parser that has seen no other message, it is the same. */
    private void checkAlone(byte[] bytes, int length) {
        new SyslogParser(ZoneOffset.UTC).parse(bytes, 0, length, NOW_NS, alone);
        that(alone.kind() == message.kind() && alone.body() == message.body(), "kind, alone", bytes, length);
        that(alone.timestampNs() == message.timestampNs(), "time, alone", bytes, length);
        that(alone.sequenceId() == message.sequenceId(), "sequence id, alone", bytes, length);
        for (Field field : FIELDS) {
            int margin = message.has(field) ? MARGIN : 0;
            that(
                    alone.begin(field) == message.begin(field) - margin
                            && alone.end(field) == message.end(field) - margin,
                    field,
                    bytes,
                    length);
        }
    }

    private static void that(boolean right, Object what, byte[] bytes, int length) {
        if (!right) {
            throw new AssertionError(what + " of " + new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
        }
    }
}
