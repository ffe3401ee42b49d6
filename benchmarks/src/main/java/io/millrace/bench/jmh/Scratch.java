package io.millrace.bench.jmh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A directory for files of a benchmark, in memory where the host has a file system for that. */
final class Scratch {
    private static final Path IN_MEMORY = Path.of("/dev/shm");

    private Scratch() {}

    static Path create() throws IOException {
        return Files.isWritable(IN_MEMORY)
                ? Files.createTempDirectory(IN_MEMORY, "millrace-jmh-")
                : Files.createTempDirectory("millrace-jmh-");
    }

    /** Deletes it with all that is in it. */
    static void delete(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
