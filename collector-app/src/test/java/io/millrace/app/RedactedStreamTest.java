package io.millrace.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.output.internal.secret.Secrets;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RedactedStreamTest {
    private final Secrets secrets = new Secrets();
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final PrintStream stream = RedactedStream.of(secrets, new PrintStream(written, true, UTF_8));

    private String written() {
        return written.toString(UTF_8);
    }

    @Test
    void redactsStackTraces() {
        secrets.add("hunter2");
        new IllegalStateException("with hunter2", new RuntimeException("cause hunter2")).printStackTrace(stream);
        assertThat(written())
                .contains("IllegalStateException: with ***", "RuntimeException: cause ***", "at io.millrace")
                .doesNotContain("hunter2");
    }

    @Test
    void redactsSecretsSplitOverWrites() {
        secrets.add("hunter2");
        String text = "one hunter2 hunt hunter2hunter22, and more\nhunter2\n";
        long seed = Long.getLong("millrace.test.seed", System.nanoTime());
        System.out.println("RedactedStreamTest: seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            written.reset();
            for (int i = 0; i < text.length(); ) {
                int end = Math.min(text.length(), i + 1 + random.nextInt(5));
                stream.print(text.substring(i, end));
                i = end;
            }
            assertThat(written().replaceAll("(\\*\\*\\*)+", "***")).isEqualTo("one *** hunt ***2, and more\n***\n");
        }
    }

    /** As a progress line is, which has no line feed. */
    @Test
    void writesTextThatCannotBeASecretAtOnce() {
        secrets.add("hunter2");
        stream.print("\rparsing 1 of 5 MiB ");
        assertThat(written()).isEqualTo("\rparsing 1 of 5 MiB ");
        stream.printf("%s %d%n", "hunt", 2);
        assertThat(written()).endsWith("MiB hunt 2\n");
    }

    @Test
    void doesNotChangeOtherBytes() {
        secrets.add("gehe\u00efm");
        stream.write(new byte[] {(byte) 0xff, 'x', '\n'}, 0, 3);
        assertThat(written.toByteArray()).containsExactly(0xff, 'x', '\n');
        written.reset();
        stream.writeBytes("\u20ac gehe\u00efm \u00fc\n".getBytes(UTF_8));
        assertThat(written()).isEqualTo("\u20ac *** \u00fc\n");
    }
}
