package io.millrace.bench.jmh;

/** A bounded handoff of slabs from one thread to another. One thread offers, one takes and releases. */
interface Handoff {
    int SLABS = 32;

    int SLAB_BYTES = 256 << 10;

    /** The result of {@link #take} if there is no slab. */
    long NOTHING = -1;

    /** Writes a number into a free slab and offers it; false if none is free. */
    boolean offer(long value);

    /** Reads the number of the oldest offered slab and releases it, or returns {@link #NOTHING}. */
    long take();
}
