package io.millrace.internal.ring;

import io.millrace.internal.record.FrameWriter;
import java.nio.ByteBuffer;

/** A reusable direct buffer that holds one batch. It has one owner at a time. */
public final class Slab {
    private final int index;
    private final FrameWriter batch;

    Slab(int index, int bytes) {
        this.index = index;
        this.batch = new FrameWriter(ByteBuffer.allocateDirect(bytes));
    }

    /** The number of the slab in its ring, from 0. An owner can use it as an array index for data about the slab. */
    public int index() {
        return index;
    }

    public FrameWriter batch() {
        return batch;
    }
}
