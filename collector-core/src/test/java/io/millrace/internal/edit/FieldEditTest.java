package io.millrace.internal.edit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.internal.format.JournalRecord;
import io.millrace.internal.format.JsonFormat;
import io.millrace.internal.format.LogfmtFormat;
import io.millrace.internal.format.Rfc5424Format;
import io.millrace.internal.format.template.TemplateFormat;
import io.millrace.message.Edit;
import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldEditTest {
    private static final String HEAD = "<13>Nov 25 10:00:00 host app[7]: ";
    private static final String STRUCTURED =
            "<13>1 2026-11-25T10:00:00Z h a p m [id@1 user=\"ann\" x=\"1\"][a.b c.d=\"2\" user=\"joe\"] text";

    private static JournalRecord record(String message) {
        byte[] bytes = message.getBytes(UTF_8);
        return new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), true).wrap(bytes, 0, bytes.length, 0);
    }

    private static String line(String format, String message, MessageEdit... edits) {
        LineFormat to = switch (format) {
            case "json" -> new JsonFormat();
            case "logfmt" -> new LogfmtFormat();
            case "rfc5424" -> new Rfc5424Format();
            default -> TemplateFormat.of(format);
        };
        LineBuffer out = new LineBuffer();
        to.write(new Editor(List.of(edits), true).edit(record(message)), out);
        return new String(out.array(), 0, out.length() - 1, UTF_8);
    }

    private static String json(String message, MessageEdit... edits) {
        return line("json", message, edits);
    }

    @Test
    void setHeaderIsInEachFormat() {
        MessageEdit edit = SetField.of("hostname", "{hostname}-{appname}.example");
        assertThat(json(HEAD + "x", edit)).contains("\"hostname\":\"host-app.example\"");
        assertThat(line("logfmt", HEAD + "x", edit)).contains("hostname=host-app.example");
        assertThat(line("rfc5424", HEAD + "x", edit)).contains("Z host-app.example app 7 - - x");
        assertThat(line("{hostname}/{message}", HEAD + "x", edit)).isEqualTo("host-app.example/x");
    }

    /** The redaction takes the end of the JSON, and the rest would leave as text, with the field that was removed. */
    @Test
    void messageWhoseFormAnEditDestroysIsRefused() {
        String gelf = "{\"version\":\"1.1\",\"host\":\"h\",\"_pin\":\"1234\",\"short_message\":\"password=x\"}";
        MessageEdit remove = RemoveField.of("fields.pin");
        MessageEdit redact = Redaction.of("password=\\S+", "password=***", null);
        assertThat(json(gelf, remove)).contains("\"message\":\"password=x\"").doesNotContain("1234");
        for (List<Edit> edits : List.of(List.<Edit>of(remove, redact), List.<Edit>of(redact, remove))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Editor(edits, true).edit(record(gelf)))
                    .withMessageContaining("form of the message");
        }
    }

    @Test
    void tooManyFieldsStayTooManyWhenSomeAreRemoved() {
        StringBuilder many = new StringBuilder(HEAD);
        for (int i = 0; i < 1_100; i++) {
            many.append("a").append(i).append("=1 ");
        }
        many.append("secret=hunter2");
        List<Edit> edits = List.of(RemoveField.of("fields.a1"), Redaction.of(".+", "***", "fields.secret"));
        assertThatIllegalArgumentException().isThrownBy(() -> new Editor(edits, false).edit(record(many.toString())));
    }

    @Test
    void valueCannotHaveTheRawMessage() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SetField.of("message", "{raw}"))
                .withMessageContaining("cannot have {raw}");
    }

    @Test
    void bytesStillHaveWhatAnEditOfFieldsHasRemoved() {
        JournalRecord record = record(HEAD + "a=1");
        Editor remove = new Editor(List.of(RemoveField.of("fields.a")), true);
        JournalRecord edited = remove.edit(record);
        assertThat(new String(edited.bytes(), edited.begin(), edited.end() - edited.begin(), UTF_8))
                .contains("a=1");
        assertThat(remove.hasChangedFields()).isTrue();
        var unused = remove.edit(record(HEAD + "b=1"));
        assertThat(remove.hasChangedFields()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "hostname, a, {hostname}, a",
        "appname, {procid}, {appname}, 7",
        "procid, {msgid}, {procid}, -",
        "msgid, {{x}}, {msgid}, {x}",
        "severity, ERROR, {severity}, err",
        "severity, {fields.level}, {severity}, debug",
        "facility, {fields.facility}, {facility}, local4",
        "message, [{hostname}] {message}, {message}, [host] level=7 facility=20",
        "fields.new, {fields.level}/{severity}, {fields.new}, 7/notice",
        "fields.level, x, {fields.level}, x",
    })
    void setsEachField(String field, String to, String template, String expected) {
        assertThat(line(template, HEAD + "level=7 facility=20", SetField.of(field, to)))
                .isEqualTo(expected);
    }

    @Test
    void valuesInTheBodyAreSetRenamedAndRemoved() {
        String body = "{\"a\":{\"b\":1,\"c\":[2,3]},\"d\":null,\"e\":\"x\"}";
        assertThat(fields(body, SetField.of("fields.a.b", "y")))
                .isEqualTo("{\"a\":{\"b\":\"y\",\"c\":[2,3]},\"d\":null,\"e\":\"x\"}");
        assertThat(fields(body, SetField.of("fields.a.c", "y")))
                .isEqualTo("{\"a\":{\"b\":1,\"c\":\"y\"},\"d\":null,\"e\":\"x\"}");
        assertThat(fields(body, SetField.of("fields.a", "y"))).isEqualTo("{\"a\":\"y\",\"d\":null,\"e\":\"x\"}");
        assertThat(fields(body, SetField.of("fields.a.z", "y")))
                .isEqualTo("{\"a\":{\"b\":1,\"c\":[2,3],\"z\":\"y\"},\"d\":null,\"e\":\"x\"}");
        assertThat(fields(body, SetField.of("fields.n.z", "y")))
                .isEqualTo("{\"a\":{\"b\":1,\"c\":[2,3]},\"d\":null,\"e\":\"x\",\"n.z\":\"y\"}");
        assertThat(fields(body, RemoveField.of("fields.a"))).isEqualTo("{\"d\":null,\"e\":\"x\"}");
        assertThat(fields(body, RemoveField.of("fields.a.c"), RemoveField.of("fields.d")))
                .isEqualTo("{\"a\":{\"b\":1},\"e\":\"x\"}");
        assertThat(fields(body, RenameField.of("fields.a", "fields.e")))
                .isEqualTo("{\"e\":{\"b\":1,\"c\":[2,3]},\"d\":null}");
        assertThat(fields(body, RenameField.of("fields.a.c", "fields.c")))
                .isEqualTo("{\"a\":{\"b\":1},\"c\":[2,3],\"d\":null,\"e\":\"x\"}");
        assertThat(fields(body, RenameField.of("fields.none", "fields.e"))).isEqualTo(body);
    }

    private static String fields(String body, MessageEdit... edits) {
        String line = json(HEAD + body, edits);
        return line.substring(line.indexOf("\"fields\":") + 9, line.indexOf(",\"parse\""));
    }

    @Test
    void parametersOfStructuredDataAreRenamedAndRemoved() {
        assertThat(line("{structured_data}", STRUCTURED, RemoveField.of("sd.id@1.user")))
                .isEqualTo("[id@1 x=\"1\"][a.b c.d=\"2\" user=\"joe\"]");
        assertThat(line("{structured_data}", STRUCTURED, RemoveField.of("sd.a.b.c.d"), RemoveField.of("sd.a.b.user")))
                .isEqualTo("[id@1 user=\"ann\" x=\"1\"][a.b]");
        assertThat(line("{sd.id@1.who} {sd.id@1.user}", STRUCTURED, RenameField.of("sd.id@1.user", "sd.id@1.who")))
                .isEqualTo("ann -");
        assertThat(line("{structured_data}", STRUCTURED, RenameField.of("sd.id@1.user", "sd.id@1.x")))
                .isEqualTo("[id@1 x=\"ann\"][a.b c.d=\"2\" user=\"joe\"]");
        assertThat(line("{structured_data}", STRUCTURED, RenameField.of("sd.a.b.c.d", "sd.a.b.c.e")))
                .isEqualTo("[id@1 user=\"ann\" x=\"1\"][a.b c.e=\"2\" user=\"joe\"]");
    }

    @Test
    void removedHeaderIsAbsent() {
        String line = json(
                STRUCTURED,
                RemoveField.of("hostname"),
                RemoveField.of("appname"),
                RemoveField.of("procid"),
                RemoveField.of("msgid"),
                RemoveField.of("structured_data"),
                RemoveField.of("message"));
        assertThat(line).doesNotContain("hostname", "appname", "procid", "msgid", "structured_data", "message", "ann");
        assertThat(line("rfc5424", STRUCTURED, RemoveField.of("appname"), RemoveField.of("structured_data")))
                .isEqualTo("<13>1 2026-11-25T10:00:00Z h - p m - text");
    }

    /** What the body says stays when its text is replaced: so a message can consist of its fields alone. */
    @Test
    void fieldsAreThoseOfTheMessageThatCame() {
        assertThat(line("{message} {fields.user}", HEAD + "user=ann", SetField.of("message", "user=joe")))
                .isEqualTo("user=joe ann");
        assertThat(json(HEAD + "user=ann", RemoveField.of("message"))).contains("\"fields\":{\"user\":\"ann\"}");
    }

    @Test
    void redactionFindsWhatWasSet() {
        MessageEdit redact = Redaction.of("secret\\d", "***", null);
        assertThat(line(
                        "{hostname} {appname} {fields.a} {message}",
                        HEAD + "secret1 secret2 a=secret3",
                        SetField.of("hostname", "secret4-{fields.a}"),
                        SetField.of("fields.a", "[secret5]"),
                        SetField.of("appname", "secret6"),
                        redact))
                .isEqualTo("***-*** *** [***] *** *** a=***");
        assertThat(line(
                        "{hostname} {message}",
                        HEAD + "secret1",
                        SetField.of("hostname", "secret4"),
                        Redaction.of("secret", "x", "hostname")))
                .isEqualTo("x4 secret1");
        assertThat(line(
                        "{fields.b}",
                        HEAD + "a=secret1",
                        RenameField.of("fields.a", "fields.b"),
                        Redaction.of("secret", "x", "fields.b")))
                .isEqualTo("x1");
    }

    /** An edit of the bytes has the message parsed again, and what was removed before must not come back. */
    @Test
    void removedFieldDoesNotComeBack() {
        assertThat(json(
                        HEAD + "{\"pin\":1,\"card\":\"4111111111111111\"}",
                        RemoveField.of("fields.pin"),
                        RemoveField.of("message"),
                        RemoveField.of("hostname"),
                        Redaction.of(Edit.Preset.CARD_NUMBERS, null, null),
                        SetField.of("fields.x", "y")))
                .contains("\"fields\":{\"card\":\"***\",\"x\":\"y\"}")
                .doesNotContain("pin", "\"hostname\"", "\"message\"");
    }

    @Test
    void editsApplyInTheirOrder() {
        assertThat(line(
                        "{fields.b} {fields.a}",
                        HEAD + "a=1",
                        RenameField.of("fields.a", "fields.b"),
                        SetField.of("fields.a", "2"),
                        SetField.of("fields.b", "{fields.b}{fields.a}"),
                        SetField.of("hostname", "{fields.b}"),
                        RemoveField.of("fields.a")))
                .isEqualTo("12 -");
    }

    @Test
    void gelfWithEscapesIsEdited() {
        String gelf =
                "{\"version\":\"1.1\",\"host\":\"h\\u00fc\",\"short_message\":\"a\\/secret1\",\"_x\":\"secret2\"}";
        assertThat(json(gelf, SetField.of("appname", "app"), SetField.of("fields.y", "{hostname}")))
                .contains("\"hostname\":\"hü\"", "\"appname\":\"app\"", "\"message\":\"a/secret1\"")
                .contains("\"fields\":{\"x\":\"secret2\",\"y\":\"hü\"}");
        assertThat(json(
                        gelf,
                        SetField.of("hostname", "{message}"),
                        SetField.of("procid", "secret3"),
                        Redaction.of("secret", "?", null)))
                .contains("\"hostname\":\"a/?1\"", "\"procid\":\"?3\"", "\"message\":\"a/?1\"", "\"x\":\"?2\"");
        assertThat(json(gelf, SetField.of("procid", "p"), Redaction.of("secret", "?", "message")))
                .contains("\"procid\":\"p\"", "\"message\":\"a/?1\"", "\"x\":\"secret2\"");
    }

    @Test
    void messageIsTruncatedAtTheEndOfACharacter() {
        assertThat(line("{message}", HEAD + "aüäö", Truncation.of(null, 4))).isEqualTo("aü");
        assertThat(line("{message}", HEAD + "aüäö", Truncation.of(null, 5))).isEqualTo("aüä");
        assertThat(line("{message}", HEAD + "a😀b", Truncation.of("message", 4)))
                .isEqualTo("a");
        assertThat(line("{message}", HEAD + "abc", Truncation.of("message", 3))).isEqualTo("abc");
        assertThat(line("{hostname}", HEAD + "abc", Truncation.of("hostname", 2)))
                .isEqualTo("ho");
        assertThat(line("{message}", HEAD + "abc", SetField.of("message", "{message}ü"), Truncation.of(null, 4)))
                .isEqualTo("abc");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24})
    void truncatedGelfStaysJson(int bytes) {
        String text = "ü\\/\\\\\\ud83d\\ude00\\u00e4b\\\"";
        String gelf = "{\"version\":\"1.1\",\"host\":\"h\",\"short_message\":\"" + text + "\"}";
        String cut = json(gelf, Truncation.of(null, bytes));
        assertThat(cut).contains("\"parse\":\"gelf\"");
        String message = cut.replaceAll(".*\"message\":\"(.*)\",\"body\".*", "$1");
        assertThat("ü/\\\\😀äb\\\"").startsWith(message);
        assertThat(message.getBytes(UTF_8).length).isLessThanOrEqualTo(bytes);
    }

    @Test
    void unchangedMessageIsTheSameRecord() {
        JournalRecord record = record(HEAD + "a=1");
        List<Edit> edits = List.of(
                RemoveField.of("msgid"),
                RemoveField.of("fields.b"),
                RenameField.of("fields.b", "fields.c"),
                RenameField.of("sd.x.y", "sd.x.z"),
                RemoveField.of("sd.x.y"),
                Truncation.of(null, 100));
        assertThat(new Editor(edits, false).edit(record)).isSameAs(record);
    }

    /** The fields of one message must not be seen in the next. */
    @Test
    void editorIsReused() {
        Editor editor = new Editor(List.of(SetField.of("fields.n", "{fields.a}"), RemoveField.of("fields.a")), true);
        TemplateFormat format = TemplateFormat.of("{fields.n} {fields.a} {message}");
        for (String message : List.of("a=1", "no pairs", "a=" + "3".repeat(20_000), "a=4")) {
            LineBuffer out = new LineBuffer();
            format.write(editor.edit(record(HEAD + message)), out);
            String value = message.startsWith("a=") ? message.substring(2) : "-";
            assertThat(new String(out.array(), 0, out.length() - 1, UTF_8)).isEqualTo(value + " - " + message);
        }
    }

    @Test
    void whatCannotBeEditedIsAnError() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> json(HEAD + "x", SetField.of("severity", "{fields.level}")))
                .withMessage("to: severity accepts emerg, alert, crit, err, warning, notice, info, debug or 0 to 7");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> json(
                        HEAD + "x".repeat(600_000),
                        SetField.of("message", "{message}"),
                        SetField.of("fields.a", "{message}")))
                .withMessage("the edited message has more than 1048576 bytes");
        StringBuilder many = new StringBuilder(HEAD);
        for (int i = 0; i < 1024; i++) {
            many.append("k").append(i).append("=v ");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new Editor(List.of(SetField.of("fields.new", "x")), false).edit(record(many.toString())))
                .withMessage("it has no room for another field");
        assertThat(line("{fields.k3}", many.toString(), SetField.of("fields.k3", "x")))
                .isEqualTo("x");
    }

    @Test
    void defaultedNamesWhatIsNotSet() {
        assertThat(json("x", SetField.of("severity", "err"))).contains("\"defaulted\":[\"timestamp\",\"facility\"]");
        assertThat(json("x", SetField.of("facility", "mail")))
                .contains("\"facility\":\"mail\",\"severity\":\"notice\"")
                .contains("\"defaulted\":[\"timestamp\",\"severity\"]");
        assertThat(json("x", SetField.of("facility", "mail"), SetField.of("severity", "err")))
                .contains("\"defaulted\":[\"timestamp\"]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "set hostnam x | there is no field hostnam; did you mean hostname?",
                "set sd.a.b x | field accepts hostname, appname, procid, msgid, severity, facility, message, fields.NAME, not sd.a.b",
                "set source_ip x | field accepts hostname, appname, procid, msgid, severity, facility, message, fields.NAME, not source_ip",
                "set message {mesage} | column 1 of the template: there is no field mesage; did you mean message?",
                "set severity high | to: severity accepts emerg, alert",
                "set facility high | to: facility accepts a keyword such as auth, daemon or local0, or 0 to 23, not 'high'",
                "rename hostname fields.h | field accepts fields.NAME or sd.ID.NAME, not hostname",
                "rename fields.a b | to accepts fields.NAME for fields.a, not b",
                "rename fields.a sd.a.b | to accepts fields.NAME for fields.a, not sd.a.b",
                "rename fields.a fields.a | to accepts a name that is not in fields.a and does not contain it, not fields.a",
                "rename fields.a fields.a.b | to accepts a name that is not in fields.a",
                "rename fields.a.b fields.a | to accepts a name that is not in fields.a.b",
                "rename sd.a.b sd.c.b | to accepts sd.a.NAME for sd.a.b, not sd.c.b",
                "rename sd.a.b sd.a.x=y | to accepts sd.a.NAME for sd.a.b, not sd.a.x=y",
                "rename sd.a sd.b | field accepts sd.ID.NAME, not sd.a",
                "remove severity | field accepts hostname, appname, procid, msgid, structured_data, message, fields.NAME or sd.ID.NAME, not severity",
                "truncate raw | field accepts hostname, appname, procid, msgid, message, not raw",
                "truncate fields.a | field accepts hostname, appname, procid, msgid, message, not fields.a",
            })
    void errorsSayWhatWouldBeRight(String text, String message) {
        String[] words = text.split(" ", -1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> {
                    switch (words[0]) {
                        case "set" -> SetField.of(words[1], words[2]);
                        case "rename" -> RenameField.of(words[1], words[2]);
                        case "remove" -> RemoveField.of(words[1]);
                        default -> Truncation.of(words[1], 1);
                    }
                })
                .withMessageStartingWith(message);
    }
}
