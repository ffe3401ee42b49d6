package io.millrace.journal.file;

import io.millrace.journal.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives the file that is appended to blocks of the disk before Chronicle maps them. Chronicle would make a file longer by
 * setting its length, which leaves a hole: on a full disk a store there is a SIGBUS. So here a file is made longer by
 * appending zeros, and always before Chronicle needs it, which then never does. On a full disk that is an {@link
 * IOException} of a write, and nothing was stored anywhere.
 *
 * <p>Zeros are written with {@code O_APPEND}: the kernel puts them behind the file's end, wherever that is at the moment. So
 * whatever two threads do, none can ever come to lie on data. The rest follows:
 * <ul>
 *   <li>Chronicle maps a chunk of {@code blockBytes} and an overlap of a quarter of that. The file must reach to the end
 *       of both before a byte of the chunk is touched: {@link #lengthFor}.
 *   <li>A new file is made under another name, with its first chunk, and then renamed: there is none that is too short.
 *   <li>The appending thread asks {@link #covers} before each append, and else waits for {@link #extend}. Mostly the
 *       thread of {@link #makeAhead} was there before.
 * </ul>
 *
 * <p>The methods that write to the disk exclude each other. {@link #begin} and {@link #goOn} are the appending thread's.
 */
public final class FileAllocation {
    /** What a next append may take besides: Chronicle's header and indexes of a new file, or an index of an old one. */
    public static final int SLACK_BYTES = 256 << 10;

    private static final String SPARE = "next.spare";
    /** What Chronicle maps beyond a small chunk. */
    private static final long MIN_OVERLAP = 64 << 10;

    private static final int PIECE_BYTES = 1 << 20;
    private static final Set<StandardOpenOption> APPEND =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);

    private final Path directory;
    private final long blockBytes;
    private final DiskReserve room;
    private final ByteBuffer zeros = ByteBuffer.allocateDirect(PIECE_BYTES);
    private volatile @Nullable Path file;
    private volatile long length;
    private volatile long position;
    private volatile boolean spareWanted;
    private boolean spareMade;
    private volatile Runnable onNeed = () -> {};

    /** Of one shard. */
    public FileAllocation(Path directory, long blockBytes, DiskReserve room) {
        this.directory = directory;
        this.blockBytes = blockBytes;
        this.room = room;
    }

    /** Whom to tell when there is something to do ahead. */
    public void onNeed(Runnable wake) {
        onNeed = wake;
    }

    /** How long a file must be for Chronicle to write up to a position without making it longer itself. */
    public static long lengthFor(long position, long blockBytes) {
        return (position / blockBytes + 1) * blockBytes + blockBytes / 4 + MIN_OVERLAP;
    }

    /**
     * Goes on with a file of an earlier run. It was made here, and so has its blocks; but a copy that was brought back may
     * have holes where there were zeros. So zeros are written where there are zeros. Nobody has the file mapped for
     * writing yet.
     *
     * @return the end of what is in it, at the most a page and the zeros at a batch's end off
     */
    public synchronized long goOn(Path existing) throws IOException {
        long used = ZeroPages.fillTail(existing);
        // Mostly it is so long.
        length = append(existing, lengthFor(used, blockBytes));
        position = used;
        file = existing;
        return used;
    }

    /** Makes a new file, empty but for zeros, under a name that there is not yet; the one before stays as it is. */
    public synchronized void begin(Path next) throws IOException {
        if (Files.exists(next)) {
            throw new FileAlreadyExistsException(next + " is there, and should be made now");
        }
        Path spare = spare();
        append(spare, lengthFor(SLACK_BYTES, blockBytes));
        long made = Files.size(spare);
        Files.move(spare, next, StandardCopyOption.ATOMIC_MOVE);
        spareWanted = false;
        spareMade = false;
        position = 0;
        length = made;
        file = next;
    }

    private Path spare() {
        return directory.resolve(SPARE);
    }

    /** True if the file has blocks for an append up to here. Any thread. */
    public boolean covers(long end) {
        return file != null && length >= lengthFor(end, blockBytes);
    }

    /** Makes the file long enough for an append up to here. */
    public synchronized void extend(long end) throws IOException {
        if (file != null) {
            length = append(file, lengthFor(end, blockBytes));
        }
    }

    /**
     * Takes note of how far appends have come, of this file.
     *
     * @param end where the next begins
     * @param nextSoon whether there will be a new file before long
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
     * Gives the file its next chunk once half of the last is used, and makes the next file when it is wanted. Any thread.
     *
     * @throws IOException if there is no room; nothing is lost by it yet, and the append that needs it will say so
     */
    public synchronized void makeAhead() throws IOException {
        long ahead = position + blockBytes / 2;
        if (file != null && !covers(ahead)) {
            extend(ahead);
        }
        if (spareWanted && !spareMade) {
            append(spare(), lengthFor(SLACK_BYTES, blockBytes));
            spareMade = true;
        }
    }

    /** Makes a file so long, if it is not; returns how long it is then. */
    private long append(Path path, long wanted) throws IOException {
        try (FileChannel channel = FileChannel.open(path, APPEND, PrivateFiles.FILE)) {
            long size = channel.size();
            if (size < wanted) {
                room.require(wanted - size);
            }
            while (size < wanted) {
                zeros.clear().limit((int) Math.min(PIECE_BYTES, wanted - size));
                channel.write(zeros);
                size = channel.size();
            }
            return size;
        }
    }

    /** Releases what was made for a file that is not needed. */
    public synchronized void close() throws IOException {
        file = null;
        spareWanted = false;
        spareMade = false;
        Files.deleteIfExists(spare());
    }
}
