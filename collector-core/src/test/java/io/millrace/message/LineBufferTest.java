package io.millrace.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class LineBufferTest {
    /** Eight bytes are looked at together, also those after the end: they do not count. */
    @Test
    void lineEndsAtItsEnd() {
        String text = "plain text\nwith \u00e9 and tab\t.";
        byte[] bytes = text.getBytes(UTF_8);
        String expected = "plain text#012with \u00e9 and tab#011.";
        for (byte around : new byte[] {'x', '\n', (byte) 0x80}) {
            for (int after = 0; after < 10; after++) {
                byte[] within = new byte[3 + bytes.length + after];
                Arrays.fill(within, around);
                System.arraycopy(bytes, 0, within, 3, bytes.length);
                LineBuffer line = new LineBuffer();
                line.line(within, 3, 3 + bytes.length);
                assertThat(line).hasToString(expected);
            }
        }
    }
}
