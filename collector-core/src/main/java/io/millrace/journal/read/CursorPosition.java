package io.millrace.journal.read;

/** Where the cursor is while it hands out a datagram; the same object each time, so copy what is to be kept. */
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

    /** A copy that stays. */
    public Position toPosition() {
        return new Position(shard, sequence);
    }

    @Override
    public String toString() {
        return shard + ":" + sequence;
    }
}
