package io.millrace.internal.transport.stream;

/**
 * The outcome of a pass of an event loop: what its sockets and connections have brought since the pass before. Reads and cycles add to it,
 * also those between two passes; the loop reads it at the end of a pass, and clears it. The loop's thread.
 */
public final class PassOutcome {
    private int received;
    private long localBytes;
    private boolean awaited;
    private boolean more;

    /** Adds datagrams, or messages of connections. */
    public void received(int messages) {
        received += messages;
    }

    /** Adds bytes that were read from Unix stream sockets. */
    void localBytes(long bytes) {
        localBytes += bytes;
    }

    /** Records that a sender may wait for this loop: for the answer of RELP, of a TLS handshake, or for room in a Unix datagram socket. */
    public void awaited() {
        awaited = true;
    }

    /** Records that there may be more to read or to accept. */
    void more() {
        more = true;
    }

    /** The number of datagrams, and of messages of connections. */
    public int receivedCount() {
        return received;
    }

    /** Bytes that were read from Unix stream sockets. */
    public long localByteCount() {
        return localBytes;
    }

    /** True if a sender may wait for this loop. */
    public boolean isAwaited() {
        return awaited;
    }

    /** True if there may be more to read or to accept. */
    public boolean hasMore() {
        return more;
    }

    /** Begins the next pass. */
    public void clear() {
        received = 0;
        localBytes = 0;
        awaited = false;
        more = false;
    }
}
