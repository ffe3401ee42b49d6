package io.millrace.journal;

/** The position of the datagram that a cursor passes to its handler, valid during the call. Use {@link #toPosition} to keep it. */
public interface CursorPosition {
    /** The shard, from 0. */
    int shard();

    /** The sequence number of the datagram in its shard, from 0. */
    long sequence();

    /** An immutable copy. */
    Position toPosition();
}
