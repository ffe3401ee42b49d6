package io.millrace.bench;

import org.junit.jupiter.api.Assumptions;

/** What a test needs of the machine. Where it is missing the test is skipped, with a line that says so. */
final class Needs {
    private Needs() {}

    /** A program on the PATH. */
    static void program(String name) {
        that(Forked.isInstalled(name), name + " is not installed");
    }

    /** Root, for something no other user may do. */
    static void root(String what) {
        that("root".equals(System.getProperty("user.name")), "not root, who alone may " + what);
    }

    /** Anything else. */
    static void that(boolean there, String whatIsMissing) {
        if (!there) {
            System.err.println("skipped: " + whatIsMissing);
        }
        Assumptions.assumeTrue(there, whatIsMissing);
    }
}
