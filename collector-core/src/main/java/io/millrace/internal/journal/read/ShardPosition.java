package io.millrace.internal.journal.read;

import io.millrace.journal.CursorPosition;
import io.millrace.journal.Position;

/** The mutable position of the datagram that a cursor passes to its handler. Use {@link #toPosition} to keep it. */
public final class ShardPosition implements CursorPosition {
    private int shard;
    private long sequence;

    ShardPosition() {}

    void set(int newShard, long newSequence) {
        shard = newShard;
        sequence = newSequence;
    }

    @Override
    public int shard() {
        return shard;
    }

    @Override
    public long sequence() {
        return sequence;
    }

    @Override
    public Position toPosition() {
        return new Position(shard, sequence);
    }

    @Override
    public String toString() {
        return shard + ":" + sequence;
    }
}
