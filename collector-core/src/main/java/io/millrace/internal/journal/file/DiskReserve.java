package io.millrace.internal.journal.file;

import io.millrace.internal.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A reserve of free disk space that the journal does not allocate, for positions, dead letters and manual cleanup. The
 * journal does not depend on it: its blocks are allocated before they are used. Any thread.
 */
public final class DiskReserve {
    /** Bytes that stay free. */
    static final long RESERVE_BYTES = 16L << 20;

    private final Path directory;
    private final FreeSpace space;

    /** The source of the free disk space. */
    @FunctionalInterface
    interface FreeSpace {
        long usableBytes() throws IOException;
    }

    /** Creates a reserve on the disk of a directory. */
    public DiskReserve(Path directory) {
        this(directory, () -> usableBytes(directory));
    }

    public DiskReserve(Path directory, FreeSpace space) {
        this.directory = directory;
        this.space = space;
    }

    /**
     * Returns the bytes of a directory's disk that are free for this user.
     *
     * @throws IOException if the free space cannot be read
     */
    public static long usableBytes(Path directory) throws IOException {
        Disk disk = Disk.of(directory);
        long free = disk.usableBytes(directory);
        if (free == 0 && disk.totalBytes(directory) == 0) {
            throw new IOException("cannot read the free disk space of " + directory);
        }
        return free;
    }

    /**
     * Checks that there is free space for so many bytes and the reserve.
     *
     * @throws DiskFullException if there is not
     * @throws IOException if the free space cannot be read
     */
    void require(long bytes) throws IOException {
        long free = space.usableBytes();
        if (free < bytes + RESERVE_BYTES) {
            throw new DiskFullException(String.format(
                    "%d MiB must be free for %s, but only %d MiB are",
                    (bytes + RESERVE_BYTES + (1 << 20) - 1) >> 20, directory, free >> 20));
        }
    }
}
