package io.millrace.internal.journal.file;

import io.millrace.internal.disk.Disk;
import io.millrace.internal.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file with a window of it in memory. The file may be written at the same time, so the memory can be stale. One
 * thread.
 */
public final class FileWindow implements AutoCloseable {
    private static final int WINDOW_BYTES = 2 << 20;

    private final DiskFile channel;
    private final ByteBuffer small = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private ByteBuffer memory = ByteBuffer.allocateDirect(0);
    private long start;
    private int length;

    public FileWindow(Path file) throws IOException {
        channel = Disk.of(file).open(file, StandardOpenOption.READ);
    }

    public long size() throws IOException {
        return channel.size();
    }

    /** Loads these bytes into memory, and bytes after them if they fit; false if the file ends first. */
    public boolean load(long position, int bytes) throws IOException {
        if (length > 0 && position >= start && position + bytes <= start + length) {
            return true;
        }
        if (bytes > memory.capacity()) {
            int wanted = Math.max((int) Math.min(WINDOW_BYTES, size()), bytes);
            memory = ByteBuffer.allocateDirect(wanted).order(ByteOrder.LITTLE_ENDIAN);
        }
        memory.clear();
        while (memory.hasRemaining() && channel.read(memory, position + memory.position()) > 0) {
            // Read until the window is full or the file ends.
        }
        start = position;
        length = memory.position();
        memory.clear();
        return length >= bytes;
    }

    /** Discards the memory, so that the next {@link #load} reads the file again. */
    public void forget() {
        length = 0;
    }

    /** The memory; {@link #at} converts a file position to an index. */
    public ByteBuffer memory() {
        return memory;
    }

    public int at(long position) {
        return (int) (position - start);
    }

    /** The number of bytes in memory from a file position. */
    public int loadedFrom(long position) {
        return length - at(position);
    }

    /** Reads four bytes at a position from the file, not from memory; 0 at the end of the file. */
    public int intAt(long position) throws IOException {
        return (int) read(position, Integer.BYTES);
    }

    /** Reads eight bytes at a position from the file, not from memory; 0 at the end of the file. */
    public long longAt(long position) throws IOException {
        return read(position, Long.BYTES);
    }

    private long read(long position, int bytes) throws IOException {
        small.clear().limit(bytes);
        while (small.hasRemaining() && channel.read(small, position + small.position()) > 0) {
            // Read until there is all of it or the file ends.
        }
        if (small.hasRemaining()) {
            return 0;
        }
        return bytes == Integer.BYTES ? small.getInt(0) : small.getLong(0);
    }

    /** Reads bytes at a position from the file, not from memory; fewer at the end of the file. */
    public ByteBuffer bytesAt(long position, int bytes) throws IOException {
        ByteBuffer copy = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        while (copy.hasRemaining() && channel.read(copy, position + copy.position()) > 0) {
            // Read until there is all of it or the file ends.
        }
        return copy.flip();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
