package io.millrace.sender.payload;

import java.nio.ByteBuffer;

/** The payloads of a run. Each thread has its own object. No allocation per datagram. */
public interface Payloads {
    /**
     * Writes the payload of one datagram.
     *
     * @param target a direct buffer with room for {@link #maxBytes()} bytes at {@code index}
     * @param n the datagram's number in the whole run
     * @param intendedMicros the intended send time in microseconds since the epoch
     * @return its length
     */
    int put(ByteBuffer target, int index, long n, int source, int sequence, long intendedMicros);

    int maxBytes();
}
