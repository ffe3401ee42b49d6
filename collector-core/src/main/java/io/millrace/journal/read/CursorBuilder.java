package io.millrace.journal.read;

import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Says where a cursor begins, and opens it. The default is the beginning of all shards. One thread. */
public final class CursorBuilder {
    /** What fits into 64 bits of ns: the years 1678 to 2262. */
    private static final long MAX_SECONDS = Long.MAX_VALUE / 1_000_000_000L - 1;

    private final Journal journal;
    private boolean fromEnd;
    private @Nullable Position from;
    private long[] fromEach = {};
    private long fromTimeNs = Long.MIN_VALUE;
    private long toTimeNs = Long.MAX_VALUE;
    private boolean byTime;
    private boolean live;
    private GapHandler onGap = (shard, firstSequence, count) -> {};

    CursorBuilder(Journal journal) {
        this.journal = journal;
    }

    /** From the oldest datagram there is. */
    public CursorBuilder fromBeginning() {
        fromEnd = false;
        from = null;
        return this;
    }

    /** From the end: only what is journaled after {@link #open()}. */
    public CursorBuilder fromEnd() {
        fromEnd = true;
        from = null;
        return this;
    }

    /** From a datagram on, in its shard only. */
    public CursorBuilder from(Position position) {
        fromEnd = false;
        from = position;
        return this;
    }

    /**
     * From a sequence number on in each shard: what a reader noted that goes on where it was. Shards beyond the list begin
     * at their beginning. Not together with {@link #byTime}.
     *
     * @param sequences the first datagram to hand out, by shard
     */
    public CursorBuilder fromEach(long[] sequences) {
        fromEnd = false;
        from = null;
        fromEach = sequences.clone();
        return this;
    }

    /** Only datagrams received at this time or later. */
    public CursorBuilder fromTime(Instant time) {
        fromTimeNs = toNs(time);
        return this;
    }

    /** Only datagrams received before this time. */
    public CursorBuilder toTime(Instant time) {
        toTimeNs = toNs(time);
        return this;
    }

    /**
     * All shards as one, in the order of receive times. What is in the journal at {@link #open()} comes exactly so, after a
     * look through all of it; each datagram that waits for an earlier one of another shard is kept in memory. Not together
     * with {@link #from(Position)}.
     *
     * @param goOn true to go on with what is journaled later, each datagram a second after its receive time, so that
     *     earlier ones of other shards can come first; false to end with what is there
     */
    public CursorBuilder byTime(boolean goOn) {
        byTime = true;
        live = goOn;
        return this;
    }

    /** Whom to tell about datagrams that cannot be read. */
    public CursorBuilder onGap(GapHandler handler) {
        onGap = handler;
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
            return new JournalCursor(new RoundRobinOrder(journal, fromEnd, from, fromEach, range, onGap));
        }
        if (from != null) {
            throw new IllegalStateException("from a position, in one shard, or by time, in all of them: not both");
        }
        return new JournalCursor(new TimeOrderedMerge(journal, fromEnd, live, range, onGap, () -> toNs(Instant.now())));
    }
}
