package io.millrace.jni;

import org.junit.jupiter.api.Assumptions;

/** Tests of the native library are skipped, with a line that says so, where it was not built. */
final class Library {
    private Library() {}

    static void isNeeded() {
        String problem = new RecvmmsgProvider().unavailableBecause();
        if (problem != null) {
            System.err.println("skipped: tests of the transport native: " + problem);
        }
        Assumptions.assumeTrue(problem == null, problem);
    }
}
