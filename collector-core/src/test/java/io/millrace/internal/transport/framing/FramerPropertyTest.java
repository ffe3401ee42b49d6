package io.millrace.internal.transport.framing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestSeed;
import io.millrace.collector.StreamSettings.Framing;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Any split of a stream into reads gives the same messages, and every byte is accounted for. A million streams:
 * {@code ./mvnw -pl collector-core test -Dtest=FramerPropertyTest -Dmillrace.test.streams=1000000}.
 */
class FramerPropertyTest {
    private static final int STREAMS = Integer.getInteger("millrace.test.streams", 20_000);
    private static final int MAX_BYTES = 700;
    private static final List<Framing> MODES = List.of(Framing.values());

    private static byte[] stream(Random random) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int messages = random.nextInt(12);
        for (int i = 0; i < messages; i++) {
            String text = text(random);
            String piece = switch (random.nextInt(14)) {
                case 0, 1, 2 -> text.length() + " " + text;
                case 3, 4, 5 -> text + "\n";
                case 6 -> text + "\r\n";
                case 7 -> text + "\0";
                case 8 -> "00" + text.length() + " " + text;
                case 9 -> Math.max(0, text.length() + random.nextInt(9) - 4) + " " + text;
                case 10 -> random.nextInt(3) == 0 ? "99999999999 " + text : "0 " + text;
                case 11 -> lines(random);
                case 12 -> "\u00ef\u00bb\u00bf" + text.length() + " " + text;
                default -> text;
            };
            byte[] bytes = piece.getBytes(ISO_8859_1);
            out.write(bytes, 0, Math.min(bytes.length, MAX_BYTES - out.size()));
        }
        return out.toByteArray();
    }

    /** Lines, the first of which begins with a count that may be right. */
    private static String lines(Random random) {
        String text = "<13>" + text(random) + "\n<14>" + text(random) + "\n<1>x";
        int wrong = random.nextInt(3) == 0 ? random.nextInt(500) : random.nextInt(5) - 2;
        return text.length() + wrong + " " + text + (random.nextBoolean() ? "\n" : "");
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder(random.nextInt(3) == 0 ? "" : "<13>");
        int length = random.nextInt(8) == 0 ? random.nextInt(100) : random.nextInt(12);
        for (int i = 0; i < length; i++) {
            text.append(
                    switch (random.nextInt(14)) {
                        case 0 -> '\n';
                        case 1 -> '\r';
                        case 2 -> '\0';
                        case 3 -> ' ';
                        case 4 -> '<';
                        case 5, 6 -> (char) ('0' + random.nextInt(10));
                        case 7 -> (char) random.nextInt(256);
                        default -> 'x';
                    });
        }
        return text.toString();
    }

    @Test
    void splitIntoReadsChangesNothing() {
        Random random = TestSeed.random(FramerPropertyTest.class);
        FramerChecks checks = new FramerChecks(MAX_BYTES);
        for (int i = 0; i < STREAMS; i++) {
            byte[] stream = stream(random);
            Framing mode = MODES.get(random.nextInt(MODES.size()));
            int max = 1 + random.nextInt(random.nextBoolean() ? 8 : 60);
            int maxPiece = 1 + random.nextInt(random.nextBoolean() ? 5 : MAX_BYTES);
            boolean whole = random.nextInt(4) == 0;
            boolean refusing = random.nextInt(3) == 0;
            boolean passing = random.nextInt(4) == 0;
            String difference = checks.difference(
                    mode,
                    max,
                    stream,
                    () -> whole ? MAX_BYTES : 1 + random.nextInt(maxPiece),
                    () -> refusing && random.nextBoolean(),
                    () -> passing && random.nextBoolean());
            assertThat(difference)
                    .as("stream %d, %s, max %d: %s", i, mode, max, new String(stream, ISO_8859_1))
                    .isEmpty();
        }
    }
}
