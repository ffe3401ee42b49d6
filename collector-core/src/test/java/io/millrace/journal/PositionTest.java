package io.millrace.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PositionTest {
    @Test
    void textRoundTrips() {
        for (Position position : new Position[] {new Position(0, 0), new Position(17, Long.MAX_VALUE)}) {
            assertThat(Position.parse(position.toString())).isEqualTo(position);
        }
        assertThat(Position.parse("0/42")).isEqualTo(new Position(0, 42)).hasToString("0/42");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "0",
                "0/",
                "/5",
                "a/b",
                "0/1/2",
                "0 / 1",
                "0/-1",
                "-1/0",
                "0/9223372036854775808",
                "0:42"
            })
    void invalidTextIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Position.parse(text))
                .withMessageContaining("position");
    }
}
