package io.millrace.ring;

import io.millrace.record.BatchWriter;
import java.nio.ByteBuffer;

/** A reusable block of direct memory that holds one batch. It has one owner at a time. */
public final class Slab {
    private final int index;
    private final BatchWriter batch;

    Slab(int index, int bytes) {
        this.index = index;
        this.batch = new BatchWriter(ByteBuffer.allocateDirect(bytes));
    }

    /** Number of the slab within its ring, from 0: a place for what an owner keeps beside each slab. */
    public int index() {
        return index;
    }

    /** The batch in it. */
    public BatchWriter batch() {
        return batch;
    }
}
