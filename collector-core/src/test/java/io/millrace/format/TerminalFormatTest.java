package io.millrace.format;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.parse.SyslogParser;
import io.millrace.record.TestDatagram;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class TerminalFormatTest {
    private final LogRecord record = new LogRecord(new SyslogParser(ZoneOffset.UTC));

    private String written(String text) throws IOException {
        LineBuffer out = new LineBuffer();
        new TerminalFormat()
                .write(record.wrap(TestDatagram.of(text.getBytes(ISO_8859_1)).view(), "in", 0, 0), out);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        out.writeTo(bytes);
        return bytes.toString(UTF_8);
    }

    @Test
    void aMessageGivesTheTerminalNoCommands() throws IOException {
        assertThat(written("<13>\033]52;c;aGk=\007 a\nb\r\n")).isEqualTo("<13>#033]52;c;aGk=#007 a#012b#015\n");
        assertThat(written("\u00c2\u009b31m")).isEqualTo("#23331m\n");
    }

    @Test
    void aMessageIsALine() throws IOException {
        assertThat(written("plain")).isEqualTo("plain\n");
        assertThat(written("plain\n")).isEqualTo("plain\n");
        assertThat(written("")).isEqualTo("\n");
        assertThat(written("\n")).isEqualTo("\n");
    }
}
