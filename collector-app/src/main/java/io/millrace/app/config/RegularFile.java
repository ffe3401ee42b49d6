package io.millrace.app.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Reads files that are files. A named pipe without a writer would be waited for without end, and a device such as {@code
 * /dev/zero} has no end.
 */
final class RegularFile {
    private RegularFile() {}

    /** The path leads to something else than a regular file. */
    static final class NotRegularException extends IOException {
        private static final long serialVersionUID = 1;

        private final String kind;

        NotRegularException(Path file, String kind) {
            super(file + " is " + kind);
            this.kind = kind;
        }

        /** What it is: {@code a directory}. */
        String kind() {
            return kind;
        }
    }

    /**
     * The beginning of a file. Symbolic links are followed.
     *
     * @param maxBytes how many bytes to read
     * @throws NotRegularException if it is not a regular file
     */
    static byte[] head(Path file, int maxBytes) throws IOException {
        if (Files.isDirectory(file)) {
            throw new NotRegularException(file, "a directory");
        }
        if (!Files.isRegularFile(file)) {
            if (Files.exists(file)) {
                throw new NotRegularException(file, "a pipe, a socket or a device");
            }
            // Says what keeps it from being found: a missing file, or a directory without permission.
            file.getFileSystem().provider().checkAccess(file);
            throw new NoSuchFileException(file.toString());
        }
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(maxBytes);
        }
    }
}
