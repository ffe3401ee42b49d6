package io.millrace.internal.format;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.format.template.TemplateFormat;
import io.millrace.internal.record.TestDatagram;
import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TerminalFormatTest {
    private final JournalRecord record = new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false);

    private String written(String text) throws IOException {
        return written(new TerminalFormat(), text);
    }

    private String written(LineFormat format, String text) throws IOException {
        LineBuffer out = new LineBuffer();
        format.write(record.wrap(TestDatagram.of(text.getBytes(ISO_8859_1)).view(), "in", 0, 0), out);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        out.writeTo(bytes);
        return bytes.toString(UTF_8);
    }

    @Test
    void escapesControlCharacters() throws IOException {
        assertThat(written("<13>\033]52;c;aGk=\007 a\nb\r\n")).isEqualTo("<13>#033]52;c;aGk=#007 a#012b#015\n");
        assertThat(written("\u00c2\u009b31m")).isEqualTo("#23331m\n");
    }

    @Test
    void escapesDirectionAndLineBreakCharacters() throws IOException {
        int[] obeyed = {
            0x061c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068,
            0x2069
        };
        for (int character : obeyed) {
            String text = latin1("<13>a" + Character.toString(character) + "b");
            String number = Integer.toHexString(0x10000 + character).substring(1);
            assertThat(written(text)).isEqualTo("<13>a<U+" + number.toUpperCase(Locale.ROOT) + ">b\n");
            assertThat(written(new TerminalFormat(TemplateFormat.of("{message}")), text))
                    .isEqualTo("a<U+" + number.toUpperCase(Locale.ROOT) + ">b\n");
            assertThat(written(new TerminalFormat(new JsonFormat()), text))
                    .contains("\"message\":\"a\\u" + number + "b\"");
            assertThat(written(new JsonFormat(), text)).contains(Character.toString(character));
        }
        assertThat(written(new TerminalFormat(new RawFormat()), "<13>\033[31m\n"))
                .isEqualTo("<13>#033[31m\n");
        assertThat(written(latin1("<13>\u00e9 \u05d0 \u20ac \ud83d\ude00")))
                .isEqualTo("<13>\u00e9 \u05d0 \u20ac \ud83d\ude00\n");
    }

    /** The characters that stand for the bytes of UTF-8. */
    private static String latin1(String text) {
        return new String(text.getBytes(UTF_8), ISO_8859_1);
    }

    @Test
    void messageIsOneLine() throws IOException {
        assertThat(written("plain")).isEqualTo("plain\n");
        assertThat(written("plain\n")).isEqualTo("plain\n");
        assertThat(written("")).isEqualTo("\n");
        assertThat(written("\n")).isEqualTo("\n");
    }
}
