package io.millrace.internal.format;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestSeed;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalTest {
    private static String text(long value, int digits) {
        byte[] to = new byte[1 + digits + Long.BYTES];
        to[0] = '<';
        Decimal.write(value, digits, to, 1);
        to[digits + 1] = '>';
        return new String(to, 0, digits + 2, US_ASCII);
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                9,
                10,
                99,
                100,
                12_345,
                Integer.MAX_VALUE,
                Integer.MAX_VALUE + 1L,
                999_999_999_999L,
                Long.MAX_VALUE
            })
    void writesEachDigit(long value) {
        assertThat(Decimal.digits(value)).isEqualTo(Long.toString(value).length());
        assertThat(text(value, Decimal.digits(value))).isEqualTo("<" + value + ">");
    }

    @Test
    void writesRandomNumbersOfEveryLength() {
        Random random = TestSeed.random(getClass());
        for (int i = 0; i < 10_000; i++) {
            long value = random.nextLong() >>> (1 + random.nextInt(63));
            assertThat(text(value, Decimal.digits(value))).isEqualTo("<" + value + ">");
        }
    }

    @Test
    void writesLeadingZerosAndTheLastDigits() {
        assertThat(text(7, 3)).isEqualTo("<007>");
        assertThat(text(123, 2)).isEqualTo("<23>");
        assertThat(text(3_000_000_000_123L, 3)).isEqualTo("<123>");
    }
}
