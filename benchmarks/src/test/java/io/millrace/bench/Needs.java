package io.millrace.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    /** IPv6 on the loopback interface: where it is switched off the file may be there, and empty. */
    static void ipv6() throws IOException {
        Path interfaces = Path.of("/proc/net/if_inet6");
        that(Files.exists(interfaces) && Files.readString(interfaces).contains(" lo\n"), "this host has no IPv6");
    }

    /** Anything else. */
    static void that(boolean there, String whatIsMissing) {
        if (!there) {
            System.err.println("skipped: " + whatIsMissing);
        }
        Assumptions.assumeTrue(there, whatIsMissing);
    }
}
