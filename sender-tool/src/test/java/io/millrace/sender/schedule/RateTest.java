package io.millrace.sender.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class RateTest {
    private static final BigInteger GIGA = BigInteger.valueOf(1_000_000_000);

    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "500, 500",
        "100k, 100000",
        "1.2M, 1200000",
        "0.5, 0.5",
        "0.001, 0.001",
        "999.999, 999.999",
        "1.5k, 1500",
        "1000M, 1000000000",
        "0.25k, 250",
        "1.50, 1.5"
    })
    void readsNumbersWithSuffixes(String text, BigDecimal perSecond) {
        assertThat(Rate.parse(text).perSecond()).isEqualByComparingTo(perSecond);
        assertThat(Rate.parse(text).isMax()).isFalse();
    }

    @Test
    void readsMax() {
        assertThat(Rate.parse("max").isMax()).isTrue();
        assertThat(Rate.parse("max").dueNanos(1_000_000)).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "0.0",
                "-1",
                "k",
                "1m",
                "1K",
                "1G",
                "1e3",
                "1.",
                ".5",
                "1 k",
                "MAX",
                "0.0001",
                "1000.5",
                "1001M",
                "1.0005k",
                "99999999999999999999"
            })
    void rejectsOtherTexts(String text) {
        assertThatThrownBy(() -> Rate.parse(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("'" + text + "'")
                .hasMessageContaining("max");
    }

    @Test
    void dueTimesAreFractionsOfASecond() {
        assertThat(Rate.parse("3").dueNanos(0)).isZero();
        assertThat(Rate.parse("3").dueNanos(1)).isEqualTo(333_333_333);
        assertThat(Rate.parse("3").dueNanos(3)).isEqualTo(1_000_000_000);
        assertThat(Rate.parse("0.001").dueNanos(2)).isEqualTo(2_000_000_000_000L);
        assertThat(Rate.parse("1000M").dueNanos(7)).isEqualTo(7);
    }

    @Test
    void neverDriftsNorOverflows() {
        long seed = System.nanoTime();
        System.out.println("RateTest seed " + seed);
        Random random = new Random(seed);
        String[] rates = {"0.001", "0.007", "1", "999.999", "7k", "100003", "1.2M", "999999999", "1000M"};
        for (int i = 0; i < 10_000; i++) {
            Rate rate = Rate.parse(rates[random.nextInt(rates.length)]);
            long century = rate.datagrams() * 60L * 60 * 24 * 365 * 100 / rate.seconds();
            long n = random.nextLong(century) >>> random.nextInt(40);
            BigInteger exact = BigInteger.valueOf(n)
                    .multiply(BigInteger.valueOf(rate.seconds()))
                    .multiply(GIGA)
                    .divide(BigInteger.valueOf(rate.datagrams()));
            assertThat(rate.dueNanos(n)).as("%s, %d, seed %d", rate, n, seed).isEqualTo(exact.longValueExact());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "100k, 10000000000, 1000000",
        "1, 10000000000, 10",
        "1, 1, 1",
        "3, 1000000000, 3",
        "3, 1000000001, 4",
        "3, 333333333, 1",
        "3, 333333334, 2",
        "0.001, 5, 1"
    })
    void countsWhatIsDueWithinATime(String rate, long nanos, long expected) {
        assertThat(Rate.parse(rate).dueWithin(nanos)).isEqualTo(expected);
    }
}
