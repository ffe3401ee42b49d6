package io.millrace.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationTextTest {
    @ParameterizedTest
    @CsvSource({
        "PT0S, 0 ms",
        "PT0.2509S, 250 ms",
        "PT18.9S, 18 s",
        "PT1M, 1 min 0 s",
        "PT5M2S, 5 min 2 s",
        "PT3H12M59S, 3 h 12 min",
        "PT24H, 1 d 0 h",
        "PT124H30M, 5 d 4 h",
    })
    void hasTheTwoLargestUnits(Duration time, String text) {
        assertThat(DurationText.of(time)).isEqualTo(text);
    }
}
