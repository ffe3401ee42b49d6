package io.millrace.bench.option;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CommandTextTest {
    @Test
    void reportContainsTheCommandWithoutFolders() {
        assertThat(CommandText.of(List.of("cost", "--out", "a", "--full", "--work=b", "--rates", "1,2")))
                .isEqualTo("millrace bench cost --full --rates 1,2");
        assertThat(CommandText.of(List.of("cost", "--out"))).isEqualTo("millrace bench cost");
        assertThat(CommandText.of(List.of("cost", "--rates", "1, 2")))
                .isEqualTo("millrace bench cost --rates \"1, 2\"");
    }
}
