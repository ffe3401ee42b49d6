package io.millrace.deliver;

import java.util.Arrays;
import java.util.Objects;

/**
 * How far a sink has come, and what has become of all before that.
 *
 * @param journalId the journal the sequence numbers are of
 * @param next the first datagram that is not yet dealt with, by shard; 0 for shards beyond the list
 * @param counts what has become of those before
 */
@SuppressWarnings("ArrayRecordComponent") // Never changed after it was made.
public record Positions(long journalId, long[] next, Counts counts) {
    /**
     * What has become of datagrams since the sink was made. A sink that is set back counts again what it meets again. A datagram
     * of several messages counts once, as the worst of what became of them.
     *
     * @param acked acknowledged by the destination: all messages in it that were asked for
     * @param filtered not asked for: none of its messages was
     * @param deadLettered refused by the destination: at least one of its messages was, and is kept as a dead letter
     * @param missing not in the journal any more
     */
    public record Counts(long acked, long filtered, long deadLettered, long missing) {
        /** Nothing yet. */
        public static final Counts NONE = new Counts(0, 0, 0, 0);

        /** The counts after a batch, of whose datagrams so many were refused. */
        Counts plus(SinkBatch batch, int refused) {
            return new Counts(
                    acked + batch.datagrams() - refused,
                    filtered + batch.filtered,
                    deadLettered + refused,
                    missing + batch.missing);
        }
    }

    /** The first datagram of a shard that is not yet dealt with. */
    public long next(int shard) {
        return shard < next.length ? next[shard] : 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Positions that
                && journalId == that.journalId
                && Arrays.equals(next, that.next)
                && counts.equals(that.counts);
    }

    @Override
    public int hashCode() {
        return Objects.hash(journalId, Arrays.hashCode(next), counts);
    }

    @Override
    public String toString() {
        return "Positions[" + Long.toHexString(journalId) + " " + Arrays.toString(next) + " " + counts + "]";
    }
}
