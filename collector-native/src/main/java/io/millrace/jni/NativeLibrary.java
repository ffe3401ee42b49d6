package io.millrace.jni;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Loads a native library from the jar. The JVM loads only files, so the library is written to a new directory that only this
 * user can enter. It is checked, loaded, and deleted at once; it stays mapped. {@code -Dmillrace.native.library=FILE} names a
 * library that is installed as a file.
 */
final class NativeLibrary {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private NativeLibrary() {}

    /** Loads a library. Returns null, or the reason why it cannot be loaded, for people. */
    static @Nullable String load(String name) {
        String system = System.getProperty("os.name", "");
        if (!system.equals("Linux")) {
            return "it needs Linux, not " + system;
        }
        String installed = System.getProperty("millrace.native.library");
        if (installed != null) {
            return loadInstalled(installed);
        }
        String platform = "linux-" + architecture();
        String resource = "/META-INF/native/" + platform + "/lib" + name + ".so";
        try (InputStream in = NativeLibrary.class.getResourceAsStream(resource)) {
            if (in == null) {
                return "this build has no library for " + platform
                        + ": build collector-native on such a host, with a C compiler";
            }
            load(in, "lib" + name + ".so");
            return null;
        } catch (IOException | UnsatisfiedLinkError | UnsupportedOperationException e) {
            return "its library cannot be loaded: " + e.getMessage()
                    + ". If the file system does not allow execution, use another one with -Djava.io.tmpdir=DIRECTORY";
        }
    }

    private static @Nullable String loadInstalled(String file) {
        try {
            System.load(Path.of(file).toAbsolutePath().toString());
            return null;
        } catch (InvalidPathException | UnsatisfiedLinkError e) {
            return "millrace.native.library cannot be loaded: " + e.getMessage();
        }
    }

    private static String architecture() {
        String name = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        return name.equals("amd64") ? "x86_64" : name;
    }

    private static void load(InputStream in, String fileName) throws IOException {
        Path directory =
                Files.createTempDirectory("millrace-native-", PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        Path file = directory.resolve(fileName);
        try {
            byte[] library = in.readAllBytes();
            Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            Files.write(file, library, StandardOpenOption.WRITE);
            check(directory, file, library.length);
            System.load(file.toAbsolutePath().toString());
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(directory);
        }
    }

    /** Checks that a file is the one just written, and that nobody else can change it: it runs with all rights of this process. */
    private static void check(Path directory, Path file, long length) throws IOException {
        PosixFileAttributes of = Files.readAttributes(directory, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        PosixFileAttributes its = Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!its.isRegularFile()
                || its.size() != length
                || !its.owner().equals(of.owner())
                || !of.permissions().equals(OWNER_ONLY)
                || !its.permissions().equals(OWNER_ONLY)) {
            throw new IOException(file + " is not the file that was written: its size, owner or mode differs");
        }
    }
}
