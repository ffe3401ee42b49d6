package io.millrace.transport;

import java.nio.ByteBuffer;

/** The batch to which a transport appends what it reads. One thread at a time; the ring passes it between threads. Not to be implemented by programs. */
public interface BatchWriter {
    /**
     * Appends a datagram as a frame.
     *
     * @param input the id of the input
     * @return false if the datagram belongs in the next batch: there is no room for it, or its time is more than two seconds
     *     from that of the first frame
     */
    boolean append(StagedDatagram datagram, int input);

    /**
     * Adds frames that native code wrote into {@link #buffer()} after {@link #length()}. They must have the same bytes as
     * {@link #append} would write.
     *
     * @param frames the number of frames, at least 1
     * @param newLength where the last frame ends
     * @param newBaseTimeNs the time that their times are relative to; {@link #baseTimeNs()} unless the batch was empty
     * @param newMinTimeNs their earliest receive time
     * @param newMaxTimeNs their latest receive time
     * @param newPayloadBytes bytes of their payloads
     * @param newTruncated the number of truncated frames
     */
    void written(
            int frames,
            int newLength,
            long newBaseTimeNs,
            long newMinTimeNs,
            long newMaxTimeNs,
            long newPayloadBytes,
            int newTruncated);

    /** The memory. The batch is from offset 0 to {@link #length()}. */
    ByteBuffer buffer();

    /** The length of the batch so far with its header, in bytes. */
    int length();

    /** The number of frames so far. */
    int count();

    /** The base time, in ns since the epoch. The times of frames are relative to it. Undefined while there is no frame. */
    long baseTimeNs();
}
