package io.millrace.journal;

/**
 * A handler of gaps: datagrams that a cursor cannot read, because of a damaged batch or files that retention deleted.
 */
@FunctionalInterface
public interface GapHandler {
    /**
     * Handles a gap in a shard's sequence numbers.
     *
     * @param shard the shard
     * @param firstSequence the first missing sequence number
     * @param count the number of missing datagrams
     */
    void onGap(int shard, long firstSequence, long count);
}
