package io.millrace.app;

import io.millrace.app.config.ByteSize;
import java.util.Locale;

/** What can be known of the terminal: the script that starts the JVM looks whether there is one. */
final class Terminal {
    private Terminal() {}

    static boolean stdoutIsTerminal() {
        return Boolean.getBoolean("millrace.stdout.tty");
    }

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
                    ByteSize.text(total));
        }
    }

    /** Takes the progress line away. */
    static void endProgress() {
        if (stderrIsTerminal()) {
            System.err.print("\r\033[K");
        }
    }
}
