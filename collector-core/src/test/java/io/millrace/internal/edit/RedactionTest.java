package io.millrace.internal.edit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.millrace.internal.format.JournalRecord;
import io.millrace.message.Edit;
import io.millrace.message.InputRules;
import io.millrace.message.RecordField;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedactionTest {
    private static final String HEAD = "<13>Nov 25 10:00:00 host app[7]: ";

    private static JournalRecord record(String message) {
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        return new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false)
                .wrap(bytes, 0, bytes.length, 0);
    }

    private static String edited(String message, Redaction... edits) {
        JournalRecord record = new Editor(List.of(edits), false).edit(record(message));
        return new String(record.bytes(), record.begin(), record.end() - record.begin(), StandardCharsets.UTF_8);
    }

    @Test
    void replacesEachMatchInTheWholeMessage() {
        Redaction digits = Redaction.of("\\d+", "#", null);
        assertThat(edited(HEAD + "a 12 b 345", digits)).isEqualTo("<#>Nov # #:#:# host app[#]: a # b #");
    }

    @Test
    void replacesWithinAFieldOnly() {
        assertThat(edited(HEAD + "a 12 b 345", Redaction.of("\\d+", "#", "message")))
                .isEqualTo(HEAD + "a # b #");
        assertThat(edited(HEAD + "x", Redaction.of(".+", "h", "hostname")))
                .isEqualTo("<13>Nov 25 10:00:00 h app[7]: x");
        assertThat(edited(HEAD + "user=joe action=deny user=ann", Redaction.of(".*", "?", "fields.user")))
                .isEqualTo(HEAD + "user=? action=deny user=?");
        assertThat(edited(HEAD + "{\"a\":{\"key\":\"s\\\"x\"},\"key\":\"t\"}", Redaction.of(".+", "?", "fields.a.key")))
                .isEqualTo(HEAD + "{\"a\":{\"key\":\"?\"},\"key\":\"t\"}");
        assertThat(edited(
                        "<13>1 2026-11-25T10:00:00Z h a - - [id@1 token=\"abc\" x=\"abc\"] abc",
                        Redaction.of("abc", "?", "sd.id@1.token")))
                .isEqualTo("<13>1 2026-11-25T10:00:00Z h a - - [id@1 token=\"?\" x=\"abc\"] abc");
    }

    @Test
    void replacementHasGroupsOfTheMatch() {
        assertThat(edited(HEAD + "user=joe pin=1234", Redaction.of("(pin)=(\\d)\\d*", "$1=$2 $$", null)))
                .isEqualTo(HEAD + "user=joe pin=1 $");
        assertThat(edited(HEAD + "ab", Redaction.of("a(x)?b", "<$1>", null))).isEqualTo(HEAD + "<>");
    }

    @Test
    void editsApplyInTheirOrderAndToTheirResult() {
        assertThat(edited(HEAD + "one", Redaction.of("one", "two", null), Redaction.of("two", "three", null)))
                .isEqualTo(HEAD + "three");
        assertThat(edited(HEAD + "one", Redaction.of("two", "three", null), Redaction.of("one", "two", null)))
                .isEqualTo(HEAD + "two");
    }

    @Test
    void unchangedMessageIsTheSameRecord() {
        JournalRecord record = record(HEAD + "nothing");
        assertThat(new Editor(List.of(Redaction.of("x+y", "", null)), false).edit(record))
                .isSameAs(record);
    }

    @Test
    void editedMessageIsParsedAgain() {
        JournalRecord record =
                new Editor(List.of(Redaction.of("host", "other", "hostname")), false).edit(record(HEAD + "host"));
        assertThat(new String(
                        RecordField.HOSTNAME.bytes(record),
                        RecordField.HOSTNAME.begin(record),
                        RecordField.HOSTNAME.end(record) - RecordField.HOSTNAME.begin(record),
                        StandardCharsets.UTF_8))
                .isEqualTo("other");
    }

    @Test
    void bytesThatAreNoUtf8Stay() {
        byte[] bytes = {(byte) 0xff, 'p', '=', '1', (byte) 0xc3, 'p', '=', '2'};
        JournalRecord record = new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false)
                .wrap(bytes, 0, bytes.length, 0);
        JournalRecord edited = new Editor(List.of(Redaction.of("p=\\d", "X", null)), false).edit(record);
        assertThat(Arrays.copyOfRange(edited.bytes(), edited.begin(), edited.end()))
                .containsExactly(0xff, 'X', 0xc3, 'X');
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return compressed.toByteArray();
    }

    @Test
    void compressedMessageIsEditedExpanded() throws IOException {
        String gelf = "{\"version\":\"1.1\",\"host\":\"h\",\"short_message\":\"pin=1234\",\"_pin\":\"1234\"}";
        byte[] bytes = gzip(gelf);
        JournalRecord record = new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false)
                .wrap(bytes, 0, bytes.length, 0);
        JournalRecord edited = new Editor(List.of(Redaction.of("1234", "?", null)), false).edit(record);
        assertThat(new String(edited.bytes(), edited.begin(), edited.end() - edited.begin(), StandardCharsets.UTF_8))
                .isEqualTo(gelf.replace("1234", "?"));
        JournalRecord field = new Editor(List.of(Redaction.of("1234", "?", "fields.pin")), false).edit(record);
        assertThat(new String(field.bytes(), field.begin(), field.end() - field.begin(), StandardCharsets.UTF_8))
                .isEqualTo(gelf.replace("\"1234\"", "\"?\""));
        assertThat(new Editor(List.of(Redaction.of("x", "?", null)), false).edit(record))
                .isSameAs(record);
        byte[] escaped = gzip(gelf.replace("pin=", "\\u00fc pin="));
        JournalRecord again = new Editor(List.of(Redaction.of("1234", "?", null)), false)
                .edit(new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false)
                        .wrap(escaped, 0, escaped.length, 0));
        assertThat(new String(again.bytes(), again.begin(), again.end() - again.begin(), StandardCharsets.UTF_8))
                .isEqualTo(gelf.replace("pin=", "\\u00fc pin=").replace("1234", "?"));
        byte[] damaged = Arrays.copyOf(bytes, bytes.length - 12);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Editor(List.of(Redaction.of("x", "?", null)), false)
                        .edit(new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false)
                                .wrap(damaged, 0, damaged.length, 0)))
                .withMessageContaining("it is compressed and cannot be expanded");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "login password=hunter2 ok | login password=*** ok",
                "db_Password: 'hunter2', user | db_Password: '***', user",
                "{\"api_key\":\"abc\",\"x\":1} | {\"api_key\":\"***\",\"x\":1}",
                "GET /?token=abc&x=1 | GET /?token=***&x=1",
                "Authorization: Bearer abc.def | Authorization: ***",
                "{\"Authorization\":\"ApiKey abc def\",\"x\":1} | {\"Authorization\":\"***\",\"x\":1}",
                "password=\"correct horse battery\" user=x | password=\"***\" user=x",
                "{\"password\":\"a,b \\\"c\",\"x\":1} | {\"password\":\"***\",\"x\":1}",
                "{\"log\":\"{\\\"password\\\":\\\"hunter2\\\"}\"} | {\"log\":\"{\\\"password\\\":\\\"***\\\"}\"}",
                "the secret is safe | the secret is safe",
                "{\"password\": 123456789,\"user\":\"ann\"} | {\"password\": \"***\",\"user\":\"ann\"}",
                "{\"password\":null,\"tokens\":[1]} | {\"password\":\"***\",\"tokens\":[1]}",
                "{\"password\": [\"a\",\"b\"]} | {\"password\": [\"a\",\"b\"]}",
                "GET https://ann:hunter2@host/ x | GET https://ann:***@host/ x",
                "password='a b' psk=x | password='***' psk=***",
                "monkey=banana | monkey=banana",
            })
    void secretsPreset(String message, String expected) {
        assertThat(edited(HEAD + message, Redaction.of(Edit.Preset.SECRETS, null, null)))
                .isEqualTo(HEAD + expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "paid with 4111 1111 1111 1111 today | paid with *** today",
                "paid with 4111-1111-1111-1111 today | paid with *** today",
                "card 378282246310005. | card ***.",
                "4111111111111111 12/27 | *** 12/27",
                "4111 1111 1111 1111 123 | *** 123",
                "item 7 4111 1111 1111 1111. | item 7 ***.",
                "card_4111111111111111_x | card_***_x",
                "order 4111111111111112 | order 4111111111111112",
                "id 12345678901234567890123 | id 12345678901234567890123",
            })
    void cardNumbersPreset(String message, String expected) {
        assertThat(edited(HEAD + message, Redaction.of(Edit.Preset.CARD_NUMBERS, null, null)))
                .isEqualTo(HEAD + expected);
    }

    @Test
    void emailAddressesPreset() {
        assertThat(edited(
                        HEAD + "mail from <joe.doe+x@mail.example.com> to ann@example.org",
                        Redaction.of(Edit.Preset.EMAIL_ADDRESSES, "(mail)", "message")))
                .isEqualTo(HEAD + "mail from <(mail)> to (mail)");
    }

    @Test
    void expressionThatMakesOthersBacktrackTakesLinearTime() {
        String message = HEAD + "a".repeat(64 << 10) + "!";
        Redaction redaction = Redaction.of("(a+)+$", "", null);
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> assertThat(edited(message, redaction)).isEqualTo(message));
    }

    @Test
    void messageThatGrowsTooLongIsRefused() {
        String message = HEAD + "a".repeat(8_000);
        Redaction redaction = Redaction.of("a", "b".repeat(200), null);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> edited(message, redaction))
                .withMessage("the edited message has more than 1048576 bytes");
    }

    @Test
    void patternThatMatchesTooOftenIsRefusedInBoundedTime() {
        String message = HEAD + "a".repeat(64 << 10);
        Redaction redaction = Redaction.of("a.*b|a", "x", null);
        assertTimeoutPreemptively(
                Duration.ofSeconds(60),
                () -> assertThatIllegalArgumentException()
                        .isThrownBy(() -> edited(message, redaction))
                        .withMessage("a pattern matches too often in a message of this length"));
    }

    @Test
    void latin1BytesHideNothing() {
        byte[] bytes = "Zugriff f\u00fcr token=abc123".getBytes(StandardCharsets.ISO_8859_1);
        JournalRecord record = new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false)
                .wrap(bytes, 0, bytes.length, 0);
        JournalRecord edited = new Editor(List.of(Redaction.of(Edit.Preset.SECRETS, null, null)), false).edit(record);
        assertThat(new String(
                        edited.bytes(), edited.begin(), edited.end() - edited.begin(), StandardCharsets.ISO_8859_1))
                .isEqualTo("Zugriff f\u00fcr token=***");
    }

    @Test
    void withoutEditsNothingIsRefused() {
        byte[] bytes = {0x1f, (byte) 0x8b, 8, 0, 1, 2, 3};
        JournalRecord record = new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false)
                .wrap(bytes, 0, bytes.length, 0);
        assertThat(new Editor(List.of(), false).edit(record)).isSameAs(record);
    }

    @Test
    void chunkOfAMessageIsRefused() {
        byte[] bytes = {0x1e, 0x0f, 1, 2, 3, 4, 5, 6, 7, 8, 0, 2, 'x'};
        JournalRecord record = new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false)
                .wrap(bytes, 0, bytes.length, 0);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Editor(List.of(Redaction.of("x", "?", null)), false).edit(record))
                .withMessageContaining("other chunks are missing");
    }

    @Test
    void fieldThatCannotBeFoundIsRefused() {
        String gelf = "{\"version\":\"1.1\",\"host\":\"h\",\"short_message\":\"a\\tpin=1\"}";
        assertThat(edited(gelf, Redaction.of("pin=1", "?", "message"))).isEqualTo(gelf.replace("pin=1", "?"));
        assertThat(edited(gelf, Redaction.of("pin=1", "?", null))).isEqualTo(gelf.replace("pin=1", "?"));
        String many = HEAD + "a=1 ".repeat(2000) + "pin=1";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> edited(many, Redaction.of(".+", "?", "fields.pin")))
                .withMessageContaining("1024 fields or more");
    }

    @Test
    void invalidSettingsAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Redaction.of("(a", "x", null))
                .withMessageContaining("RE2 syntax");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Redaction.of("(a)", "$2", null))
                .withMessage("with accepts $0 to $1 for the groups of the pattern, and $$ for a dollar sign, not '$2'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Redaction.of("a", "x", "host"))
                .withMessageContaining("there is no field host; did you mean hostname?");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Redaction.of("a", "x", "severity"))
                .withMessageStartingWith("severity is no part of the message's text; field accepts raw, hostname");
    }

    /** What must be there is only a faster way to see that nothing matches. */
    @Test
    void requiredTextChangesNoResult() {
        long seed = Long.getLong("millrace.test.seed", System.nanoTime());
        Random random = new Random(seed);
        String[] atoms = {
            "a", "b", "ab", "a*", "b+", "c?", "[ab]", "(?:ab|c)", "(c)", "\\.", ".", "\\d", "a{2}", "^", "$", "[^]a]"
        };
        for (int i = 0; i < 20_000; i++) {
            StringBuilder expression = new StringBuilder(random.nextInt(8) == 0 ? "(?i)" : "");
            for (int n = random.nextInt(6); n >= 0; n--) {
                expression.append(atoms[random.nextInt(atoms.length)]);
                expression.append(random.nextInt(12) == 0 ? "|" : "");
            }
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(12); n > 0; n--) {
                text.append("abcAB.1]\t_".charAt(random.nextInt(10)));
            }
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            if (io.millrace.internal.filter.Regex.pattern(expression.toString())
                    .matcher(bytes)
                    .find()) {
                assertThat(RequiredText.of(expression.toString()).test(bytes, 0, bytes.length))
                        .describedAs("seed %d: '%s' in '%s'", seed, expression, text)
                        .isTrue();
            }
        }
    }

    @Test
    void cardNumbersAreSoughtExactlyWhereTheExpressionMatches() {
        long seed = Long.getLong("millrace.test.seed", System.nanoTime());
        System.err.println("RedactionTest: seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            byte[] text = new byte[random.nextInt(40)];
            for (int at = 0; at < text.length; at++) {
                text[at] = (byte) "0123456789 -x".charAt(random.nextInt(random.nextBoolean() ? 10 : 13));
            }
            assertThat(PresetSearch.CARD_NUMBERS.mayMatch(text, 0, text.length))
                    .as(new String(text, US_ASCII))
                    .isEqualTo(PresetSearch.CARD_NUMBERS.pattern().matcher(text).find());
        }
    }
}
