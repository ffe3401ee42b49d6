package io.millrace.journal;

/**
 * The acknowledged position of an output. It never reads earlier datagrams again, also after a crash.
 *
 * @param output the name of the output
 * @param next the first datagram that is not acknowledged, by shard; 0 for shards beyond the array
 * @param known false until the output has read its positions, just after its start
 */
@SuppressWarnings("ArrayRecordComponent") // The array is never modified.
public record OutputProgress(String output, long[] next, boolean known) {
    /** Creates the progress of an output with known positions. */
    public OutputProgress(String output, long[] next) {
        this(output, next, true);
    }

    /** The first datagram of a shard that is not acknowledged. */
    public long next(int shard) {
        return shard < next.length ? next[shard] : 0;
    }
}
