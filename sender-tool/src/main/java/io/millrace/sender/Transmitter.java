package io.millrace.sender;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The one system call of a run; a test puts one here that fails. Threads share it, but never a source: each sends from
 * sources of its own.
 */
interface Transmitter extends Closeable {
    /**
     * Sends the remaining bytes of the buffer from that source: as one datagram, or as those the socket cuts it into.
     *
     * @throws java.net.PortUnreachableException when an earlier datagram is reported to have met a closed port; this
     *     one was not sent
     * @throws IOException when the datagram was not sent
     */
    void send(int source, ByteBuffer datagram) throws IOException;

    /**
     * Says when what is sent next is due, for those who find out later when it left.
     *
     * @param nanoTime on the monotonic clock; 0 if it has no time
     */
    default void due(long nanoTime) {}

    /**
     * How long a sender that is on time waits beyond the next due time, to send what is due by then together; 0 to send
     * each datagram at its time.
     */
    default long grainNanos() {
        return 0;
    }

    /** Says that nothing is due now: what is held back may go. */
    default void idle() throws IOException {}

    /** Sends what is held back and waits until it has left; the run lasts until then. */
    default void drain(Tally tally) throws IOException {}

    /**
     * Adds what shows only after the last send of the thread's sources: the last datagram of each may be reported to have
     * met a closed port, which the next send would have told. After it nothing can be sent from those sources.
     *
     * @param thread whose sources are asked, every {@code threads}-th from this number on
     */
    void finish(int thread, int threads, Tally tally) throws IOException;
}
