package io.millrace.linux;

import com.sun.jna.LastErrorException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An exclusive {@code flock(2)} on a directory. The lock is on the directory's inode: it cannot be removed while the directory stays,
 * as a lock file can. It ends with the process, also after {@code kill -9}, and holds between containers that share a volume of one
 * host, whatever their namespaces are. The JDK cannot take it: it locks only what is open for writing. One thread.
 */
public final class DirectoryLock implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryLock.class);

    private static final int NONE = -1;

    private int descriptor;

    private DirectoryLock(int descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * Takes the lock without waiting. Where the file system or the process cannot lock a directory, a warning says so, and the result
     * holds nothing.
     *
     * @return null if somebody else holds it
     */
    public static @Nullable DirectoryLock tryLock(Path directory) {
        int descriptor = NONE;
        try {
            descriptor = LibC.openDirectory(directory);
            LibC.lock(descriptor);
            return new DirectoryLock(descriptor);
        } catch (LastErrorException e) {
            closeIfOpen(descriptor);
            if (e.getErrorCode() == LibC.EWOULDBLOCK) {
                return null;
            }
            return unsupported(directory, e);
        } catch (RuntimeException | LinkageError e) {
            return unsupported(directory, e);
        }
    }

    private static DirectoryLock unsupported(Path directory, Throwable reason) {
        LOG.warn(
                "Directory {} cannot be locked itself ({}): do not remove its LOCK file, which alone keeps a second process out",
                directory,
                reason.toString());
        return new DirectoryLock(NONE);
    }

    private static void closeIfOpen(int descriptor) {
        if (descriptor != NONE) {
            LibC.close(descriptor);
        }
    }

    /** False if a directory cannot be locked here, so that nothing is known of others. */
    public boolean isHeld() {
        return descriptor != NONE;
    }

    /** Releases the lock. Can be called twice. */
    @Override
    public void close() throws IOException {
        int open = descriptor;
        descriptor = NONE;
        try {
            closeIfOpen(open);
        } catch (LastErrorException e) {
            throw new IOException("cannot release the lock of a directory: " + e.getMessage(), e);
        }
    }
}
