package io.millrace.bench.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A temporary directory for the files of a benchmark, in memory where the host has a file system for that. */
public final class ScratchDirectory {
    /** The file system in memory. */
    public static final Path MEMORY = Path.of("/dev/shm");

    private static final int TRIES = 100;
    private static final long PAUSE_MS = 20;

    private ScratchDirectory() {}

    /** The parent of scratch directories: {@link #MEMORY}, or the system's temporary directory if that is not writable. */
    public static Path parent() {
        return Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
    }

    /** Creates one below {@link #parent}. */
    public static Path create(String prefix) throws IOException {
        return Files.createTempDirectory(parent(), prefix);
    }

    /** Deletes a directory and its content. */
    public static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Deletes a directory when this JVM ends: it may be in memory, and an interrupted run must not leave it there. */
    public static void deleteAtShutdown(Path directory) {
        ChildProcess.atShutdown(() -> deleteWithRetries(directory));
    }

    /** The interrupted trial may still create and delete files of its own. */
    private static void deleteWithRetries(Path directory) {
        for (int tries = 1; Files.exists(directory); tries++) {
            try {
                delete(directory);
            } catch (IOException e) {
                if (tries == TRIES) {
                    System.err.println("millrace bench: cannot delete " + directory + ": " + e.getMessage());
                    return;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MS));
            }
        }
    }
}
