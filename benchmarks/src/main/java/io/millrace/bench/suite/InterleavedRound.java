package io.millrace.bench.suite;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Only one run measures on a host at a time: two would measure each other, and set the same sysctl. */
final class InterleavedRound implements AutoCloseable {
    private static final Path FILE = Path.of(
            System.getProperty("java.io.tmpdir"), "millrace-bench-" + System.getProperty("user.name") + ".lock");

    private final FileChannel channel;
    private final FileLock lock;

    private InterleavedRound(FileChannel channel, FileLock lock) {
        this.channel = channel;
        this.lock = lock;
    }

    /** Waits until no other run of this user measures. */
    static InterleavedRound await() throws IOException {
        FileChannel channel = FileChannel.open(FILE, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        @Nullable FileLock lock = channel.tryLock();
        if (lock == null) {
            System.err.println("millrace bench: waiting for another run to end (" + FILE + ")");
            lock = channel.lock();
        }
        return new InterleavedRound(channel, lock);
    }

    /** Fails if the lock is gone. */
    void hold() throws IOException {
        if (!lock.isValid()) {
            throw new IOException("the lock on " + FILE + " is gone");
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
