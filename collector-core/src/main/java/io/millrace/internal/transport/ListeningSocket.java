package io.millrace.internal.transport;

import io.millrace.internal.counters.SocketCells;

/**
 * A bound socket with the id of its input and its counters.
 *
 * @param input the id of its input in the journal
 * @param mergesChunks true if chunks of GELF messages are merged
 */
public record ListeningSocket(ReceiveSocket socket, int input, SocketCells counters, boolean mergesChunks) {
    /** A socket whose datagrams are taken as they come. */
    public ListeningSocket(ReceiveSocket socket, int input, SocketCells counters) {
        this(socket, input, counters, false);
    }
}
