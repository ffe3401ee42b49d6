package io.millrace.transport;

import io.millrace.agent.EpochClock;
import io.millrace.record.BatchWriter;
import java.io.IOException;

/**
 * Reads the datagrams of one socket into batches. What a read brings and the batch has no room for stays with the
 * reader, and comes first in the next read: nothing that was read is ever without a place. One thread.
 */
public interface DatagramReader {
    /**
     * Appends to the batch what is staged, or else what one read of the socket brings.
     *
     * @param batch where the frames go
     * @param input the input's id, for the frames
     * @param clock the time, for transports that the kernel does not tell it
     * @return what this read took from the socket; valid until the next read
     * @throws IOException if the call failed and this read took nothing from the socket, which goes on to be used
     */
    ReadResult read(BatchWriter batch, int input, EpochClock clock) throws IOException;

    /** Datagrams that were read and are in no batch yet. */
    int staged();

    /** Releases memory; the socket is the caller's. */
    void close();
}
