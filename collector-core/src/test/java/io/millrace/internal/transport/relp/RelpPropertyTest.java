package io.millrace.internal.transport.relp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestSeed;
import java.io.ByteArrayOutputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Any split of a stream into reads gives the same messages and the same answers, and every byte is accounted for. A million streams:
 * {@code ./mvnw -pl collector-core test -Dtest=RelpPropertyTest -Dmillrace.test.streams=1000000}.
 */
class RelpPropertyTest {
    private static final int STREAMS = Integer.getInteger("millrace.test.streams", 20_000);
    private static final int MAX_BYTES = 900;

    private static byte[] stream(Random random) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int commands = random.nextInt(12);
        String open = frame(1, "open", "relp_version=" + random.nextInt(3) + "\ncommands=syslog");
        for (int i = random.nextInt(30) == 0 ? 1 : 0; i <= commands; i++) {
            String piece = i == 0 ? open : piece(random, i + 1);
            byte[] bytes = piece.getBytes(ISO_8859_1);
            out.write(bytes, 0, Math.min(bytes.length, MAX_BYTES - out.size()));
        }
        return out.toByteArray();
    }

    private static String piece(Random random, int txnr) {
        String text = text(random);
        return switch (random.nextInt(24)) {
            case 0 -> frame(txnr, "syslog", "");
            case 1 -> frame(txnr, "starttls", text);
            case 2 -> frame(0, "hint", text);
            case 3 -> random.nextInt(3) > 0 ? "" : frame(txnr, "close", "");
            case 4 -> random.nextInt(3) > 0 ? "" : frame(txnr, "open", text);
            case 5 -> random.nextInt(3) > 0 ? "" : txnr + " syslog " + (text.length() + 1) + " " + text + "\n";
            case 6 -> random.nextInt(3) > 0 ? "" : text;
            case 7 -> random.nextInt(4) > 0 ? "" : txnr + " syslog 9999999999 " + text;
            case 8 -> "0" + frame(txnr, "syslog", text);
            default -> frame(txnr, "syslog", text);
        };
    }

    private static String frame(int txnr, String command, String data) {
        return txnr + " " + command + " " + data.length() + (data.isEmpty() ? "" : " " + data) + "\n";
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(8) == 0 ? random.nextInt(200) : random.nextInt(12);
        for (int i = 0; i < length; i++) {
            text.append(
                    switch (random.nextInt(8)) {
                        case 0 -> '\n';
                        case 1 -> ' ';
                        case 2, 3 -> (char) ('0' + random.nextInt(10));
                        case 4 -> (char) random.nextInt(256);
                        default -> 'x';
                    });
        }
        return text.toString();
    }

    @Test
    void splitIntoReadsChangesNothing() {
        Random random = TestSeed.random(RelpPropertyTest.class);
        RelpChecks checks = new RelpChecks(MAX_BYTES);
        for (int i = 0; i < STREAMS; i++) {
            byte[] stream = stream(random);
            int max = 1 + random.nextInt(random.nextBoolean() ? 8 : 60);
            int maxPiece = 1 + random.nextInt(random.nextBoolean() ? 5 : MAX_BYTES);
            boolean whole = random.nextInt(4) == 0;
            boolean refusing = random.nextInt(3) == 0;
            String difference = checks.difference(
                    max,
                    stream,
                    () -> whole ? MAX_BYTES : 1 + random.nextInt(maxPiece),
                    () -> refusing && random.nextBoolean(),
                    random::nextBoolean);
            assertThat(difference)
                    .as("stream %d, max %d: %s", i, max, new String(stream, ISO_8859_1))
                    .isEmpty();
        }
    }
}
