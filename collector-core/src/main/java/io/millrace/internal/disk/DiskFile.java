package io.millrace.internal.disk;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileLock;
import org.jspecify.annotations.Nullable;

/** An open file of a {@link Disk}. As with the channels of the JDK, an interrupt of a thread that uses it closes it. Any thread. */
public interface DiskFile extends Closeable {
    /** Reads at a position; returns the number of bytes, and a negative number at the end of the file. */
    int read(ByteBuffer to, long position) throws IOException;

    /** Writes at a position; returns the number of bytes, which can be fewer than there are. */
    int write(ByteBuffer from, long position) throws IOException;

    /** Writes at the end of a file that was opened for appending; returns the number of bytes. */
    int append(ByteBuffer from) throws IOException;

    long size() throws IOException;

    void truncate(long size) throws IOException;

    /**
     * Syncs the file to disk, including mapped pages.
     *
     * @param metadata true to sync times and permissions too
     */
    void sync(boolean metadata) throws IOException;

    /** Maps the beginning of the file; the map stays valid after {@link #close}. */
    MappedByteBuffer map(boolean writable, long bytes) throws IOException;

    /** Takes an exclusive lock without waiting; null if another process holds it. */
    @Nullable
    FileLock tryLock() throws IOException;

    boolean isOpen();

    /** The bytes from the beginning of the file. */
    InputStream input();

    /** Writes from the beginning of the file, through a buffer. */
    OutputStream output();

    /** Writes all remaining bytes at a position. */
    default void writeFully(ByteBuffer from, long position) throws IOException {
        int begin = from.position();
        while (from.hasRemaining()) {
            write(from, position + from.position() - begin);
        }
    }
}
