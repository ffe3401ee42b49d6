package io.millrace.sender;

import java.nio.ByteBuffer;

/** What a run sends. Each thread has an object of its own; nothing is allocated a datagram. */
interface Payloads {
    /**
     * Writes the payload of one datagram.
     *
     * @param target a direct buffer with room for {@link #most()} bytes at {@code index}
     * @param n the datagram's number in the whole run
     * @param intendedMicros when it should leave, in microseconds since the epoch
     * @return its length
     */
    int put(ByteBuffer target, int index, long n, int source, int sequence, long intendedMicros);

    /** The length of the longest payload. */
    int most();
}
