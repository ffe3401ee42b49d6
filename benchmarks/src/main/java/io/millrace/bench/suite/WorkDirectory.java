package io.millrace.bench.suite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** The directory receivers write to, which an interrupted run must not leave behind: it may be memory. */
public final class WorkDirectory {
    private static final int TRIES = 100;
    private static final long PAUSE_MS = 20;

    private WorkDirectory() {}

    /** Deletes it with all that is in it, and says so if it cannot. */
    public static void delete(Path directory) {
        // The trial that is interrupted may still make and delete files of its own.
        for (int tries = 1; Files.exists(directory); tries++) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException | UncheckedIOException e) {
                if (tries == TRIES) {
                    System.err.println("millrace bench: cannot delete " + directory + ": " + e.getMessage());
                    return;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MS));
            }
        }
    }
}
