package io.millrace.bench.suite;

import io.millrace.bench.subject.ChildProcess;
import io.millrace.bench.subject.Proc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Lets every receiver have the same buffer: some can exceed {@code net.core.rmem_max}, most cannot. Root raises it for
 * the run and puts it back after it; for others every receiver asks for no more than it.
 */
final class ReceiveBufferLimit implements AutoCloseable {
    private static final Path LIMIT = Path.of("/proc/sys/net/core/rmem_max");

    private final int before;
    private final int granted;
    private final Runnable hook = this::restore;

    private ReceiveBufferLimit(int before, int granted) {
        this.before = before;
        this.granted = granted;
    }

    /** Makes room for a buffer, as far as this user may. */
    static ReceiveBufferLimit raiseTo(int bytes) throws IOException {
        int before = Integer.parseInt(Proc.text(LIMIT));
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

    /** What every receiver is to ask for, in bytes. */
    int bytes() {
        return granted;
    }

    private void restore() {
        if (granted > before) {
            try {
                Files.writeString(LIMIT, Integer.toString(before));
            } catch (IOException e) {
                System.err.println(
                        "millrace bench: cannot set net.core.rmem_max back to " + before + ": " + e.getMessage());
            }
        }
    }

    @Override
    public void close() {
        restore();
        ChildProcess.notAtShutdown(hook);
    }
}
