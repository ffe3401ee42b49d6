package io.millrace.app.control;

import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.text.DurationText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** What is known of a service without asking it: its state in the kernel, and its last sign of life. */
final class ProcessState {
    private ProcessState() {}

    /** True if it cannot answer before somebody continues it. */
    static boolean isStopped(String pid) {
        char state = state(pid);
        return state == 'T' || state == 't';
    }

    /** Why it may not answer, and since when, as parts of a sentence about the process. */
    static String text(String pid, Path data) {
        Instant alive = aliveAt(data);
        return "process " + pid + " does not answer"
                + (alive == null
                        ? ""
                        : " since " + alive.truncatedTo(ChronoUnit.SECONDS) + ", "
                                + DurationText.of(Duration.between(alive, Instant.now())) + " ago")
                + reason(pid);
    }

    private static String reason(String pid) {
        return switch (state(pid)) {
            case 'T' -> ": a signal has stopped it; 'kill -CONT " + pid + "' continues it";
            case 't' -> ": a debugger has stopped it";
            case 'D' -> ": it waits for a disk or a network file system";
            case 'Z', 'X' -> ": it has ended, and its parent process does not notice";
            case 'R', 'S' ->
                ": it is busy with another command, or it hangs; 'jstack " + pid + "' as its user shows what it does";
            default -> "";
        };
    }

    private static @Nullable Instant aliveAt(Path data) {
        try {
            return CounterFile.openReadOnly(JournalPaths.countersFile(data)).aliveAt();
        } catch (IOException e) {
            return null;
        }
    }

    /** The letter of proc_pid_stat(5); a blank if it is unknown. */
    private static char state(String pid) {
        try {
            String stat = Files.readString(Path.of("/proc", pid, "stat"), StandardCharsets.ISO_8859_1);
            // After the name of the program, which may contain anything.
            int at = stat.lastIndexOf(')') + 2;
            return at > 1 && at < stat.length() ? stat.charAt(at) : ' ';
        } catch (IOException e) {
            return ' ';
        }
    }
}
