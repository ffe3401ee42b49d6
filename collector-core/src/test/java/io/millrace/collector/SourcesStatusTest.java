package io.millrace.collector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SourcesStatusTest {
    @Test
    void behindReplacesThatValueOnly() {
        assertThat(status(6).behind(60)).isEqualTo(status(60));
    }

    private static SourcesStatus status(long behind) {
        return new SourcesStatus(1, 2, 3, 4, 5, 6, behind, 8, true, List.of(), List.of(), 9, List.of());
    }
}
