package io.millrace.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SilenceRulesTest {
    @ParameterizedTest
    @CsvSource({
        "fw1, FW1, true",
        "fw1, fw11, false",
        "fw*, fw1.example.com, true",
        "*.example.com, web1.example.com, true",
        "*.example.com, example.com, false",
        "a*b*c, abc, true",
        "a*b*c, axxbyybzzc, true",
        "a*b*c, acb, false",
        "a*ab, aab, true",
        "a*ab, ab, false",
        "**, x, true",
        "f.1, fx1, false",
    })
    void asteriskStandsForAnyCharacters(String pattern, String host, boolean matches) {
        assertThat(SilenceRules.host(pattern).matcher(host).matches()).isEqualTo(matches);
    }

    @Test
    void nameOfASenderCannotMakeItTakeLong() {
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            for (int i = 0; i < 1000; i++) {
                assertThat(SilenceRules.host("a*a*a*a*a*a*a*b")
                                .matcher("a".repeat(255))
                                .matches())
                        .isFalse();
            }
        });
    }
}
