package io.millrace.transport;

import java.io.IOException;

/**
 * Reads the datagrams of one socket into batches. Datagrams for which the batch has no room stay staged in the reader, and
 * come first in the next read. So no datagram that was read is lost. One thread.
 */
public interface DatagramReader {
    /**
     * Appends the staged datagrams to the batch, or those of one read of the socket if none are staged.
     *
     * @param batch the batch to append frames to
     * @param input the id of the input, for the frames
     * @param clock the source of receive times, if the transport does not have them from the kernel
     * @return the result of the read; valid until the next read
     * @throws IOException if the call failed and took nothing from the socket, which stays in use
     */
    ReadResult read(BatchWriter batch, int input, EpochClock clock) throws IOException;

    /** The number of staged datagrams: they were read and are not in a batch yet. */
    int staged();

    /** Releases memory. The caller closes the socket. */
    void close();
}
