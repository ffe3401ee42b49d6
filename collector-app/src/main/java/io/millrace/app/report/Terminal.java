package io.millrace.app.report;

import io.millrace.internal.format.TerminalFormat;
import io.millrace.internal.journal.recovery.JournalScanner;
import io.millrace.internal.text.ByteSize;
import io.millrace.message.LineFormat;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** State of the terminal: the start script checks whether there is one. */
public final class Terminal {
    private static final long REDRAW_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private Terminal() {}

    public static boolean stdoutIsTerminal() {
        return Boolean.getBoolean("millrace.stdout.tty");
    }

    public static boolean stderrIsTerminal() {
        return Boolean.getBoolean("millrace.stderr.tty");
    }

    /** The format, escaped for terminals if standard output is one. */
    public static LineFormat forStdout(LineFormat format) {
        return stdoutIsTerminal() ? new TerminalFormat(format) : format;
    }

    /** Shows the progress of long work on a terminal. */
    public static void progress(String what, long done, long total) {
        if (stderrIsTerminal()) {
            System.err.printf(
                    Locale.ROOT,
                    "\r%s %3d %% of %s ",
                    what,
                    total == 0 ? 100 : 100 * done / total,
                    ByteSize.text(total));
        }
    }

    /** A progress callback, which redraws at most ten times per second. */
    public static JournalScanner.Progress progress(String what) {
        long[] drawnNs = {System.nanoTime() - REDRAW_NS};
        return (done, total) -> {
            long now = System.nanoTime();
            if (now - drawnNs[0] >= REDRAW_NS || done == total) {
                drawnNs[0] = now;
                progress(what, done, total);
            }
        };
    }

    /** Removes the progress line. */
    public static void endProgress() {
        if (stderrIsTerminal()) {
            System.err.print("\r\033[K");
        }
    }
}
