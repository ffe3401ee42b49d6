package io.millrace.internal.journal;

import io.millrace.internal.disk.Disk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Permissions of the files in a data directory. The owner may read and write, its group may read. Files have at most
 * mode 0640 and directories 0750, whatever the umask and the mode of the data directory are.
 */
public final class PrivateFiles {
    /** Permissions of a new file. */
    public static final FileAttribute<Set<PosixFilePermission>> FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----"));
    /** Permissions of a new directory. */
    public static final FileAttribute<Set<PosixFilePermission>> DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---"));

    private static final Logger LOG = LoggerFactory.getLogger(PrivateFiles.class);
    private static final int MAX_FILE_MODE = 0640;
    private static final int OTHERS = 07;
    private static final int PERMISSIONS = 07777;
    private static final int MAX_ATTEMPTS = 10;

    /**
     * Name prefixes of the files that Millrace itself creates in a data directory. Outputs may write other files there.
     */
    private static final List<String> NAMES = List.of(
            "LOCK", "meta.json", "counters", "sockets", "sources", "journal", "positions", "dead-letters", "history");

    private PrivateFiles() {}

    /**
     * Restricts the permissions of files from earlier versions or from a copy, and warns if other users can list the
     * directory. If the permissions of a file cannot be changed, this method logs a warning.
     */
    static void narrowAll(Path root) throws IOException {
        int mode = mode(root);
        if ((mode & OTHERS) != 0) {
            LOG.warn(
                    "Data directory {} has mode {}: other users can list its files, but not read them; to prevent that,"
                            + " run chmod o= {}",
                    root,
                    String.format("%04o", mode),
                    root);
        }
        for (Path child : Disk.of(root).list(root)) {
            if (isOurs(child)) {
                narrowTree(child);
            }
        }
    }

    /** A process that ends still renames the files that it writes last: one that is gone is skipped, and the others are listed again. */
    private static void narrowTree(Path top) throws IOException {
        for (int attempt = 1; Disk.of(top).exists(top); attempt++) {
            try {
                for (Path file : Disk.of(top).walk(top)) {
                    narrow(file);
                }
                return;
            } catch (NoSuchFileException e) {
                throwIfLast(attempt, e);
            } catch (UncheckedIOException e) {
                if (!(e.getCause() instanceof NoSuchFileException)) {
                    throw e.getCause();
                }
                throwIfLast(attempt, e.getCause());
            }
        }
    }

    private static void throwIfLast(int attempt, IOException e) throws IOException {
        if (attempt == MAX_ATTEMPTS) {
            throw e;
        }
    }

    private static boolean isOurs(Path file) {
        String name = String.valueOf(file.getFileName());
        return NAMES.stream().anyMatch(name::startsWith);
    }

    /** Restricts the permissions of one file or directory. */
    public static void narrow(Path path) {
        try {
            boolean isFile = Disk.of(path).isPlainFile(path);
            if (!isFile && !Disk.of(path).isPlainDirectory(path)) {
                return;
            }
            int mode = mode(path);
            int narrowed = isFile ? mode & MAX_FILE_MODE : mode & ~OTHERS;
            if (narrowed != mode) {
                Disk.of(path).setMode(path, narrowed);
            }
        } catch (NoSuchFileException e) {
            LOG.debug("Gone meanwhile: {}", path);
        } catch (IOException e) {
            LOG.warn("Cannot restrict the permissions of {}: {}", path, e.toString());
        }
    }

    private static int mode(Path path) throws IOException {
        return Disk.of(path).mode(path) & PERMISSIONS;
    }
}
