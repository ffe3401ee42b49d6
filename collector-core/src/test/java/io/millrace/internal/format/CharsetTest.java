package io.millrace.internal.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.millrace.internal.edit.Editor;
import io.millrace.internal.edit.Redaction;
import io.millrace.internal.format.template.TemplateFormat;
import io.millrace.internal.gelf.Expander;
import io.millrace.internal.record.TestDatagram;
import io.millrace.internal.reduce.Repeats;
import io.millrace.message.Filter;
import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.SyslogMessage.Field;
import io.millrace.message.TextCharset;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages that are not UTF-8: the bytes stay as they came, and what is made of them is UTF-8. */
class CharsetTest {
    private static final String HEAD = "<14>Nov 21 10:00:00 h app: ";

    private static InputRules rules(String charset) {
        TextCharset found = TextCharset.of(charset);
        assertThat(found).isNotNull();
        return new InputRules(ZoneOffset.UTC, false, Expander.DEFAULT_BYTES, found == null ? TextCharset.UTF_8 : found);
    }

    private static byte[] message(byte[] text) {
        byte[] all = (HEAD + "?".repeat(text.length)).getBytes(UTF_8);
        System.arraycopy(text, 0, all, all.length - text.length, text.length);
        return all;
    }

    private static JournalRecord record(String charset, byte[] bytes) {
        return new JournalRecord(rules(charset), Map.of(), true).wrap(bytes, 0, bytes.length, 0);
    }

    private static byte[] written(LineFormat format, JournalRecord record) throws IOException {
        LineBuffer out = new LineBuffer();
        format.write(record, out);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        out.writeTo(bytes);
        return bytes.toByteArray();
    }

    @ParameterizedTest
    @CsvSource({
        "utf-8, c3a4, ä",
        "utf-8, e4, \ufffd",
        "auto, c3a4, ä",
        "auto, e4, ä",
        "auto, 80e4, €ä",
        "auto, 81, #201",
        "auto, c3a4e478, Ã¤äx",
        // A datagram that was truncated within its last character, and Latin-1 with such a byte at its end.
        "auto, c3a4c3, ä\ufffd",
        "auto, 636166e9, café",
        "latin-1, e4, ä",
        "latin-1, c3a4, Ã¤",
        "ISO-8859-15, a4, €",
        "windows-1252, 80, €",
        "windows-1251, cff0e8e2e5f2, Привет",
        "koi8-r, f0d2c9d7c5d4, Привет",
        "gbk, c4e3bac3, 你好",
        "gb18030, 9439fc38, 😂",
        "gbk, c4, \ufffd",
        "big5, a741a66e, 你好",
        "shift_jis, 93fa967b, 日本",
        "euc-jp, c6fccbdc, 日本",
        "euc-kr, c7d1b1db, 한글",
        "utf-16le, e400, ä",
    })
    void textIsConverted(String charset, String hex, String expected) throws IOException {
        byte[] text = HexFormat.of().parseHex(hex);
        byte[] bytes = charset.startsWith("utf-16") ? (HEAD + "ä").getBytes(Charset.forName(charset)) : message(text);
        JournalRecord record = record(charset, bytes);
        assertThat(new String(written(TemplateFormat.of("{hostname} {message}"), record), UTF_8))
                .isEqualTo("h " + expected + "\n");
        assertThat(new String(written(new Rfc5424Format(), record), UTF_8)).contains(" h app - - - " + expected);
        byte[] raw = written(new RawFormat(), record);
        assertThat(raw).startsWith(bytes).hasSize(bytes.length + 1);
    }

    @Test
    void headerAndFieldsAreConverted() throws IOException {
        byte[] bytes = "<14>Nov 21 10:00:00 büro app[7]: user=\"Jörg\" {x}".getBytes(Charset.forName("latin1"));
        String json = new String(written(new JsonFormat(), record("auto", bytes)), UTF_8);
        assertThat(json).contains("\"hostname\":\"büro\"").contains("\"fields\":{\"user\":\"Jörg\"}");
    }

    @Test
    void rulesAreThoseOfTheInput() {
        byte[] bytes = message(new byte[] {(byte) 0xe4});
        JournalRecord record = new JournalRecord(rules("utf-8"), Map.of("old", rules("latin-1")), false);
        LineBuffer out = new LineBuffer();
        TemplateFormat format = TemplateFormat.of("{message}");
        for (String input : List.of("old", "new", "old")) {
            format.write(record.wrap(TestDatagram.of(bytes).view(), input, 0, 1), out);
        }
        assertThat(out.toString()).isEqualTo("ä\n\ufffd\nä\n");
    }

    @Test
    void filtersAndEditsWorkOnTheConvertedText() {
        byte[] bytes = message("geheim: Müller".getBytes(Charset.forName("latin1")));
        JournalRecord record = record("latin-1", bytes);
        assertThat(Filter.compile("message == \"geheim: Müller\"").matches(record))
                .isTrue();
        assertThat(Filter.compile("message matches \"M.ller$\"").matches(record))
                .isTrue();
        JournalRecord edited = new Editor(List.of(Redaction.of("geheim", "grün", "message")), true).edit(record);
        assertThat(new String(edited.bytes(), edited.begin(), edited.end() - edited.begin(), UTF_8))
                .isEqualTo(HEAD + "grün: Müller");
        assertThat(edited.message().text(Field.MESSAGE)).isEqualTo("grün: Müller");
    }

    @Test
    void unchangedEditKeepsTheBytes() {
        byte[] bytes = message(new byte[] {(byte) 0xe4});
        JournalRecord record = record("auto", bytes);
        assertThat(new Editor(List.of(Redaction.of("absent", "x", "message")), true).edit(record))
                .isSameAs(record);
    }

    @Test
    void repeatsAreFound() {
        InputRules rules = rules("auto");
        Repeats repeats = new Repeats(Duration.ofMinutes(1), () -> new JournalRecord(rules, Map.of(), false));
        JournalRecord record = new JournalRecord(rules, Map.of(), false);
        byte[] bytes = message(new byte[] {(byte) 0xe4});
        boolean first = repeats.add(record.wrap(TestDatagram.of(bytes).view(), "in", 0, 1));
        boolean second = repeats.add(record.wrap(TestDatagram.of(bytes).view(), "in", 0, 2));
        assertThat(first).isFalse();
        assertThat(second).isTrue();
        @Nullable JournalRecord summary = repeats.summary(Long.MAX_VALUE);
        assertThat(summary).isNotNull();
        LineBuffer out = new LineBuffer();
        if (summary != null) {
            TemplateFormat.of("{hostname} {appname}: {message}").write(summary, out);
        }
        assertThat(out.toString()).isEqualTo("h app: last message repeated 1 time\n");
    }

    @Test
    void unknownCharsetIsNone() {
        assertThat(TextCharset.of("nope")).isNull();
        assertThat(TextCharset.of("a b")).isNull();
        assertThat(TextCharset.of("GBK")).isEqualTo(TextCharset.of("gbk"));
    }

    @ParameterizedTest
    @CsvSource({"auto, e4", "gbk, c4e3bac3", "shift_jis, 93fa967b"})
    void convertingAllocatesNothing(String charset, String hex) {
        byte[] bytes = message(HexFormat.of().parseHex(hex));
        JournalRecord record = new JournalRecord(rules(charset), Map.of(), false);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        long before = 0;
        int rounds = 20_000;
        for (int round = -rounds; round < rounds; round++) {
            if (round == 0) {
                before = threads.getThreadAllocatedBytes(self);
            }
            record.wrap(bytes, 0, bytes.length, 0).message();
        }
        assertThat((double) (threads.getThreadAllocatedBytes(self) - before) / rounds)
                .as("bytes per message")
                .isLessThan(1);
    }
}
