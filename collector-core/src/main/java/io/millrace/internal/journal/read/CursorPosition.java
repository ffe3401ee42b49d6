package io.millrace.internal.journal.read;

/** The mutable position of the datagram that a cursor passes to its handler. Use {@link #toPosition} to keep it. */
public final class CursorPosition {
    private int shard;
    private long sequence;

    CursorPosition() {}

    void set(int newShard, long newSequence) {
        shard = newShard;
        sequence = newSequence;
    }

    /** The shard, from 0. */
    public int shard() {
        return shard;
    }

    /** The sequence number of the datagram in its shard, from 0. */
    public long sequence() {
        return sequence;
    }

    /** An immutable copy. */
    public Position toPosition() {
        return new Position(shard, sequence);
    }

    @Override
    public String toString() {
        return shard + ":" + sequence;
    }
}
