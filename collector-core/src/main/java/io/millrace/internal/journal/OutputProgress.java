package io.millrace.internal.journal;

import org.jspecify.annotations.Nullable;

/**
 * The acknowledged position of an output. It never reads earlier datagrams again, also after a crash.
 *
 * @param output the name of the output
 * @param next the first datagram that is not acknowledged, by shard; 0 for shards beyond the array
 * @param ends the first datagram that the output does not need, by shard; 0 for shards beyond the array; null if it needs all
 * @param known false until the output has read its positions, just after its start
 */
@SuppressWarnings("ArrayRecordComponent") // The array is never modified.
public record OutputProgress(String output, long[] next, long @Nullable [] ends, boolean known) {
    /** Creates the progress of an output with known positions and no end. */
    public OutputProgress(String output, long[] next) {
        this(output, next, null, true);
    }

    /** The first datagram of a shard that is not acknowledged. */
    public long next(int shard) {
        return shard < next.length ? next[shard] : 0;
    }

    /**
     * How many datagrams of a part of a shard the output needs, and has not acknowledged.
     *
     * @param from the first datagram of the part
     * @param to the first datagram after it
     */
    public long unread(int shard, long from, long to) {
        long end = ends == null ? to : Math.min(to, shard < ends.length ? ends[shard] : 0);
        return Math.max(0, end - Math.max(from, next(shard)));
    }
}
