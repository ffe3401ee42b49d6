package io.millrace.bench.reference;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/** A way to write datagrams to a file, one a line. One thread writes and closes; any may ask for the count. */
interface LineSink extends AutoCloseable {
    byte LINE_FEED = '\n';

    /**
     * Writes a datagram as one line.
     *
     * @param payload from its position to its limit; it is the caller's again, and read, on return
     * @param source who sent it
     * @throws IOException if the file does not take it; the sink can be used on
     */
    void writeLine(ByteBuffer payload, InetAddress source) throws IOException;

    /** Lines that the file has or that wait in a buffer which {@link #close} writes. */
    long written();

    /** Writes what waits in buffers and closes the file. */
    @Override
    void close() throws IOException;
}
