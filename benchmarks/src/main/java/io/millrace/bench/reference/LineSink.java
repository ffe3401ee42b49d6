package io.millrace.bench.reference;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/** Writes datagrams to a file, one per line. One thread writes and closes; any thread may read the count. */
abstract class LineSink implements AutoCloseable {
    static final byte LINE_FEED = '\n';

    private final SingleWriterCounter written = new SingleWriterCounter();

    /**
     * Writes a datagram as one line.
     *
     * @param payload from its position to its limit; the caller may reuse it after the return
     * @param source the sender's address
     * @throws IOException if the file cannot be written; the sink stays usable
     */
    abstract void writeLine(ByteBuffer payload, InetAddress source) throws IOException;

    /** Counts a line; the writing thread. */
    final void countLine() {
        written.increment();
    }

    /** The number of lines in the file, or in a buffer that {@link #close} writes. */
    long written() {
        return written.get();
    }

    /** Writes the buffers and closes the file. */
    @Override
    public abstract void close() throws IOException;
}
