package io.millrace.output.file;

import io.millrace.output.Compression;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open and locked file that lines are appended to: two writers could undo each other's lines when a write fails. One
 * thread.
 */
final class OpenFile {
    private static final Logger LOG = LoggerFactory.getLogger(OpenFile.class);
    private static final int TAIL_BYTES = 64 << 10;

    /** The maximum length of our lines: if the last bytes of a file have no line feed, another program wrote them. */
    private static final int MAX_HALF_LINE = 1 << 20;

    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);

    /**
     * The output that opens a file, and its rights.
     *
     * @param sink the output as the owner of claims
     * @param mark its name, with which it marks its files; null for a constant path
     * @param isOfMessages true if names are from messages: then it writes only to files that it has made
     */
    record Owner(Object sink, @Nullable String mark, boolean isOfMessages) {}

    private final Path path;
    private final Path absolute;
    private final FileChannel channel;
    private final @Nullable Object key;
    private final Owner owner;
    private long begunNs = System.nanoTime();
    private long length;
    private long lookedNs = System.nanoTime();
    private long writtenNs = System.nanoTime();

    private OpenFile(Path path, FileChannel channel, @Nullable Object key, Owner owner, long length) {
        this.owner = owner;
        this.path = path;
        this.absolute = path.toAbsolutePath().normalize();
        this.channel = channel;
        this.key = key;
        this.length = length;
    }

    /**
     * Opens or creates a file with mode 0640, and its directories. An incomplete line at its end, which a crash left,
     * is removed. A file that is only an incomplete or a very long line may be another program's and gets a line feed
     * instead.
     *
     * @throws UnusableNameException if this output may not write to a file of this name
     * @throws IOException if that failed, or another process has locked the file
     */
    static OpenFile open(Path path, Owner owner) throws IOException {
        Path directory = path.toAbsolutePath().getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
        Path claimed = path.toAbsolutePath().normalize();
        if (!FileClaims.OF_PROCESS.claim(claimed, owner.sink())) {
            throw new UnusableNameException("another output writes to " + path + ": a file belongs to one output");
        }
        OpenFile file = null;
        try {
            file = openClaimed(path, owner);
            return file;
        } finally {
            if (file == null) {
                FileClaims.OF_PROCESS.release(claimed, owner.sink());
            }
        }
    }

    /** True if this output has created a file of this name before. */
    static boolean isOwned(Path path, Owner owner) throws IOException {
        return owner.mark() != null
                && Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                && FileMark.of(path, owner.mark()) != FileMark.Found.NOT_OWNED;
    }

    Path path() {
        return path;
    }

    boolean isAt(String name) {
        return path.toString().equals(Path.of(name).toString());
    }

    /** True if this is the file at an absolute path. */
    boolean isAt(Path place) {
        return absolute.equals(place);
    }

    private static OpenFile openClaimed(Path path, Owner owner) throws IOException {
        boolean found = Files.exists(path, LinkOption.NOFOLLOW_LINKS);
        boolean whole = true;
        if (found) {
            whole = check(path, owner);
        }
        // An appending channel cannot read. The reading one is closed before the lock is taken: on Linux, a process
        // loses its locks of a file when it closes any channel of the file.
        long size = 0;
        long lines = 0;
        if (found) {
            try (FileChannel reader = FileChannel.open(path, StandardOpenOption.READ)) {
                size = reader.size();
                lines = wholeLines(reader, size);
            }
        }
        FileChannel channel = FileChannel.open(
                path,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----")));
        try {
            lock(channel, path);
            if (channel.size() != size) {
                throw new IOException(path + " changed while it was opened");
            }
            if (owner.mark() != null && (size == 0 || !owner.isOfMessages())) {
                FileMark.set(path, owner.mark());
            }
            Object key = key(path);
            if (key != null && !FileClaims.OF_PROCESS.claim(key, owner.sink())) {
                throw new UnusableNameException("another output writes to " + path + " under another name");
            }
            OpenFile file = new OpenFile(path, channel, key, owner, lines < 0 ? size : lines);
            try {
                file.endLine(lines, size, whole);
            } catch (IOException e) {
                file.close();
                throw e;
            }
            if (owner.isOfMessages() && !FileClaims.OF_PROCESS.opened(file, owner.sink())) {
                file.close();
                throw new UnusableNameException("another output writes to " + path + ": a file belongs to one output");
            }
            return file;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Checks that the output may write to an existing file; returns false if nothing may be removed from it.
     *
     * @throws UnusableNameException if it may not: the path is not a file, or a message named a file that is not this
     *     output's
     */
    private static boolean check(Path path, Owner owner) throws IOException {
        if (!Files.isRegularFile(path)) {
            // Opening a pipe would block until a reader exists.
            throw new UnusableNameException(path + " is not a regular file");
        }
        if (owner.mark() == null || !owner.isOfMessages()) {
            return true;
        }
        if (Files.isSymbolicLink(path)) {
            throw new UnusableNameException(path + " is a symbolic link");
        }
        FileMark.Found mark = Files.size(path) == 0 ? FileMark.Found.OWNED : FileMark.of(path, owner.mark());
        if (mark == FileMark.Found.NOT_OWNED || (mark == FileMark.Found.UNKNOWN && FileMark.isArchive(path))) {
            throw new UnusableNameException(path + " was not made by this output; 'setfattr -n user.millrace.output -v "
                    + owner.mark() + " " + path + "' lets it write there");
        }
        return mark == FileMark.Found.OWNED;
    }

    private void endLine(long lines, long size, boolean whole) throws IOException {
        if (lines == size) {
            return;
        }
        if (lines < 0 || !whole) {
            LOG.info("{} does not end in a line feed: one is added", path);
            length = size;
            append(new byte[] {'\n'}, 1, false);
        } else {
            LOG.info("{} ends in half a line, which a crash left: {} bytes are removed", path, size - lines);
            channel.truncate(lines);
        }
    }

    private static void lock(FileChannel channel, Path path) throws IOException {
        FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            throw new UnusableNameException("another output writes to " + path + " under another name");
        }
        if (lock == null) {
            throw new IOException("another process writes to " + path + ": a file belongs to one output");
        }
    }

    /** The length up to the last line feed; negative if there is none within the maximum length of a line. */
    private static long wholeLines(FileChannel reader, long size) throws IOException {
        long end = size;
        ByteBuffer tail = ByteBuffer.allocate(TAIL_BYTES);
        while (end > Math.max(0, size - MAX_HALF_LINE)) {
            long begin = Math.max(0, end - TAIL_BYTES);
            tail.clear().limit((int) (end - begin));
            while (tail.hasRemaining() && reader.read(tail, begin + tail.position()) > 0) {
                // The whole file.
            }
            for (int i = tail.position() - 1; i >= 0; i--) {
                if (tail.get(i) == '\n') {
                    return begin + i + 1;
                }
            }
            end = begin;
        }
        return size == 0 ? 0 : -1;
    }

    private static @Nullable Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    /** Appends whole lines, all or none. */
    void append(byte[] bytes, int count, boolean sync) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, count);
        // Another program may have truncated the file, such as logrotate with copytruncate.
        length = channel.size();
        writtenNs = System.nanoTime();
        try {
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            if (sync) {
                channel.force(false);
            }
            length += count;
        } catch (IOException e) {
            channel.truncate(length);
            throw e;
        }
    }

    /** Sets the time of the first write of a file that was closed meanwhile. */
    void begunAt(long ns) {
        begunNs = ns;
    }

    boolean isFull(FileSink.Rotation rotation) {
        return length > 0
                && (length >= rotation.bytes()
                        || Duration.ofNanos(System.nanoTime() - begunNs).compareTo(rotation.after()) >= 0);
    }

    boolean isEmpty() {
        return length == 0;
    }

    /** True if nothing was written for this time. */
    boolean isIdle(Duration time) {
        return System.nanoTime() - writtenNs >= time.toNanos();
    }

    /** True if the file was renamed or removed; checked every second. */
    boolean isGone() {
        long now = System.nanoTime();
        if (now - lookedNs < LOOK_NS) {
            return false;
        }
        lookedNs = now;
        try {
            return !Objects.equals(key, key(path));
        } catch (IOException e) {
            return true;
        }
    }

    /**
     * Renames the file, to which nothing is written any more, with the time ({@link RotatedNames}), and starts its compression.
     */
    void rotate(RotatedNames names, Compressor compressor, Compression compression) throws IOException {
        Path target = names.next(path, file -> Files.exists(file) || compressor.hasTaken(file));
        Files.move(path, target);
        compressor.compress(target, compression);
    }

    /** Any thread: a concurrent write then meets a closed channel. */
    void close() throws IOException {
        FileClaims.OF_PROCESS.closed(this);
        if (key != null) {
            FileClaims.OF_PROCESS.release(key, owner.sink());
        }
        FileClaims.OF_PROCESS.release(absolute, owner.sink());
        channel.close();
    }
}
