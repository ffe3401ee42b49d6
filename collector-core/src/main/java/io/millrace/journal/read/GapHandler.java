package io.millrace.journal.read;

/** Told of datagrams that a cursor cannot hand out: a damaged batch, or files that retention deleted. */
@FunctionalInterface
public interface GapHandler {
    /**
     * A gap in a shard's sequence numbers.
     *
     * @param shard the shard
     * @param firstSequence the first number that is missing
     * @param count how many are missing
     */
    void onGap(int shard, long firstSequence, long count);
}
