package io.millrace.bench.host;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Lock that lets one run measure on a host at a time: two would disturb each other and set the same sysctl. */
public final class HostLock implements AutoCloseable {
    private static final Path FILE = Path.of(
            System.getProperty("java.io.tmpdir"), "millrace-bench-" + System.getProperty("user.name") + ".lock");

    private final FileChannel channel;
    private final FileLock lock;

    private HostLock(FileChannel channel, FileLock lock) {
        this.channel = channel;
        this.lock = lock;
    }

    /** Waits for the lock of this user. */
    public static HostLock await() throws IOException {
        FileChannel channel = FileChannel.open(FILE, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        @Nullable FileLock lock = channel.tryLock();
        if (lock == null) {
            System.err.println("millrace bench: waiting for another run to end (" + FILE + ")");
            lock = channel.lock();
        }
        return new HostLock(channel, lock);
    }

    /** Fails if the lock was lost. */
    public void check() throws IOException {
        if (!lock.isValid()) {
            throw new IOException("the lock on " + FILE + " was lost");
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
