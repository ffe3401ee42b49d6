package io.millrace.bench.host;

import io.millrace.internal.linux.ProcFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The limit {@code net.core.rmem_max} during a run: all receivers get the same buffer, and most cannot exceed it. Root raises
 * it for the run and restores it afterwards. For other users every receiver requests up to the limit.
 */
public final class ReceiveBufferLimit implements AutoCloseable {
    private static final Path LIMIT = Path.of("/proc/sys/net/core/rmem_max");

    private final int before;
    private final int granted;
    private final Runnable hook = this::restore;

    private ReceiveBufferLimit(int before, int granted) {
        this.before = before;
        this.granted = granted;
    }

    /** Raises the limit to a size, if this user may. */
    public static ReceiveBufferLimit raiseTo(int bytes) throws IOException {
        int before = Integer.parseInt(ProcFile.text(LIMIT));
        if (bytes <= before) {
            return new ReceiveBufferLimit(before, bytes);
        }
        try {
            Files.writeString(LIMIT, Integer.toString(bytes));
        } catch (IOException notAllowed) {
            return new ReceiveBufferLimit(before, before);
        }
        ReceiveBufferLimit limit = new ReceiveBufferLimit(before, bytes);
        ChildProcess.atShutdown(limit.hook);
        return limit;
    }

    /** The receive buffer that every receiver requests, in bytes. */
    public int bytes() {
        return granted;
    }

    private void restore() {
        if (granted > before) {
            try {
                Files.writeString(LIMIT, Integer.toString(before));
            } catch (IOException e) {
                System.err.println(
                        "millrace bench: cannot restore net.core.rmem_max to " + before + ": " + e.getMessage());
            }
        }
    }

    @Override
    public void close() {
        restore();
        ChildProcess.notAtShutdown(hook);
    }
}
