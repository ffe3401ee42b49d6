package io.millrace.bench.deliver;

import io.millrace.bench.check.RunCheck;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** A file to which another process appends lines. One thread. */
final class FollowedFile implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 18;

    private final Path path;
    private final byte[] bytes = new byte[BUFFER_BYTES];
    private int held;
    private @Nullable FileChannel file;

    FollowedFile(Path path) {
        this.path = path;
    }

    /** Adds the lines that have come, with the time of now; returns whether there was anything. */
    boolean poll(RunCheck check) throws IOException {
        if (file == null) {
            if (!Files.exists(path)) {
                return false;
            }
            file = FileChannel.open(path);
        }
        int read = file.read(ByteBuffer.wrap(bytes, held, bytes.length - held));
        if (read <= 0) {
            return false;
        }
        int end = held + read;
        int next = check.addLines(bytes, end, nowNs());
        held = end - next;
        System.arraycopy(bytes, next, bytes, 0, held);
        return true;
    }

    /** The time of day, in ns since the epoch. */
    static long nowNs() {
        return ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now());
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
