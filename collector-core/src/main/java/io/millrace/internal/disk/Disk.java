package io.millrace.internal.disk;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A disk with files and directories. Its methods do what the methods of {@link java.nio.file.Files} with these names do, and throw
 * the same exceptions. Any thread.
 */
public interface Disk {
    /** The answer of {@link #host} if it is not known. */
    long UNKNOWN_HOST = 0;

    /** The disk of a path: the real one, unless a test has registered another for a directory above it. */
    static Disk of(Path path) {
        return Disks.of(path);
    }

    /** Opens a file, and creates it if the options say so. */
    DiskFile open(Path file, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException;

    /** Opens an existing file. */
    default DiskFile open(Path file, OpenOption... options) throws IOException {
        return open(file, Set.of(options));
    }

    /**
     * Allocates the blocks of a range of a file, which becomes as long as needed. Data stays as it is, and new blocks read as zeros
     * without being written.
     *
     * @return false if the file system cannot do it, or it is not allowed here
     * @throws IOException if the disk is full or fails
     */
    boolean allocate(Path file, long from, long bytes) throws IOException;

    /** Syncs a range of a writable map of a file, which may be closed. */
    void sync(Path file, MappedByteBuffer map, int offset, int length);

    /** Syncs a directory, or a file including its metadata and mapped pages, to disk. */
    void sync(Path path) throws IOException;

    /** Renames a file or a directory atomically; a file replaces an existing one. */
    void rename(Path from, Path to) throws IOException;

    /** Creates a hard link. */
    void link(Path link, Path existing) throws IOException;

    void delete(Path path) throws IOException;

    boolean deleteIfExists(Path path) throws IOException;

    /** Creates a file, which must not exist. */
    void create(Path file, FileAttribute<?>... attributes) throws IOException;

    /** Creates a directory, which must not exist. */
    void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException;

    /** Creates a directory and those above it, unless they exist; returns it. */
    Path createDirectories(Path directory, FileAttribute<?>... attributes) throws IOException;

    /** What is in a directory, in no order. */
    List<Path> list(Path directory) throws IOException;

    /** A directory and everything below it; a directory is before its content. */
    List<Path> walk(Path top) throws IOException;

    boolean exists(Path path);

    /** True if it is known that nothing has this name. */
    boolean notExists(Path path);

    /** True if something has this name. It allocates no object. */
    boolean exists(File file);

    boolean isDirectory(Path path);

    /** True for a regular file; links are not followed. */
    boolean isPlainFile(Path path);

    /** True for a directory; links are not followed. */
    boolean isPlainDirectory(Path path);

    long size(Path file) throws IOException;

    FileTime modified(Path path) throws IOException;

    /** Device and inode; null if the file system has none. */
    @Nullable
    Object key(Path path) throws IOException;

    /** Type and permissions, as {@code st_mode}. */
    int mode(Path path) throws IOException;

    /** Sets permissions. */
    void setMode(Path path, int mode) throws IOException;

    /** The number of hard links. */
    int links(Path file) throws IOException;

    UserPrincipal owner(Path path) throws IOException;

    /** The bytes that this user can still allocate; 0 if that is unknown, see {@link #totalBytes}. */
    long usableBytes(Path directory);

    /** The size of the file system; 0 if that is unknown. */
    long totalBytes(Path directory);

    /**
     * True if another process holds a lock on a file, as {@link DiskFile#tryLock} takes it. It takes no lock itself. This process
     * must hold none: closing any descriptor of the file releases it.
     */
    boolean isLockedByOther(Path file) throws IOException;

    /**
     * Identifies the kernel since its boot, and the device of a directory. If one of both has changed, what was written and not
     * synced may be gone: after a loss of power, and when a volume is attached to another host. {@link #UNKNOWN_HOST} if the kernel
     * does not tell.
     */
    long host(Path directory);

    /** Reads a whole file. */
    default byte[] read(Path file) throws IOException {
        try (DiskFile open = open(file, StandardOpenOption.READ)) {
            return open.input().readAllBytes();
        }
    }

    /**
     * Reads a whole file as text.
     *
     * @throws CharacterCodingException if it is not text of this charset
     */
    default String readString(Path file, Charset charset) throws IOException {
        return charset.newDecoder().decode(ByteBuffer.wrap(read(file))).toString();
    }

    /**
     * Reads a text file line by line.
     *
     * @throws CharacterCodingException if it is not text of this charset
     */
    default List<String> readAllLines(Path file, Charset charset) throws IOException {
        return readString(file, charset).lines().toList();
    }

    /** Writes text to an existing file, which is empty. */
    default void writeString(Path file, String text, Charset charset) throws IOException {
        try (DiskFile open = open(file, StandardOpenOption.WRITE)) {
            open.writeFully(ByteBuffer.wrap(text.getBytes(charset)), 0);
        }
    }

    /** The lines of a file; the caller closes the stream. */
    default Stream<String> lines(Path file, Charset charset) throws IOException {
        DiskFile open = open(file, StandardOpenOption.READ);
        return new BufferedReader(new InputStreamReader(open.input(), charset.newDecoder()))
                .lines()
                .onClose(() -> close(open));
    }

    private static void close(DiskFile open) {
        try {
            open.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Appends text to an existing file. */
    default void append(Path file, String text, Charset charset) throws IOException {
        try (DiskFile open = open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(charset));
            while (bytes.hasRemaining()) {
                open.append(bytes);
            }
        }
    }
}
