package io.millrace.internal.journal.file;

import io.millrace.internal.disk.Disk;
import io.millrace.internal.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/**
 * A channel of a file that an interrupt does not close. The JDK closes a channel when a thread that uses it is interrupted; this one
 * is opened again, and the thread stays interrupted. It allocates nothing per call. One thread.
 */
public final class UninterruptibleChannel implements AutoCloseable {
    private final Path path;
    private final OpenOption option;
    private DiskFile channel;

    /**
     * Opens a file.
     *
     * @throws java.nio.file.NoSuchFileException if it does not exist
     */
    public UninterruptibleChannel(Path path, OpenOption option) throws IOException {
        this.path = path;
        this.option = option;
        this.channel = Disk.of(path).open(path, option);
    }

    /** Reads at a position until the buffer is full or the file ends; returns the number of bytes. */
    public int read(ByteBuffer to, long position) throws IOException {
        int begin = to.position();
        boolean interrupted = Thread.interrupted();
        try {
            while (to.hasRemaining()) {
                try {
                    if (channel.read(to, position + to.position() - begin) <= 0) {
                        break;
                    }
                } catch (ClosedByInterruptException e) {
                    interrupted = true;
                    openAgain();
                }
            }
            return to.position() - begin;
        } finally {
            restore(interrupted);
        }
    }

    /** Writes all remaining bytes at a position. */
    public void write(ByteBuffer from, long position) throws IOException {
        int begin = from.position();
        boolean interrupted = Thread.interrupted();
        try {
            while (from.hasRemaining()) {
                try {
                    channel.write(from, position + from.position() - begin);
                } catch (ClosedByInterruptException e) {
                    interrupted = true;
                    openAgain();
                }
            }
        } finally {
            restore(interrupted);
        }
    }

    /** The length of the file. */
    public long size() throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return channel.size();
                } catch (ClosedByInterruptException e) {
                    interrupted = true;
                    openAgain();
                }
            }
        } finally {
            restore(interrupted);
        }
    }

    private void openAgain() throws IOException {
        var unused = Thread.interrupted();
        channel = Disk.of(path).open(path, option);
    }

    private static void restore(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
