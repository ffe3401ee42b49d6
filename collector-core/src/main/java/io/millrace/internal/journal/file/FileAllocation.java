package io.millrace.internal.journal.file;

import io.millrace.internal.disk.Disk;
import io.millrace.internal.disk.DiskFile;
import io.millrace.internal.journal.PrivateFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Allocation of disk blocks for the current file before Chronicle maps them. Chronicle would extend a file by setting
 * its length, which leaves a hole. On a full disk, a store into the hole is a SIGBUS. So this class extends the file with
 * {@code fallocate(2)} before Chronicle needs it. On a full disk, that throws an {@link IOException}, and no data is
 * affected.
 *
 * <p>If batches are synced, or on a file system that cannot do this, zeros are written with {@code O_APPEND} instead: the kernel
 * writes them after the current end of the file. So neither way overwrites data, whatever two threads do. The details:
 * <ul>
 *   <li>Chronicle maps a chunk of {@code blockBytes} and an overlap of a quarter of that. The file must reach the end
 *       of both before a byte of the chunk is used: {@link #lengthFor}.
 *   <li>A new file is created under another name with its first chunk, and then renamed. So no file is too short.
 *   <li>The appending thread checks {@link #covers} before each append. If it is false, it calls {@link #extend} and
 *       waits. Usually the thread of {@link #allocateAhead} has extended the file before.
 * </ul>
 *
 * <p>The methods that write to the disk are synchronized. Only the appending thread calls {@link #begin} and {@link
 * #continueWith}.
 */
public final class FileAllocation implements Closeable {
    /**
     * The maximum that an append needs in addition: Chronicle's header and indexes of a new file, or one more index.
     */
    public static final int SLACK_BYTES = 256 << 10;

    /** How blocks are allocated. */
    public enum Method {
        /** {@code fallocate(2)}: costs little. But the first sync of each block changes metadata too, and takes several times as long. */
        RESERVE,
        /** Zeros are written. */
        WRITE
    }

    private static final String SPARE = "next.spare";
    /** The minimum overlap that Chronicle maps after a chunk. */
    private static final long MIN_OVERLAP = 64 << 10;

    private static final int PIECE_BYTES = 128 << 10;
    private static final Set<StandardOpenOption> APPEND =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);

    private final Path directory;
    private final long blockBytes;
    private final DiskReserve room;
    private final Method method;
    private volatile @Nullable Path file;
    private volatile long length;
    private volatile long position;
    private volatile boolean spareWanted;
    private boolean spareMade;
    private volatile Runnable onNeed = () -> {};

    /** Creates the allocation for one shard. */
    public FileAllocation(Path directory, long blockBytes, DiskReserve room, Method method) {
        this.directory = directory;
        this.blockBytes = blockBytes;
        this.room = room;
        this.method = method;
    }

    /** Sets the callback for when {@link #allocateAhead} has something to do. */
    public void onNeed(Runnable wake) {
        onNeed = wake;
    }

    /** The length that a file needs so that Chronicle can write up to a position without extending it. */
    public static long lengthFor(long position, long blockBytes) {
        return (position / blockBytes + 1) * blockBytes + blockBytes / 4 + MIN_OVERLAP;
    }

    /**
     * Continues with a file of an earlier run. Its blocks are allocated, but a restored copy may have holes instead of
     * zeros. So this method writes zeros where it reads zeros. No process has mapped the file for writing yet.
     *
     * @return the end of the data, rounded up to a page, and not counting zeros at the end of a batch
     */
    public synchronized long continueWith(Path existing) throws IOException {
        long used = ZeroPages.fillTail(existing);
        // Usually the file is long enough.
        length = append(existing, lengthFor(used, blockBytes));
        position = used;
        file = existing;
        return used;
    }

    /** Starts a new file of zeros, whose name must not exist yet. The previous file does not change. */
    public synchronized void begin(Path next) throws IOException {
        if (Disk.of(next).exists(next)) {
            throw new FileAlreadyExistsException(next + " exists already, but is to be created now");
        }
        Path spare = spare();
        makeSpare(spare);
        long made = Disk.of(spare).size(spare);
        Disk.of(spare).rename(spare, next);
        spareWanted = false;
        spareMade = false;
        position = 0;
        length = made;
        file = next;
    }

    private Path spare() {
        return directory.resolve(SPARE);
    }

    /** True if the file has allocated blocks for an append up to this position. Any thread. */
    public boolean covers(long end) {
        return file != null && length >= lengthFor(end, blockBytes);
    }

    /** Extends the file for an append up to this position. */
    public synchronized void extend(long end) throws IOException {
        if (file != null) {
            length = append(file, lengthFor(end, blockBytes));
        }
    }

    /**
     * Records the end of the last append to this file.
     *
     * @param end the position of the next append
     * @param nextSoon true if a new file will be needed soon
     */
    public void appended(long end, boolean nextSoon) {
        boolean wasEnough = covers(position + blockBytes / 2);
        boolean wasWanted = spareWanted;
        position = end;
        spareWanted = nextSoon;
        if ((wasEnough && !covers(end + blockBytes / 2)) || (nextSoon && !wasWanted)) {
            onNeed.run();
        }
    }

    /**
     * Allocates the next chunk once half of the last one is used, and the next file once it will be needed soon. Any
     * thread.
     *
     * @throws IOException if the disk is full; nothing is lost, and the append that needs the blocks fails too
     */
    public synchronized void allocateAhead() throws IOException {
        long ahead = position + blockBytes / 2;
        if (file != null && !covers(ahead)) {
            extend(ahead);
            if (!covers(position + blockBytes / 2)) {
                // Much was appended meanwhile.
                onNeed.run();
            }
        }
        if (spareWanted) {
            makeSpare(spare());
        }
    }

    /**
     * Prepares the next file. One of an earlier process may have data: if the power fails before the disk knows its new name, a
     * journal file is a spare again.
     */
    private void makeSpare(Path spare) throws IOException {
        if (!spareMade) {
            Disk.of(spare).deleteIfExists(spare);
            append(spare, lengthFor(SLACK_BYTES, blockBytes));
            spareMade = true;
        }
    }

    /** Extends a file to a length, unless it is longer; returns its length. */
    private long append(Path path, long wanted) throws IOException {
        try (DiskFile channel = Disk.of(path).open(path, APPEND, PrivateFiles.FILE)) {
            long size = channel.size();
            if (size < wanted) {
                room.require(wanted - size);
                if (method == Method.WRITE || !Disk.of(path).allocate(path, size, wanted - size)) {
                    appendZeros(channel, wanted);
                }
                size = channel.size();
            }
            return size;
        }
    }

    private static void appendZeros(DiskFile channel, long wanted) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(PIECE_BYTES);
        while (channel.size() < wanted) {
            zeros.clear().limit((int) Math.min(PIECE_BYTES, wanted - channel.size()));
            channel.append(zeros);
        }
    }

    /** Deletes the prepared next file. */
    @Override
    public synchronized void close() throws IOException {
        file = null;
        spareWanted = false;
        spareMade = false;
        Disk.of(directory).deleteIfExists(spare());
    }
}
