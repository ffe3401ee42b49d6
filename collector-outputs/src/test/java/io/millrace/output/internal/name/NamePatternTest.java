package io.millrace.output.internal.name;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestSeed;
import java.util.Collections;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamePatternTest {
    /** A digit is in each kind of position, so two patterns that overlap do so in a string of these characters. */
    private static final String ALPHABET = "a1.-/@";

    private static NamePattern pattern(String template) {
        return NameTemplate.parse(template).addTo(new NamePattern(), false);
    }

    @ParameterizedTest
    @CsvSource({
        "all.log, all.log, true",
        "all.log, all.log2, false",
        "all.log, {hostname}.log, true",
        "{hostname}.log, {hostname}.log, true",
        "{hostname}.log, {appname}.log, true",
        "{hostname}.log, {hostname}.txt, false",
        "{hostname}-a.log, web-{appname}.log, true",
        "{date}/{hostname}.log, {date}/x.log, true",
        "{date}/x.log, {date}/y.log, false",
        "{date}.log, {year}-{month}-{day}.log, true",
        "{month}.log, {day}.log, true",
        "{year}.log, {hour}.log, false",
        "{date}.log, {hostname}.log, true",
        "{date}.log, 2026-11-24.log, true",
        "{date}.log, 2026-11-2x.log, false",
        "{hostname}.log, a/x.log, false",
        "{hostname}/{appname}, a/x, true",
        "{hostname}/x, {appname}, false",
        "{hostname}, .hidden, false",
        "a{hostname}, a.b, false",
        "a{hostname}, ab.c, true",
        "{hostname}, @other, false",
        "{hostname}{appname}, x, false",
        "{hostname}{appname}, xy, true",
        "{hostname}{appname}, x.y, true",
        "{hostname}, '', false",
        "'', '', true",
    })
    void detectsOverlappingTemplates(String one, String other, boolean overlap) {
        assertThat(pattern(one).overlaps(pattern(other))).isEqualTo(overlap);
        assertThat(pattern(other).overlaps(pattern(one))).isEqualTo(overlap);
    }

    @Test
    void fieldsOfPatternsHaveALimitedLength() {
        assertThat(pattern("{hostname}.log").overlaps(pattern("x".repeat(100) + ".log")))
                .isTrue();
        assertThat(pattern("{hostname}.log").overlaps(pattern("x".repeat(101) + ".log")))
                .isFalse();
    }

    /** A pattern, and all strings of the alphabet that match it. */
    private record Language(NamePattern pattern, Set<String> strings, String text) {
        static Language random(Random random) {
            NamePattern pattern = new NamePattern();
            StringBuilder text = new StringBuilder();
            Set<String> strings = Set.of("");
            int fields = 0;
            for (int parts = random.nextInt(5); parts > 0; parts--) {
                int kind = random.nextInt(fields < 2 ? 4 : 3);
                if (kind < 2) {
                    String c = "" + ALPHABET.charAt(random.nextInt(ALPHABET.length()));
                    pattern.text(c);
                    text.append(c);
                    strings = product(strings, Set.of(c));
                } else if (kind == 2) {
                    pattern.digit();
                    text.append("{digit}");
                    strings = product(strings, Set.of("1"));
                } else {
                    int max = 1 + random.nextInt(3);
                    fields++;
                    pattern.field(max);
                    text.append("{field ").append(max).append('}');
                    strings = product(strings, fields(max));
                }
            }
            return new Language(pattern, strings, text.toString());
        }

        private static Set<String> fields(int max) {
            Set<String> all = new TreeSet<>();
            Set<String> longest = Set.of("a", "1", "-");
            all.addAll(longest);
            for (int length = 2; length <= max; length++) {
                longest = product(longest, Set.of("a", "1", "-", "."));
                all.addAll(longest);
            }
            return all;
        }

        private static Set<String> product(Set<String> beginnings, Set<String> ends) {
            Set<String> all = new TreeSet<>();
            beginnings.forEach(beginning -> ends.forEach(end -> all.add(beginning + end)));
            return all;
        }
    }

    @Test
    void randomPatternsOverlapIfTheyShareAString() {
        Random random = TestSeed.random(getClass());
        int overlaps = 0;
        int rounds = 3_000;
        for (int round = 0; round < rounds; round++) {
            Language one = Language.random(random);
            Language other = Language.random(random);
            boolean expected = !Collections.disjoint(one.strings(), other.strings());
            assertThat(one.pattern().overlaps(other.pattern()))
                    .as("%s and %s", one.text(), other.text())
                    .isEqualTo(expected);
            overlaps += expected ? 1 : 0;
        }
        // Both outcomes must be common, or the comparison above shows little.
        assertThat(overlaps).isBetween(rounds / 20, rounds - rounds / 20);
    }

    /** A search that tries every length of every field would not end. */
    @Test
    @Timeout(20)
    void overlapTestHasQuadraticCost() {
        String fields = "{hostname}".repeat(30);
        assertThat(pattern(fields + "@").overlaps(pattern(fields + "/"))).isFalse();
        assertThat(pattern(fields + "x").overlaps(pattern(fields + "y"))).isFalse();
        assertThat(pattern(fields + "x").overlaps(pattern(fields))).isTrue();
    }
}
