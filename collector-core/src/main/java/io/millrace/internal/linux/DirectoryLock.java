package io.millrace.internal.linux;

import com.sun.jna.LastErrorException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An exclusive {@code flock(2)} on a directory. The lock is on the inode of the directory, so it cannot be removed as a
 * lock file can. The kernel releases it when the process ends, also after {@code kill -9}. It also works between
 * containers that share a volume of one host. The JDK cannot take it: it locks only files that are open for writing.
 * One thread.
 */
public final class DirectoryLock implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryLock.class);

    private static final int NONE = -1;

    private int descriptor;

    private DirectoryLock(int descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * Takes the lock without waiting. If directories cannot be locked here, this method logs a warning and returns an
     * object that holds no lock.
     *
     * @return null if another process holds the lock
     */
    public static @Nullable DirectoryLock tryLock(Path directory) {
        int descriptor = NONE;
        try {
            descriptor = LibC.open(directory);
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
                "Cannot lock directory {} ({}): do not remove its LOCK file, which is the only lock now",
                directory,
                reason.toString());
        return new DirectoryLock(NONE);
    }

    private static void closeIfOpen(int descriptor) {
        if (descriptor != NONE) {
            LibC.close(descriptor);
        }
    }

    /** True if this object holds the lock; false if directories cannot be locked here. */
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
