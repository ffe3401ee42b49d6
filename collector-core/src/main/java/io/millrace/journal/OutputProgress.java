package io.millrace.journal;

/**
 * How far an output has come: what is before that, it never asks for again, also after a crash.
 *
 * @param output its name
 * @param next the first datagram that it still has to deal with, by shard; 0 for shards beyond the list
 * @param known false until it has looked where it stands, a moment after its start
 */
@SuppressWarnings("ArrayRecordComponent") // Never changed after it was made.
public record OutputProgress(String output, long[] next, boolean known) {
    /** Of an output that knows. */
    public OutputProgress(String output, long[] next) {
        this(output, next, true);
    }

    /** The first datagram of a shard that it still has to deal with. */
    public long next(int shard) {
        return shard < next.length ? next[shard] : 0;
    }
}
