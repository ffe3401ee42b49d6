package io.millrace.app.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reader of regular files only. A named pipe without a writer would block, and a device such as {@code /dev/zero} has no end. */
final class RegularFile {
    private RegularFile() {}

    /** The path does not lead to a regular file. */
    static final class NotRegularException extends IOException {
        private static final long serialVersionUID = 1;

        private final String kind;

        NotRegularException(Path file, String kind) {
            super(file + " is " + kind);
            this.kind = kind;
        }

        /** The type of the file, such as {@code a directory}. */
        String kind() {
            return kind;
        }
    }

    /**
     * Reads the beginning of a file and follows symbolic links.
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
            // Describes why a file cannot be found: it is missing, or a directory cannot be entered.
            file.getFileSystem().provider().checkAccess(file);
            throw new NoSuchFileException(file.toString());
        }
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(maxBytes);
        }
    }
}
