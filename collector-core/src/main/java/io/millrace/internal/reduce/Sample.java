package io.millrace.internal.reduce;

import io.millrace.internal.format.JournalRecord;

/**
 * A sample of about one of N records. The identity of a record decides, so the sample is the same after a retry or a restart,
 * and a sample of 1/100 is part of one of 1/10.
 */
public final class Sample {
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    /** The largest hash code of the records in the sample, as an unsigned number. */
    private final long maxHash;

    /**
     * Creates a sample.
     *
     * @param oneOf one of so many records; 1 for all
     */
    public Sample(int oneOf) {
        this.maxHash = Long.divideUnsigned(-1, oneOf);
    }

    public boolean contains(JournalRecord record) {
        return maxHash == -1 || Long.compareUnsigned(hash(record), maxHash) <= 0;
    }

    /** A hash of the identity whose bits all depend on each of its bits: the finalizer of splitmix64. */
    private static long hash(JournalRecord record) {
        long identity = record.sequence() * SPREAD + ((long) record.shard() << 32 | record.part());
        long hash = (identity ^ identity >>> 30) * 0xbf58476d1ce4e5b9L;
        hash = (hash ^ hash >>> 27) * 0x94d049bb133111ebL;
        return hash ^ hash >>> 31;
    }
}
