package io.millrace.bench.jmh;

/** A bounded way for slabs from one thread to another and back. One thread offers, one takes. */
interface Handoff {
    /** Slabs that go round. */
    int SLABS = 32;

    /** Bytes of each. */
    int SLAB_BYTES = 256 << 10;

    /** What {@link #take} returns when there is nothing. */
    long NOTHING = -1;

    /** Writes a number into a free slab and submits it; false if none is free. */
    boolean offer(long value);

    /** Reads the number of the oldest slab that was handed off and releases the slab, or {@link #NOTHING}. */
    long take();
}
