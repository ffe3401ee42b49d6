package io.millrace.app.sink;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that lines are appended to, and that is locked: two that append to one file would take back each other's lines when a
 * write fails. One thread.
 */
final class OpenFile {
    private static final Logger LOG = LoggerFactory.getLogger(OpenFile.class);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final int TAIL_BYTES = 64 << 10;

    /** No line of this service is longer: what has no line feed in so many bytes at its end, somebody else wrote. */
    private static final int MOST_HALF_LINE = 1 << 20;

    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);

    private final Path path;
    private final FileChannel channel;
    private final @Nullable Object key;
    private long begunNs = System.nanoTime();
    private long length;
    private long lookedNs = System.nanoTime();

    private OpenFile(Path path, FileChannel channel, @Nullable Object key, long length) {
        this.path = path;
        this.channel = channel;
        this.key = key;
        this.length = length;
    }

    /**
     * Opens or makes a file, mode 0640, and its directories; cuts off half a line at its end. What is nothing but half a line, or a very long
     * one, may be somebody else's: it gets a line feed.
     *
     * @throws IOException if that failed, or somebody else has the file
     */
    static OpenFile open(Path path) throws IOException {
        Path directory = path.toAbsolutePath().getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            // To open a pipe would wait for somebody who reads it.
            throw new IOException(path + " is not a regular file");
        }
        // A channel that appends cannot read. This one is closed before the lock is taken: on Linux, a process loses
        // its locks
        // of a file with the first channel of it that it closes.
        long size = 0;
        long whole = 0;
        if (Files.exists(path)) {
            try (FileChannel reader = FileChannel.open(path, StandardOpenOption.READ)) {
                size = reader.size();
                whole = wholeLines(reader, size);
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
            if (whole < 0) {
                LOG.info("{} does not end in a line feed, and has none near its end: one is added", path);
                OpenFile file = new OpenFile(path, channel, key(path), size);
                file.append(new byte[] {'\n'}, 1, false);
                return file;
            }
            if (whole < size) {
                LOG.info("{} ends in half a line, which a crash left: {} bytes are cut off", path, size - whole);
                channel.truncate(whole);
            }
            return new OpenFile(path, channel, key(path), whole);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static void lock(FileChannel channel, Path path) throws IOException {
        FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // Another output of this process has it.
            lock = null;
        }
        if (lock == null) {
            throw new IOException("another output or process writes to " + path + ": a file belongs to one output");
        }
    }

    /** The length up to the last line feed; negative if there is none where half a line of ours would begin. */
    private static long wholeLines(FileChannel reader, long size) throws IOException {
        long end = size;
        ByteBuffer tail = ByteBuffer.allocate(TAIL_BYTES);
        while (end > Math.max(0, size - MOST_HALF_LINE)) {
            long begin = Math.max(0, end - TAIL_BYTES);
            tail.clear().limit((int) (end - begin));
            while (tail.hasRemaining() && reader.read(tail, begin + tail.position()) > 0) {
                // All of it.
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

    /** Appends whole lines; all of them, or none. */
    void append(byte[] bytes, int count, boolean sync) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, count);
        // It is another one if somebody emptied the file, as logrotate does with copytruncate.
        length = channel.size();
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

    /** Says when it was first written to, if it was closed meanwhile. */
    void begunAt(long ns) {
        begunNs = ns;
    }

    boolean isFull(FileSink.Rotation rotation) {
        return length > 0
                && (length >= rotation.bytes()
                        || Duration.ofNanos(System.nanoTime() - begunNs).compareTo(rotation.after()) >= 0);
    }

    /** True if somebody renamed or removed the file; looked at once a second. */
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

    /** Gives the closed file a name with the time, {@code app-20261121T100000Z.log}, and has it compressed. */
    void rotate(Compressor compressor, FileSink.Compression compression) throws IOException {
        String name = String.valueOf(path.getFileName());
        int dot = name.lastIndexOf('.');
        String stem = dot > 0 ? name.substring(0, dot) : name;
        String extension = dot > 0 ? name.substring(dot) : "";
        String time = TIME.format(Instant.now());
        Path target = path.resolveSibling(stem + "-" + time + extension);
        for (int i = 1; Files.exists(target) || compressor.hasTaken(target); i++) {
            target = path.resolveSibling(stem + "-" + time + "." + i + extension);
        }
        Files.move(path, target);
        compressor.compress(target, compression);
    }

    void close() throws IOException {
        channel.close();
    }
}
