package io.millrace.journal.file;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Leaves a little of the disk to others when the journal takes blocks: positions, dead letters and whoever wants to make
 * room. That is a courtesy: what keeps the journal whole is that its blocks are taken before they are used. Any thread.
 */
public final class DiskReserve {
    /** Bytes that stay free. */
    static final long RESERVE_BYTES = 16L << 20;

    private final Path directory;
    private final Disk disk;

    /** Tells how many bytes are free. */
    @FunctionalInterface
    interface Disk {
        long usableBytes() throws IOException;
    }

    /** Of the disk a directory is on. */
    public DiskReserve(Path directory) {
        this(directory, () -> usableBytes(directory));
    }

    public DiskReserve(Path directory, Disk disk) {
        this.directory = directory;
        this.disk = disk;
    }

    /**
     * Bytes of its disk that are free for this user. (A {@code FileStore} would look for the mount point, which a chroot hides.)
     *
     * @throws IOException if the disk does not answer
     */
    public static long usableBytes(Path directory) throws IOException {
        File file = directory.toFile();
        long free = file.getUsableSpace();
        if (free == 0 && file.getTotalSpace() == 0) {
            throw new IOException("the disk does not say how much is free for " + directory);
        }
        return free;
    }

    /**
     * Asks for room before so many bytes are written.
     *
     * @throws DiskFullException if they are not free, with the reserve
     * @throws IOException if the disk does not answer
     */
    void require(long bytes) throws IOException {
        long free = disk.usableBytes();
        if (free < bytes + RESERVE_BYTES) {
            throw new DiskFullException(String.format(
                    "%d MiB must be free for %s, and %d are",
                    (bytes + RESERVE_BYTES + (1 << 20) - 1) >> 20, directory, free >> 20));
        }
    }
}
