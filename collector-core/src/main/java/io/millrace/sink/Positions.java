package io.millrace.sink;

import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The position of a sink in each shard, and the outcome of all datagrams before it.
 *
 * @param journalId the journal to which the sequence numbers belong
 * @param next the first datagram without an outcome, by shard; 0 for shards beyond the list
 * @param counts the outcomes of the datagrams before it
 * @param range what the sink delivers; null if it has no end
 */
@SuppressWarnings("ArrayRecordComponent") // Never modified.
public record Positions(
        long journalId,
        long[] next,
        Counts counts,
        @Nullable Range range) {
    /** The positions of a sink without an end. */
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
    }

    /**
     * The end of what a sink delivers. It stays as it was when it became known: later, retention may have deleted the datagrams by
     * which it could be found.
     *
     * @param to its receive time
     * @param ends the first datagram of each shard that is not part of it; 0 for shards beyond the list
     */
    public record Range(Instant to, long[] ends) {
        /** The first datagram of a shard that is not part of it. */
        public long end(int shard) {
            return shard < ends.length ? ends[shard] : 0;
        }

        /** True if it lies before these positions. */
        public boolean isBefore(long[] next) {
            return IntStream.range(0, ends.length).allMatch(i -> (i < next.length ? next[i] : 0) >= ends[i]);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Range that && to.equals(that.to) && Arrays.equals(ends, that.ends);
        }

        @Override
        public int hashCode() {
            return Objects.hash(to, Arrays.hashCode(ends));
        }

        @Override
        public String toString() {
            return "Range[" + to + " " + Arrays.toString(ends) + "]";
        }
    }

    /** The first datagram of a shard without an outcome. */
    public long next(int shard) {
        return shard < next.length ? next[shard] : 0;
    }

    /** A sequence number of a shard, but never after the end of what the sink delivers. */
    public long upTo(int shard, long sequence) {
        return range == null ? sequence : Math.min(sequence, range.end(shard));
    }

    /** True if the sink has an end, and has delivered everything before it. */
    public boolean isFinished() {
        return range != null && range.isBefore(next);
    }

    /** The same positions with another end. */
    public Positions within(@Nullable Range other) {
        return new Positions(journalId, next, counts, other);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Positions that
                && journalId == that.journalId
                && Arrays.equals(next, that.next)
                && counts.equals(that.counts)
                && Objects.equals(range, that.range);
    }

    @Override
    public int hashCode() {
        return Objects.hash(journalId, Arrays.hashCode(next), counts, range);
    }

    @Override
    public String toString() {
        return "Positions[" + Long.toHexString(journalId) + " " + Arrays.toString(next) + " " + counts + " " + range
                + "]";
    }
}
