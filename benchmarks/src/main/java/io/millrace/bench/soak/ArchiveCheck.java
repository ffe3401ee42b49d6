package io.millrace.bench.soak;

import io.millrace.bench.check.LineFile;
import io.millrace.bench.check.RunCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Check of the archive: it reads complete files and deletes them, as a long soak test writes more than the disk can hold. One thread. */
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

    /** Reads the rotated files. */
    void readRotated() throws IOException {
        try (Stream<Path> listed = Files.list(directory)) {
            List<Path> rotated = listed.filter(
                            file -> file.getFileName().toString().startsWith(ROTATED))
                    .sorted()
                    .toList();
            for (Path file : rotated) {
                read(file);
            }
        }
    }

    /** Reads the last file, after the service has ended. */
    void readLast() throws IOException {
        readRotated();
        if (Files.exists(directory.resolve(CURRENT))) {
            read(directory.resolve(CURRENT));
        }
    }

    private void read(Path file) throws IOException {
        LineFile.read(file, check::add);
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
