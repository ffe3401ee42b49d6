package io.millrace.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The access rights of what is in a data directory. Logs are for the owner and, to read, for its group: files have mode 0640 at the
 * most, directories 0750, whatever the umask and the mode of the data directory are.
 */
public final class PrivateFiles {
    /** For a new file. */
    public static final FileAttribute<Set<PosixFilePermission>> FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----"));
    /** For a new directory. */
    public static final FileAttribute<Set<PosixFilePermission>> DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---"));

    private static final Logger LOG = LoggerFactory.getLogger(PrivateFiles.class);
    private static final int MAX_FILE_MODE = 0640;
    private static final int OTHERS = 07;
    private static final int PERMISSIONS = 07777;
    private static final String MODE = "unix:mode";

    /** What Millrace itself makes in a data directory, by the beginning of the name. An output may write there too. */
    private static final List<String> NAMES =
            List.of("LOCK", "meta.json", "counters", "sockets", "journal", "positions", "dead-letters");

    private PrivateFiles() {}

    /**
     * Takes away rights that are too wide from what earlier versions, or a copy, have left in a data directory, and warns if other users
     * can look into the directory. What belongs to somebody else stays as it is, with a warning.
     */
    static void narrowAll(Path root) throws IOException {
        int mode = mode(root);
        if ((mode & OTHERS) != 0) {
            LOG.warn(
                    "Data directory {} has mode {}: other users can see which files are in it, but not read them; chmod o= {}"
                            + " keeps them out",
                    root,
                    String.format("%04o", mode),
                    root);
        }
        try (Stream<Path> children = Files.list(root)) {
            for (Path child : children.filter(PrivateFiles::isOurs).toList()) {
                narrowTree(child);
            }
        }
    }

    private static void narrowTree(Path top) throws IOException {
        try (Stream<Path> files = Files.walk(top)) {
            for (Path file : files.toList()) {
                narrow(file);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static boolean isOurs(Path file) {
        String name = String.valueOf(file.getFileName());
        return NAMES.stream().anyMatch(name::startsWith);
    }

    /** Takes away rights that are too wide from one file or directory. */
    public static void narrow(Path path) {
        try {
            boolean isFile = Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
            if (!isFile && !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                return;
            }
            int mode = mode(path);
            int narrowed = isFile ? mode & MAX_FILE_MODE : mode & ~OTHERS;
            if (narrowed != mode) {
                Files.setAttribute(path, MODE, narrowed);
            }
        } catch (IOException e) {
            LOG.warn("The access rights of {} may be too wide, and cannot be changed: {}", path, e.toString());
        }
    }

    private static int mode(Path path) throws IOException {
        return (int) Files.getAttribute(path, MODE) & PERMISSIONS;
    }
}
