package io.millrace.journal;

import io.millrace.internal.journal.read.OrderedCursor;
import io.millrace.internal.journal.read.RoundRobinOrder;
import io.millrace.internal.journal.read.ShardIterator;
import io.millrace.internal.journal.read.TimeOrderedMerge;
import io.millrace.journal.JournalCursor.GapHandler;
import java.io.IOException;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A builder of cursors. By default, a cursor starts at the beginning of all shards. One thread. */
public final class CursorBuilder {
    /** The limit of 64-bit ns: the years 1678 to 2262. */
    private static final long MAX_SECONDS = Long.MAX_VALUE / 1_000_000_000L - 1;

    private final Journal journal;
    private boolean fromEnd;
    private @Nullable Position from;
    private long[] fromEach = {};
    private long @Nullable [] toEach;
    private long fromTimeNs = Long.MIN_VALUE;
    private long toTimeNs = Long.MAX_VALUE;
    private boolean byTime;
    private boolean live;
    private BooleanSupplier isStopped = () -> false;
    private GapHandler onGap = (shard, firstSequence, count) -> {};

    CursorBuilder(Journal journal) {
        this.journal = journal;
    }

    /** Starts at the oldest datagram. */
    public CursorBuilder fromBeginning() {
        fromEnd = false;
        from = null;
        return this;
    }

    /** Starts at the end: the cursor returns only datagrams that are journaled after {@link #open()}. */
    public CursorBuilder fromEnd() {
        fromEnd = true;
        from = null;
        return this;
    }

    /** Starts at a datagram and reads only its shard. */
    public CursorBuilder from(Position position) {
        fromEnd = false;
        from = position;
        return this;
    }

    /**
     * Starts at a sequence number in each shard, so that a reader can continue from saved positions. Shards beyond the
     * array start at their beginning. Cannot be combined with {@link #byTime}.
     *
     * @param sequences the first datagram to return, by shard
     */
    public CursorBuilder fromEach(long[] sequences) {
        fromEnd = false;
        from = null;
        fromEach = sequences.clone();
        return this;
    }

    /**
     * Ends at a sequence number in each shard. Of shards beyond the array nothing is read. Cannot be combined with {@link #byTime} and
     * {@link #from(Position)}.
     *
     * @param sequences the first datagram that is not returned, by shard; null to read to the end of the journal
     */
    public CursorBuilder toEach(long @Nullable [] sequences) {
        toEach = sequences == null ? null : sequences.clone();
        return this;
    }

    /** Returns only datagrams received at this time or later. */
    public CursorBuilder fromTime(Instant time) {
        fromTimeNs = toNs(time);
        return this;
    }

    /** Returns only datagrams received before this time. */
    public CursorBuilder toTime(Instant time) {
        toTimeNs = toNs(time);
        return this;
    }

    /**
     * Merges all shards by receive time. The order is exact for datagrams that are in the journal at {@link #open()},
     * which scans the journal's files of the time range. Datagrams that wait for earlier ones of other shards are kept in memory. Cannot be
     * combined with {@link #from(Position)}.
     *
     * @param follow true to return datagrams that are journaled later too, a second after their receive time, so that
     *     earlier ones of other shards come first; false to end with the datagrams at {@link #open()}
     */
    public CursorBuilder byTime(boolean follow) {
        byTime = true;
        live = follow;
        return this;
    }

    /** Sets the handler for datagrams that cannot be read. */
    public CursorBuilder onGap(GapHandler handler) {
        onGap = handler;
        return this;
    }

    /**
     * Sets what the cursor asks before it reads a batch: if it is true, a poll returns what it has, or nothing. So a search for a
     * few datagrams in much data can be bounded in time. Cannot be combined with {@link #byTime}.
     */
    public CursorBuilder stopWhen(BooleanSupplier stopped) {
        isStopped = stopped;
        return this;
    }

    private static long toNs(Instant time) {
        long seconds = Math.max(-MAX_SECONDS, Math.min(MAX_SECONDS, time.getEpochSecond()));
        return seconds * 1_000_000_000L + time.getNano();
    }

    /**
     * Opens the cursor.
     *
     * @throws IOException if the journal cannot be read
     */
    public JournalCursor open() throws IOException {
        ShardIterator.Range range = new ShardIterator.Range(fromTimeNs, toTimeNs);
        if (!byTime) {
            return new OrderedCursor(
                    new RoundRobinOrder(journal, fromEnd, from, fromEach, toEach, range, onGap, isStopped));
        }
        if (from != null) {
            throw new IllegalStateException("from(position) and byTime() cannot be combined");
        }
        return new OrderedCursor(new TimeOrderedMerge(journal, fromEnd, live, range, onGap, () -> toNs(Instant.now())));
    }
}
