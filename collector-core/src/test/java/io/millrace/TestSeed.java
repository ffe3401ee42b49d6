package io.millrace;

import java.util.Random;

/** The seed of a random test: printed, so that a failure can be repeated with {@code -Dmillrace.test.seed=SEED}. */
public final class TestSeed {
    private static final String PROPERTY = "millrace.test.seed";

    private TestSeed() {}

    /** A generator for one test, whose seed was printed. */
    public static Random random(Class<?> test) {
        long seed = Long.getLong(PROPERTY, System.nanoTime());
        System.out.println(test.getSimpleName() + " seed " + seed + ", repeat with -D" + PROPERTY + "=" + seed);
        return new Random(seed);
    }
}
