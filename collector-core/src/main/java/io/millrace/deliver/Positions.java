package io.millrace.deliver;

import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The position of a sink in each shard, and the outcome of all datagrams before it.
 *
 * @param journalId the journal to which the sequence numbers belong
 * @param next the first datagram without an outcome, by shard; 0 for shards beyond the list
 * @param counts the outcomes of the datagrams before it
 * @param finishedTo the end of the range that the sink has delivered completely, by receive time; null if it goes on
 */
@SuppressWarnings("ArrayRecordComponent") // Never modified.
public record Positions(
        long journalId,
        long[] next,
        Counts counts,
        @Nullable Instant finishedTo) {
    /** The positions of a sink that goes on. */
    public Positions(long journalId, long[] next, Counts counts) {
        this(journalId, next, counts, null);
    }

    /**
     * The outcomes of datagrams since the sink was created. A sink that is set back counts the datagrams that it reads again a second
     * time. A datagram with several messages counts once, with the worst outcome of its messages.
     *
     * @param acked acknowledged by the destination: all messages in it that the filter matches
     * @param filtered excluded by the filter, by the sample, or as a repeat, with all its messages
     * @param deadLettered at least one of its messages was refused and became a dead letter
     * @param missing no longer in the journal
     */
    public record Counts(long acked, long filtered, long deadLettered, long missing) {
        /** No datagrams. */
        public static final Counts NONE = new Counts(0, 0, 0, 0);

        /** These counts plus those of a batch with this many refused datagrams. */
        Counts plus(SinkBatch batch, int refused) {
            return new Counts(
                    acked + batch.datagrams - refused,
                    filtered + batch.filtered,
                    deadLettered + refused,
                    missing + batch.missing);
        }
    }

    /** The first datagram of a shard without an outcome. */
    public long next(int shard) {
        return shard < next.length ? next[shard] : 0;
    }

    /** True if the sink has delivered its range completely. */
    public boolean isFinished() {
        return finishedTo != null;
    }

    Positions finished(@Nullable Instant to) {
        return new Positions(journalId, next, counts, to);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Positions that
                && journalId == that.journalId
                && Arrays.equals(next, that.next)
                && counts.equals(that.counts)
                && Objects.equals(finishedTo, that.finishedTo);
    }

    @Override
    public int hashCode() {
        return Objects.hash(journalId, Arrays.hashCode(next), counts, finishedTo);
    }

    @Override
    public String toString() {
        return "Positions[" + Long.toHexString(journalId) + " " + Arrays.toString(next) + " " + counts + " "
                + finishedTo + "]";
    }
}
