package io.millrace.journal;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Looks whether the disk has room before anything is appended. Chronicle maps sparse files: on a full disk a store to a
 * page that has no block yet is a SIGBUS, which in a JVM is an error at some later moment. So the writer stops early:
 * room for a stretch of appends and a reserve for the files' own growth must be free. One thread.
 */
final class DiskRoom {
    /** Bytes that must be free besides: for indexes and new files between two looks. */
    private static final long RESERVE_BYTES = 64L << 20;

    private static final long STRETCH_BYTES = 16L << 20;

    private final FileStore disk;
    private final long reserveBytes;
    private long allowedBytes;

    /**
     * Makes one for a shard.
     *
     * @param shards how many share the disk: each may have taken its stretch since this one looked
     */
    DiskRoom(Path directory, int shards) throws IOException {
        this(Files.getFileStore(directory), RESERVE_BYTES + shards * STRETCH_BYTES);
    }

    DiskRoom(FileStore disk, long reserveBytes) {
        this.disk = disk;
        this.reserveBytes = reserveBytes;
    }

    /** Bytes that must be free for appends to go on. */
    long requiredBytes() {
        return STRETCH_BYTES + reserveBytes;
    }

    /** Takes room for an append; looks at the disk each 16 MiB of appends, and each time after there was none. */
    boolean take(long bytes) throws IOException {
        if (allowedBytes < bytes) {
            long stretch = Math.max(STRETCH_BYTES, bytes);
            if (disk.getUsableSpace() < stretch + reserveBytes) {
                allowedBytes = 0;
                return false;
            }
            allowedBytes = stretch;
        }
        allowedBytes -= bytes;
        return true;
    }
}
