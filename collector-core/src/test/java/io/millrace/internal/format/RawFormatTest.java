package io.millrace.internal.format;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestSeed;
import io.millrace.internal.record.TestDatagram;
import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RawFormatTest {
    private final RawFormat format = new RawFormat();
    private final JournalRecord record = new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false);
    private final LineBuffer out = new LineBuffer();

    @Test
    void addsAMissingLineFeed() throws IOException {
        assertThat(written("abc")).isEqualTo("abc\n");
        assertThat(written("abc\n")).isEqualTo("abc\n");
        assertThat(written("abc\n\n")).isEqualTo("abc\n\n");
        assertThat(written("a\nb")).isEqualTo("a\nb\n");
        assertThat(written("abc\r")).isEqualTo("abc\r\n");
        assertThat(written("abc\0")).isEqualTo("abc\0\n");
        assertThat(written("")).isEqualTo("\n");
        assertThat(written("\n")).isEqualTo("\n");
    }

    @Test
    void writesBytesUnchanged() throws IOException {
        Random random = TestSeed.random(RawFormatTest.class);
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 300; i++) {
            byte[] payload = new byte[random.nextInt(i % 50 == 0 ? TestDatagram.MAX_PAYLOAD : 400)];
            random.nextBytes(payload);
            format.write(record.wrap(TestDatagram.of(payload).view(), "in", 0, i), out);
            String text = new String(payload, ISO_8859_1);
            expected.append(text).append(text.endsWith("\n") ? "" : "\n");
        }
        assertThat(out.length()).isEqualTo(expected.length());
        assertThat(take()).isEqualTo(expected.toString());
    }

    private String written(String text) throws IOException {
        format.write(record.wrap(TestDatagram.of(text.getBytes(ISO_8859_1)).view(), "in", 0, 0), out);
        return take();
    }

    private String take() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        out.writeTo(bytes);
        return bytes.toString(ISO_8859_1);
    }
}
