package io.millrace.internal.fields;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NumberTextTest {
    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static double value(String text) {
        return NumberText.value(bytes(text), 0, text.length());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-0", "10", "007", "-12.50", "1e3", "1E-3", "9223372036854775807", "1.5e+10"})
    void isANumber(String text) {
        assertThat(NumberText.isNumber(bytes(text), 0, text.length())).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "+1", ".5", "1.", "1e", "1 ", "0x10", "1,000", "--1", "0-1", "NaN", "1e+"})
    void isNone(String text) {
        assertThat(NumberText.isNumber(bytes(text), 0, text.length())).isFalse();
    }

    @Test
    void hasTheValueOfTheText() {
        long seed = Long.getLong("millrace.test.seed", System.nanoTime());
        System.out.println("NumberTextTest seed " + seed + ", repeat with -Dmillrace.test.seed=" + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            BigDecimal number = BigDecimal.valueOf(random.nextLong(), random.nextInt(60) - 30);
            for (String text : new String[] {number.toPlainString(), number.toString()}) {
                double right = number.doubleValue();
                assertThat(value(text)).as(text).isCloseTo(right, within(Math.abs(right) * 1e-14));
            }
        }
        assertThat(value("1e999999999999")).isInfinite();
        assertThat(value("1e-999999999999")).isZero();
        assertThat(value("0e999999999999")).isZero();
    }

    @Test
    void longIntegersAreComparedExactly() {
        byte[] a = bytes("900719925474099267");
        byte[] b = bytes("900719925474099266");
        assertThat(NumberText.compare(a, 0, a.length, b, 0, b.length)).isPositive();
    }

    @ParameterizedTest
    @CsvSource({
        "1385053862.3072, 1385053862307200000",
        "1385053862, 1385053862000000000",
        "1.3850538623072E9, 1385053862307200000",
        "1385053862.307212345678901234567, 1385053862307212340",
        "0, 0",
        "-1, -1",
        "9999999999999, -1",
        "1e400, -1",
        "1e-400, 0",
    })
    void secondsBecomeNanoseconds(String text, long ns) {
        assertThat(NumberText.secondsToNs(bytes(text), 0, text.length())).isEqualTo(ns);
    }
}
