package io.millrace.internal.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestSeed;
import io.millrace.internal.record.TestDatagram;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SequenceNumberFinderTest {
    private final SequenceNumberFinder finder = new SequenceNumberFinder();

    private final SequenceNumber found = new SequenceNumber();

    private @Nullable NumberingScheme find(String text) {
        finder.find(TestDatagram.of(text).view(), found);
        return found.scheme;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<189>123: *Mar  1 18:46:11.123: %SYS-5-CONFIG_I: Configured|123",
                "<189>: 2022 Jan  1 00:00:00|none",
                "<9>1: x|1",
                "<189>000045: 000046: host: %A-5-B: x|45",
                "<189>: 77: x|77",
                "<189>123 : x|none",
                "<189>123:x|none",
                "<189>1234567890123: x|none",
                "<189>123:|none",
            })
    void numberOfCiscoIsTheFirst(String text, String number) {
        boolean isFound = find(text) == NumberingScheme.CISCO;
        assertThat(isFound ? Long.toString(found.number) : "none").isEqualTo(number);
    }

    /** Each byte at each place between right digits, and random numbers. */
    @Test
    void hexadecimalDigitsAreParsedAllAtOnce() {
        for (int place = 0; place < Long.BYTES; place++) {
            for (int c = 0; c < 256; c++) {
                String digits = "0123abcf".substring(0, place) + (char) c + "0123abcf".substring(place + 1);
                long expected = "0123456789abcdef".indexOf(c) < 0 ? -1 : Long.parseLong(digits, 16);
                assertThat(SequenceNumberFinder.hex(word(digits))).as(digits).isEqualTo(expected);
            }
        }
        Random random = TestSeed.random(SequenceNumberFinderTest.class);
        for (int i = 0; i < 10_000; i++) {
            long number = random.nextInt() & 0xffff_ffffL;
            assertThat(SequenceNumberFinder.hex(word(String.format(Locale.ROOT, "%08x", number))))
                    .isEqualTo(number);
        }
    }

    private static long word(String latin1) {
        return ByteBuffer.wrap(latin1.getBytes(StandardCharsets.ISO_8859_1))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "<165>1 - h a p i [meta sequenceId=\"29\"] x|29",
                "<165>1 2003-10-11T22:14:15.003Z h a - - [x@1 a=\"b]\\\"c\" d=\"\"][meta ip=\"1\" sequenceId=\"2147483647\" l=\"en\"]|2147483647",
                "<165>1 - h a p i [meta sequenceId=\"0\"] x|none",
                "<165>1 - h a p i [meta sequenceId=\"2147483648\"] x|none",
                "<165>1 - h a p i [meta@1 sequenceId=\"3\"] x|none",
                "<165>1 - h a p i [metal sequenceId=\"3\"] x|none",
                "<165>1 - h a p i [meta xsequenceId=\"3\"] x|none",
                "<165>1 - h a p i [meta sequenceId=\"3x\"] x|none",
                "<165>1 - h a p i [meta sequenceId=\"3|none",
                "<165>1 - h a p i - [meta sequenceId=\"3\"]|none",
                "<165>1 - h a p i|none",
                "<165>1 |none",
            })
    void numberOfRfc5424IsInItsElementMeta(String text, String number) {
        boolean isFound = find(text) == NumberingScheme.HOST;
        assertThat(isFound ? Long.toString(found.number) : "none").isEqualTo(number);
    }

    @Test
    void hostsAndProgramsHaveDifferentKeys() {
        long[] first = keys("one", "a");
        long[] second = keys("one", "b");
        long[] third = keys("two", "a");
        assertThat(keys("one", "a")).isEqualTo(first);
        assertThat(second[0]).isEqualTo(first[0]);
        assertThat(third[0]).isNotEqualTo(first[0]);
        assertThat(new long[] {second[1], third[1]}).doesNotContain(first[1]).doesNotHaveDuplicates();
    }

    private long[] keys(String host, String program) {
        assertThat(find("<1>1 - " + host + " " + program + " 1 - [meta sequenceId=\"1\"]"))
                .isEqualTo(NumberingScheme.HOST);
        return new long[] {found.key, found.programKey};
    }

    @Test
    void numberOfTheSenderIsFound() {
        assertThat(find("6f1d2c3b 0000a 0000002a 5a5a5a5a abcdef")).isEqualTo(NumberingScheme.SENDER);
        assertThat(found.number).isEqualTo(42);
        assertThat(found.key).isEqualTo(0x6f1d2c3bL << 20 | 10);
        assertThat(find("6f1d2c3b 0000a 0000002a 5a5a5a5a")).isEqualTo(NumberingScheme.SENDER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<",
                "<>",
                "<1>",
                "<1>1",
                "<1234>1: x",
                "<13>Mar  1 00:00:00 host app: 123: x",
                "123: x",
                "6f1d2c3b 0000a 0000002a 5a5a5a5aabcdef",
                "6F1D2C3B 0000a 0000002a 5a5a5a5a",
                "6f1d2c3b 0000a 0000002a 5a5a5a5"
            })
    void textWithoutANumberHasNone(String text) {
        assertThat(find(text)).isNull();
    }

    @Test
    void randomBytesDoNotThrow() {
        Random random = TestSeed.random(SequenceNumberFinderTest.class);
        String letters = "<>0123456789 : [meta sequenceId=\"\\]x";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder(random.nextBoolean() ? "<1>1 - h a - - [meta " : "<1>");
            int length = random.nextInt(i % 100 == 0 ? 2000 : 60);
            for (int k = 0; k < length; k++) {
                text.append(letters.charAt(random.nextInt(letters.length())));
            }
            NumberingScheme scheme = find(text.toString());
            assertThat(scheme == null || scheme.has(found.number)).isTrue();
        }
    }
}
