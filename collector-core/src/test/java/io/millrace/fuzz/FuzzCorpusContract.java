package io.millrace.fuzz;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What fuzzing found once is looked at again in every build, by a test of each module that has targets. */
public abstract class FuzzCorpusContract {
    @ParameterizedTest
    @MethodSource("io.millrace.fuzz.FuzzTarget#all")
    void nothingGoesWrong(FuzzTarget target) throws IOException {
        Assertions.assertFalse(target.seeds().isEmpty(), () -> target + " has nothing to begin with");
        List<byte[]> kept = FuzzCorpus.read(target);
        Assertions.assertFalse(
                kept.isEmpty(), () -> target + " has no inputs that were kept: fuzz it, and commit them");
        for (byte[] input : kept) {
            target.take(input);
        }
        for (byte[] seed : target.seeds()) {
            target.take(seed);
        }
    }
}
