package io.millrace.sender;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The one system call of a run; a test puts one here that fails. */
interface Transmitter extends Closeable {
    /**
     * Sends the remaining bytes of the buffer as one datagram from that source.
     *
     * @throws java.net.PortUnreachableException when an earlier datagram is reported to have met a closed port; this
     *     one was not sent
     * @throws IOException when the datagram was not sent
     */
    void send(int source, ByteBuffer datagram) throws IOException;

    /**
     * Asks whether the last datagram of that source is reported to have met a closed port, which the next send would have
     * told. After it nothing can be sent from that source.
     */
    boolean wasLastRefused(int source) throws IOException;
}
