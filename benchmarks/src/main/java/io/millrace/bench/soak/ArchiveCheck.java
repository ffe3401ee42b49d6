package io.millrace.bench.soak;

import io.millrace.bench.check.LineFile;
import io.millrace.bench.check.RunCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Reads the files of the archive that are whole, and deletes them: a long soak writes more than a disk has room for. One thread. */
final class ArchiveCheck {
    private static final String CURRENT = "all.log";
    private static final String ROTATED = "all@";

    private final Path directory;
    private final RunCheck check;
    private long files;

    ArchiveCheck(Path directory, long runId) {
        this.directory = directory;
        this.check = new RunCheck(runId);
    }

    /** Takes the files that were rotated away. */
    void takeRotated() throws IOException {
        try (Stream<Path> listed = Files.list(directory)) {
            List<Path> rotated = listed.filter(
                            file -> file.getFileName().toString().startsWith(ROTATED))
                    .sorted()
                    .toList();
            for (Path file : rotated) {
                take(file);
            }
        }
    }

    /** Takes the last file; once the service has ended. */
    void takeLast() throws IOException {
        takeRotated();
        if (Files.exists(directory.resolve(CURRENT))) {
            take(directory.resolve(CURRENT));
        }
    }

    private void take(Path file) throws IOException {
        LineFile.read(file, check);
        Files.delete(file);
        files++;
    }

    long files() {
        return files;
    }

    RunCheck check() {
        return check;
    }
}
