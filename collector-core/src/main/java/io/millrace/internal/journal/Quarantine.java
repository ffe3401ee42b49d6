package io.millrace.internal.journal;

import io.millrace.internal.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * Quarantine of damaged files: renames a file in its directory, so that nothing uses it and it can still be examined.
 * The new name ends in {@code .damaged-TIME}. This is not the name of a journal file, so readers, retention and
 * Chronicle ignore it.
 */
public final class Quarantine {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private Quarantine() {}

    /** Renames a damaged file; returns its new path. The caller holds the data directory. */
    public static Path keep(Path file) throws IOException {
        String name = file.getFileName() + ".damaged-" + TIME.format(Instant.now());
        Path kept = file.resolveSibling(name);
        for (int i = 2; Disk.of(kept).exists(kept); i++) {
            kept = file.resolveSibling(name + "-" + i);
        }
        Disk.of(file).rename(file, kept);
        return kept;
    }
}
