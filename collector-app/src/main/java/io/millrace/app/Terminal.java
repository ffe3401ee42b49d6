package io.millrace.app;

import java.util.Locale;

/** What can be known of the terminal: the script that starts the JVM looks whether standard error is one. */
final class Terminal {
    private Terminal() {}

    static boolean stderrIsTerminal() {
        return Boolean.getBoolean("millrace.stderr.tty");
    }

    /** Shows how far long work has come, if somebody watches. */
    static void progress(String what, long done, long total) {
        if (stderrIsTerminal()) {
            System.err.printf(
                    Locale.ROOT,
                    "\r%s %3d %% of %s ",
                    what,
                    total == 0 ? 100 : 100 * done / total,
                    Values.bytes(total));
        }
    }

    /** Takes the progress line away. */
    static void endProgress() {
        if (stderrIsTerminal()) {
            System.err.print("\r\033[K");
        }
    }
}
