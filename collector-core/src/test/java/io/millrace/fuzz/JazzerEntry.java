package io.millrace.fuzz;

/** What Jazzer calls: the target that the system property {@code millrace.fuzz} names. */
public final class JazzerEntry {
    private static final FuzzTarget TARGET = FuzzTarget.of(System.getProperty("millrace.fuzz", "parser"));

    private JazzerEntry() {}

    /** Takes one input; what it throws is a finding. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        TARGET.take(bytes);
    }
}
