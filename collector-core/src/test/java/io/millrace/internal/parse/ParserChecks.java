package io.millrace.internal.parse;

import io.millrace.message.Kind;
import io.millrace.message.SyslogMessage.Field;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;

/**
 * What holds of the result for any bytes: every field lies within them, and nothing around them and no message before
 * them makes a difference. Without an assertion library, because a fuzzer asks a hundred thousand times per second.
 */
public final class ParserChecks {
    private static final long NOW_NS = 1_795_262_400_000_000_000L;
    private static final byte[] AROUND = "%A-1-B: 9".getBytes(StandardCharsets.US_ASCII);
    private static final int MARGIN = AROUND.length;
    private static final Field[] FIELDS = Field.values();

    private final SyslogParser parser = new SyslogParser(ZoneOffset.UTC);
    private final ParsedMessage message = new ParsedMessage();
    private final ParsedMessage alone = new ParsedMessage();
    private final StructuredData data = new StructuredData();
    private final Extension extension = new Extension();
    private final MessageLines lines = new MessageLines();

    /** Reads the first bytes with others around them that would be part of the message if somebody looked there. */
    public void check(byte[] bytes, int length) {
        byte[] memory = new byte[MARGIN + length + MARGIN];
        System.arraycopy(AROUND, 0, memory, 0, MARGIN);
        System.arraycopy(bytes, 0, memory, MARGIN, length);
        System.arraycopy(AROUND, 0, memory, MARGIN + length, MARGIN);
        Kind kind = parser.parse(memory, MARGIN, MARGIN + length, NOW_NS, message);
        // Those of GELF with escapes are decoded elsewhere.
        boolean decoded = message.bytes() != memory;
        that(!decoded || kind == Kind.GELF, "bytes", bytes, length);
        for (Field field : FIELDS) {
            int begin = message.begin(field);
            int end = message.end(field);
            int first = decoded ? 0 : MARGIN;
            int last = decoded ? message.bytes().length : MARGIN + length;
            boolean right =
                    message.has(field) ? begin >= first && end >= begin && end <= last : begin == -1 && end == -1;
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
        checkExtension(memory, bytes, length);
        checkLines(memory, bytes, length);
        checkAlone(memory, bytes, length);
    }

    /** Keys and values lie in the message one after the other, and cover it but for what separates them. */
    private void checkExtension(byte[] memory, byte[] bytes, int length) {
        extension.wrap(message);
        int after = MARGIN;
        while (extension.next()) {
            boolean ordered = after <= extension.nameBegin()
                    && extension.nameBegin() < extension.nameEnd()
                    && extension.nameEnd() + 1 == extension.valueBegin()
                    && extension.valueBegin() <= extension.valueEnd()
                    && extension.valueEnd() <= message.end(Field.MESSAGE);
            that(ordered && memory[extension.nameEnd()] == '=', "extension", bytes, length);
            byte separator = memory[extension.nameBegin() - 1];
            for (int i = after; after > MARGIN && i < extension.nameBegin(); i++) {
                that(memory[i] == separator, "what separates values", bytes, length);
            }
            after = extension.valueEnd();
            extension.unescape();
            int plain = extension.plainEnd() - extension.plainBegin();
            int raw = extension.valueEnd() - extension.valueBegin();
            that(extension.isEscaped() ? plain >= 0 && plain <= raw : plain == raw, "escapes", bytes, length);
        }
    }

    /** There is a message, and all that is in none of them are line ends and NULs. */
    private void checkLines(byte[] memory, byte[] bytes, int length) {
        lines.wrap(memory, MARGIN, MARGIN + length);
        int after = MARGIN;
        boolean more;
        boolean several = lines.hasNext();
        do {
            boolean ordered = after <= lines.begin()
                    && lines.begin() <= lines.end()
                    && lines.end() <= lines.lineEnd()
                    && lines.lineEnd() <= MARGIN + length;
            that(ordered, "lines", bytes, length);
            checkEmpty(memory, after, lines.begin(), bytes, length);
            checkEmpty(memory, lines.end(), lines.lineEnd(), bytes, length);
            for (int i = lines.begin(); several && i < lines.end(); i++) {
                that(memory[i] != '\n', "a line", bytes, length);
            }
            after = lines.lineEnd();
            more = lines.hasNext();
            that(lines.next() == more, "the next line", bytes, length);
        } while (more);
        checkEmpty(memory, after, MARGIN + length, bytes, length);
    }

    private static void checkEmpty(byte[] memory, int begin, int end, byte[] bytes, int length) {
        for (int i = begin; i < end; i++) {
            that(memory[i] == '\n' || memory[i] == '\r' || memory[i] == 0, "between lines", bytes, length);
        }
    }

    /** By itself, and by a parser that has seen no other message, it is the same. */
    private void checkAlone(byte[] memory, byte[] bytes, int length) {
        new SyslogParser(ZoneOffset.UTC).parse(bytes, 0, length, NOW_NS, alone);
        that(alone.kind() == message.kind() && alone.body() == message.body(), "kind, alone", bytes, length);
        that(alone.timestampNs() == message.timestampNs(), "time, alone", bytes, length);
        that(alone.sequenceId() == message.sequenceId(), "sequence id, alone", bytes, length);
        for (Field field : FIELDS) {
            int margin = message.has(field) && message.bytes() == memory ? MARGIN : 0;
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
