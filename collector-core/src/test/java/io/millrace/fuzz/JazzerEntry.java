package io.millrace.fuzz;

import java.io.IOException;

/** What Jazzer calls: the target that the system property {@code millrace.fuzz} names. */
public final class JazzerEntry {
    private static final FuzzTarget TARGET = target(System.getProperty("millrace.fuzz", ""));

    private JazzerEntry() {}

    private static FuzzTarget target(String name) {
        try {
            return FuzzTarget.of(name);
        } catch (IOException | ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What is only slow the first time is no finding. */
    public static void fuzzerInitialize() throws IOException {
        for (byte[] seed : TARGET.seeds()) {
            TARGET.take(seed);
        }
    }

    /** Takes one input; what it throws is a finding. */
    public static void fuzzerTestOneInput(byte[] bytes) throws IOException {
        TARGET.take(bytes);
    }
}
