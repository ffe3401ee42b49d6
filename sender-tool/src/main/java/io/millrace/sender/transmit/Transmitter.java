package io.millrace.sender.transmit;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Sends datagrams for all sources of a run. Threads share a transmitter, but each source belongs to one thread. */
public interface Transmitter extends Closeable {
    /**
     * Sends the remaining bytes of the buffer from a source, as one message or as a batch.
     *
     * @throws java.net.PortUnreachableException when the kernel reports that an earlier datagram met a closed port; this
     *     one was not sent
     * @throws IOException when the datagram was not sent
     */
    void send(int source, ByteBuffer datagram) throws IOException;

    /**
     * Sets the due time of the next datagrams, for a transmitter that learns later when they left.
     *
     * @param nanoTime on the monotonic clock; 0 for none
     */
    default void due(long nanoTime) {}

    /** How long a sender that is on time waits after the next due time, to send several datagrams together; 0 not to wait. */
    default long batchDelayNanos() {
        return 0;
    }

    /** Sends buffered datagrams; called when nothing is due. */
    default void flush() throws IOException {}

    /** Sends buffered datagrams and waits until they have left; the run lasts until then. */
    default void drain(SendCounts counts) throws IOException {}

    /**
     * Counts errors that are only known after the last send of a thread: the kernel reports a closed port with the next
     * send, and the last datagram of a source has no next one. These sources cannot send afterwards.
     *
     * @param thread its sources are every {@code threads}-th from this number on
     */
    void collectErrors(int thread, int threads, SendCounts counts) throws IOException;
}
