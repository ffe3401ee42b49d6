package io.millrace.sender.payload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What the made-up messages look like. */
class PayloadPatternTest {
    private static final int RUN = 0xbeef;
    /** 2026-11-01T09:08:07.123456Z: a day that RFC 3164 pads with a space. */
    private static final long NOW = 1_793_524_087_123_456L;

    private static final String IDENTITY = "0000beef [0-9a-f]{5} [0-9a-f]{8} [0-9a-f]{8}";
    private static final String RFC5424 =
            "<(\\d|[1-9]\\d|1[0-8]\\d|19[01])>1 2026-11-01T09:08:07Z [!-~]{1,255} [!-~]{1,48} [!-~]{1,128} [!-~]{1,32}"
                    + " (-|\\[id@32473 n=\"\\d\"]) " + IDENTITY + "( [ -~]*)?";
    private static final String RFC3164 =
            "<(\\d|[1-9]\\d|1[0-8]\\d|19[01])>Nov  1 09:08:07 [a-z0-9-]+ [a-z]+\\[\\d+]: " + IDENTITY + "( [ -~]*)?";
    private static final String CISCO =
            "<1(8[4-9]|9[01])>\\d+: \\*Nov  1 09:08:07: %[A-Z]+-\\d-[A-Z0-9_]+: " + IDENTITY + "( [ -~]*)?";

    private static List<String> make(PayloadPattern pattern, @Nullable PayloadSizes sizes, long seed) {
        Payloads payloads = pattern.payloads(sizes, seed, RUN);
        List<String> made = new ArrayList<>();
        ByteBuffer buffer = ByteBuffer.allocateDirect(payloads.maxBytes() + 3);
        for (int n = 0; n < 500; n++) {
            int length = payloads.put(buffer, 3, n, n % 7, n / 7, NOW);
            byte[] bytes = new byte[length];
            buffer.get(3, bytes);
            made.add(new String(bytes, ISO_8859_1));
        }
        return made;
    }

    @Test
    void patternsHaveTheirFormats() {
        assertThat(make(PayloadPattern.RFC5424, PayloadSizes.of(125), 1)).allMatch(text -> text.matches(RFC5424));
        assertThat(make(PayloadPattern.RFC3164, PayloadSizes.of(125), 1)).allMatch(text -> text.matches(RFC3164));
        assertThat(make(PayloadPattern.CISCO, PayloadSizes.of(125), 1)).allMatch(text -> text.matches(CISCO));
        List<String> mixed = make(PayloadPattern.MIXED, null, 1);
        assertThat(mixed).allMatch(text -> text.matches(RFC5424) || text.matches(RFC3164) || text.matches(CISCO));
        assertThat(mixed).anyMatch(text -> text.matches(RFC5424)).anyMatch(text -> text.matches(CISCO));
        assertThat(mixed.stream().map(String::length).distinct().count()).isGreaterThan(50);
        assertThat(mixed).allMatch(text -> text.length() >= 120 && text.length() <= 1400);
    }

    @ParameterizedTest
    @EnumSource(names = {"SEQUENCE", "RFC5424", "RFC3164", "CISCO", "MIXED"})
    void identityIsFound(PayloadPattern pattern) {
        SequencePayload payload = new SequencePayload();
        int n = 0;
        for (String text : make(pattern, PayloadSizes.parse("125-900"), 3)) {
            assertThat(text.length()).isBetween(125, 900);
            byte[] bytes = text.getBytes(ISO_8859_1);
            assertThat(payload.find(bytes, 0, bytes.length, RUN)).as(text).isTrue();
            assertThat(payload.source()).isEqualTo(n % 7);
            assertThat(payload.sequence()).isEqualTo(n / 7);
            assertThat(payload.intendedTimeMicros()).isEqualTo(NOW & 0xffff_ffffL);
            n++;
        }
    }

    @ParameterizedTest
    @EnumSource
    void sameSeedGivesTheSamePayloads(PayloadPattern pattern) {
        PayloadSizes sizes = PayloadSizes.parse("125-400");
        assertThat(make(pattern, sizes, 42)).isEqualTo(make(pattern, sizes, 42)).isNotEqualTo(make(pattern, sizes, 43));
    }

    @Test
    void sequencePatternHasTheSpecifiedFormat() {
        assertThat(make(PayloadPattern.SEQUENCE, PayloadSizes.of(40), 1).get(0)).matches(IDENTITY + " abcdefg");
        assertThat(make(PayloadPattern.SEQUENCE, PayloadSizes.of(32), 1).get(499))
                .matches(IDENTITY);
    }

    @Test
    void fixedPayloadsAreEqual() {
        List<String> made = make(PayloadPattern.FIXED, PayloadSizes.of(300), 1);
        assertThat(new HashSet<>(made)).hasSize(1);
        assertThat(made.get(0)).hasSize(300);
        assertThat(made.get(0).charAt(299)).isEqualTo((char) 43);
        assertThat(make(PayloadPattern.FIXED, PayloadSizes.of(1), 1).get(0)).hasSize(1);
    }

    @Test
    void timeOfDayAdvances() {
        Payloads payloads = PayloadPattern.RFC5424.payloads(PayloadSizes.of(125), 1, RUN);
        ByteBuffer buffer = ByteBuffer.allocateDirect(125);
        byte[] bytes = new byte[125];
        for (int second = 0; second < 3; second++) {
            var unused = payloads.put(buffer, 0, second, 0, 0, NOW + second * 1_000_000L);
            buffer.get(0, bytes);
            assertThat(new String(bytes, ISO_8859_1)).contains(" 2026-11-01T09:08:0" + (7 + second) + "Z ");
        }
    }

    @ParameterizedTest
    @CsvSource({"SEQUENCE, 31", "RFC5424, 50", "RFC3164, 50", "CISCO, 50", "MIXED, 50"})
    void rejectsASizeBelowTheMinimum(PayloadPattern pattern, int size) {
        assertThatThrownBy(() -> pattern.payloads(PayloadSizes.of(size), 1, RUN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("of the pattern " + pattern + " needs at least ")
                .hasMessageContaining("--size is " + size);
    }

    @ParameterizedTest
    @EnumSource(names = {"SEQUENCE", "RFC5424", "RFC3164", "CISCO", "MIXED"})
    void defaultSizeFitsEachPattern(PayloadPattern pattern) {
        for (int seed = 0; seed < 200; seed++) {
            assertThat(pattern.payloads(PayloadSizes.of(PayloadPattern.DEFAULT_SIZE), seed, RUN)
                            .maxBytes())
                    .isEqualTo(125);
        }
    }

    @Test
    void imixHasTheDocumentedProportions() {
        List<String> made = make(PayloadPattern.SEQUENCE, PayloadSizes.parse("imix"), 5);
        assertThat(made.stream().map(String::length)).containsOnly(125, 512, 1400);
        assertThat(made.stream().filter(text -> text.length() == 125).count()).isBetween(240L, 340L);
        assertThat(made.stream().filter(text -> text.length() == 1400).count()).isBetween(15L, 80L);
    }

    @Test
    void sizesCoverTheWholeRange() {
        assertThat(make(PayloadPattern.SEQUENCE, PayloadSizes.parse("100-103"), 5).stream()
                        .map(String::length))
                .containsOnly(100, 101, 102, 103);
    }
}
