package io.millrace.output.internal;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Canonical paths, so that two spellings of one place can be compared. */
public final class FilePaths {
    private FilePaths() {}

    /** The absolute path without symbolic links, as far as the path exists. */
    public static Path resolved(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        for (Path there = absolute; there != null; there = there.getParent()) {
            Path real = real(there);
            if (real != null) {
                return real.resolve(there.relativize(absolute)).normalize();
            }
        }
        return absolute;
    }

    private static @Nullable Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException notThere) {
            return null;
        }
    }
}
