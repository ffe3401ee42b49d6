package io.millrace.internal.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.internal.format.template.TemplateFormat;
import io.millrace.internal.parse.ParsedMessage;
import io.millrace.internal.parse.Samples;
import io.millrace.internal.parse.SyslogParser;
import io.millrace.internal.record.TestDatagram;
import io.millrace.journal.DatagramView;
import io.millrace.message.InputRules;
import io.millrace.message.Kind;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.SyslogMessage.Field;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FormatsTest {
    private static final long RECEIVED_NS = 1_795_262_400_123_456_789L; // 2026-11-21T12:00:00.123456789Z

    private final SyslogParser parser = new SyslogParser(ZoneOffset.UTC);
    private final JournalRecord record = new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false);
    private final LineBuffer out = new LineBuffer();

    private String written(LineFormat format, JournalRecord of) throws IOException {
        format.write(of, out);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        out.writeTo(bytes);
        return bytes.toString(UTF_8);
    }

    private JournalRecord line(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return record.wrap(bytes, 0, bytes.length, RECEIVED_NS);
    }

    private static DatagramView from(String text) throws IOException {
        return TestDatagram.of(text)
                .at(RECEIVED_NS)
                .from(new byte[] {(byte) 192, 0, 2, 1}, 0, 514)
                .view();
    }

    @Test
    void rfc5424FillsInMissingFields() throws IOException {
        Rfc5424Format format = new Rfc5424Format();
        assertThat(written(format, line("just text")))
                .isEqualTo("<13>1 2026-11-21T12:00:00.123456Z - - - - - just text\n");
        assertThat(written(format, record.wrap(from("<34>su: failed"), "in", 0, 1)))
                .isEqualTo("<34>1 2026-11-21T12:00:00.123456Z 192.0.2.1 su - - - failed\n");
        assertThat(written(format, line("<13>Nov 21 10:00:00 h\u00e9 a[1]: two\nlines\u0007")))
                .isEqualTo("<13>1 2026-11-21T10:00:00Z h?? a 1 - - two#012lines#007\n");
        assertThat(written(format, line("<13>1 - h " + "a".repeat(60) + " - - -")))
                .isEqualTo("<13>1 2026-11-21T12:00:00.123456Z h " + "a".repeat(48) + " - - -\n");
    }

    /** Whatever a message came as: as RFC 5424 it says the same again. */
    @Test
    void rfc5424FormatIsAlwaysValid() throws IOException {
        ParsedMessage again = new ParsedMessage();
        for (byte[] sample : Samples.all()) {
            JournalRecord first = new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false)
                    .wrap(sample, 0, sample.length, RECEIVED_NS);
            byte[] line = written(new Rfc5424Format(), first).getBytes(UTF_8);
            parser.parse(line, 0, line.length, 0, again);
            String text = new String(line, UTF_8);
            assertThat(again.version()).as(text).isEqualTo(1);
            assertThat(again.facility()).as(text).isEqualTo(first.message().facility());
            assertThat(again.severity()).as(text).isEqualTo(first.message().severity());
            for (Field field : Field.values()) {
                boolean asWas = field != Field.MESSAGE || first.message().bytes() == sample;
                boolean inText = field == Field.MESSAGE || field == Field.STRUCTURED_DATA;
                if (asWas
                        && first.message().text(field).matches(inText ? "[ -~]*" : "[!-~]*")
                        && !first.message().text(field).isEmpty()) {
                    assertThat(again.text(field)).as("%s of %s", field, text).isEqualTo(rfc5424Text(first, field));
                }
            }
        }
    }

    private static String rfc5424Text(JournalRecord record, Field field) {
        String application = record.message().text(Field.APPNAME);
        boolean mnemonic =
                field == Field.MESSAGE && record.message().kind() == Kind.CISCO && application.startsWith("%");
        return (mnemonic ? application + ": " : "") + record.message().text(field);
    }

    /** The text of a device stays as programs know it. */
    @Test
    void rfc5424KeepsTheMnemonicInTheText() throws IOException {
        String built = "<166>Nov 21 2026 10:00:00 fw1 : %ASA-6-302026: Built";
        assertThat(written(new Rfc5424Format(), line(built)))
                .isEqualTo("<166>1 2026-11-21T10:00:00Z fw1 %ASA-6-302026 - - - %ASA-6-302026: Built\n");
        assertThat(written(new Rfc5424Format(false), line(built)))
                .isEqualTo("<166>1 2026-11-21T10:00:00Z fw1 %ASA-6-302026 - - - Built\n");
        assertThat(written(
                        new Rfc5424Format(),
                        line("<166>1 2026-11-21T10:00:00Z fw1 %ASA-6-302026 - - - %ASA-6-302026: Built")))
                .as("forwarded once more")
                .isEqualTo("<166>1 2026-11-21T10:00:00Z fw1 %ASA-6-302026 - - - %ASA-6-302026: Built\n");
        assertThat(written(
                        new Rfc5424Format(),
                        line("<189>1: RP/0/RSP0/CPU0:Nov 21 10:00:00 UTC: config[6]: %MGBL-SYS-5-CONFIG_I : x")))
                .isEqualTo("<189>1 2026-11-21T10:00:00Z RP/0/RSP0/CPU0 config 6 - - %MGBL-SYS-5-CONFIG_I : x\n");
    }

    @Test
    void logfmtQuotesValuesWhereNeeded() throws IOException {
        assertThat(written(new LogfmtFormat(), record.wrap(from("<13>Nov 21 10:00:00 h a: say \"hi\""), "edge", 1, 2)))
                .isEqualTo("timestamp=2026-11-21T10:00:00Z receive_time=2026-11-21T12:00:00.123456789Z facility=user"
                        + " severity=notice hostname=h appname=a message=\"say \\\"hi\\\"\" source_ip=192.0.2.1"
                        + " source_port=514 input=edge shard=1 sequence=2 parse=rfc3164 body=text\n");
    }

    @Test
    void templatesInsertFields() throws IOException {
        TemplateFormat format = TemplateFormat.of("{{{severity}}} {hostname} {msgid} \u00e4 {message}");
        assertThat(written(format, line("<13>Nov 21 10:00:00 h a: x\ny"))).isEqualTo("{notice} h - \u00e4 x#012y\n");
    }

    @Test
    void terminalCommandsAreEscaped() throws IOException {
        byte[] bytes = {
            '<', '1', '3', '>', 'a', (byte) 0xc2, (byte) 0x9b, 'J', 0x1b, (byte) 0xff, (byte) 0xc3, (byte) 0xa4
        };
        assertThat(written(TemplateFormat.of("{message}"), record.wrap(bytes, 0, bytes.length, RECEIVED_NS)))
                .isEqualTo("a#233J#033\ufffd\u00e4\n");
    }

    @Test
    void templateErrorsHaveTheColumn() {
        assertThatThrownBy(() -> TemplateFormat.of("{host}"))
                .hasMessageStartingWith(
                        "column 1 of the template: there is no field host; did you mean hostname?; there are timestamp ");
        assertThatThrownBy(() -> TemplateFormat.of("a {message"))
                .hasMessageStartingWith("column 3 of the template: a { without");
        assertThatThrownBy(() -> TemplateFormat.of("a }"))
                .hasMessageStartingWith("column 3 of the template: a } without");
    }
}
