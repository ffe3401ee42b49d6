package io.millrace.internal.journal.write;

import io.millrace.internal.disk.Disk;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Device and inode of a file or directory in use, to notice when its name is gone or leads elsewhere. Comparing them is one
 * system call.
 *
 * @param path its name
 * @param file the same, of which the JDK asks without allocating
 * @param key device and inode; null if the name was gone already
 */
record FileIdentity(Path path, File file, @Nullable Object key) {
    /** The identity of what has the name now. */
    static FileIdentity of(Path path) throws IOException {
        return new FileIdentity(path, path.toFile(), keyOf(path));
    }

    /** The identity of a file that was just written, even if it has been removed since. */
    static FileIdentity ofWritten(Path path) {
        try {
            return of(path);
        } catch (IOException e) {
            return new FileIdentity(path, path.toFile(), null);
        }
    }

    /** True if the name is there, whatever it leads to. Allocates nothing. */
    boolean hasName() {
        return Disk.of(path).exists(file);
    }

    /** What has happened to the name; null if it still leads to the same file. */
    @Nullable
    String problem() {
        try {
            return keyOf(path).equals(key)
                    ? null
                    : path + " was replaced by another file or directory while it is in use";
        } catch (IOException e) {
            return Disk.of(path).notExists(path)
                    ? path + " was removed or moved away while it is in use"
                    : path + " cannot be checked: " + e;
        }
    }

    private static Object keyOf(Path path) throws IOException {
        Object key = Disk.of(path).key(path);
        return key == null ? path : key;
    }
}
