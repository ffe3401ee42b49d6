package io.millrace.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What fuzzing found once is looked at again in every build. */
class FuzzCorpusTest {
    @ParameterizedTest
    @MethodSource("io.millrace.fuzz.FuzzTarget#all")
    void nothingGoesWrong(FuzzTarget target) throws IOException {
        List<byte[]> kept = FuzzCorpus.read(target);
        assertThat(kept).hasSizeGreaterThan(100);
        kept.forEach(target::take);
        target.seeds().forEach(target::take);
    }
}
