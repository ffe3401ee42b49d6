package io.millrace.internal.transport.stream;

/**
 * The state of a connection. What was read of it has a place in a slab, or waits for one.
 *
 * <pre>
 *   READING ⇄ WAITING
 *      ↓         ↓       the channel closes
 *    ENDED  ⇄ DRAINING
 * </pre>
 */
enum ConnectionState {
    /** The channel is open, and nothing waits: it is read. */
    READING,
    /** The channel is open, and its backlog waits for a slab, for its rate limit, or for answers that are written: it is not read. */
    WAITING,
    /** The channel is closed or about to be, and its backlog waits for a slab. */
    DRAINING,
    /** The channel is closed or about to be, and nothing waits. */
    ENDED;

    boolean waits() {
        return this == WAITING || this == DRAINING;
    }

    /** True if the channel is closed or about to be. */
    boolean hasEnded() {
        return this == DRAINING || this == ENDED;
    }

    /** The state when a backlog begins to wait. */
    ConnectionState paused() {
        return hasEnded() ? DRAINING : WAITING;
    }

    /** The state when nothing waits any more. */
    ConnectionState resumed() {
        return hasEnded() ? ENDED : READING;
    }

    /** The state when the channel closes. */
    ConnectionState closed() {
        return waits() ? DRAINING : ENDED;
    }
}
