package io.millrace.journal;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Leaves a little of the disk to others when the journal takes blocks: positions, dead letters and whoever wants to make
 * room. That is a courtesy: what keeps the journal whole is that its blocks are taken before they are used. Any thread.
 */
final class DiskRoom {
    /** Bytes that stay free. */
    static final long RESERVE_BYTES = 16L << 20;

    private final Path directory;
    private final FileStore disk;

    /** Of the disk a directory is on. */
    DiskRoom(Path directory) throws IOException {
        this(directory, Files.getFileStore(directory));
    }

    DiskRoom(Path directory, FileStore disk) {
        this.directory = directory;
        this.disk = disk;
    }

    /**
     * Asks for room before so many bytes are written.
     *
     * @throws NoRoomException if they are not free, with the reserve
     * @throws IOException if the disk does not answer
     */
    void require(long bytes) throws IOException {
        long free = disk.getUsableSpace();
        if (free < bytes + RESERVE_BYTES) {
            throw new NoRoomException(String.format(
                    "%d MiB must be free for %s, and %d are",
                    (bytes + RESERVE_BYTES + (1 << 20) - 1) >> 20, directory, free >> 20));
        }
    }
}
