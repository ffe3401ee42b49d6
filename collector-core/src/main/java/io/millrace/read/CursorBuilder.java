package io.millrace.read;

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
    private long fromTimeNs = Long.MIN_VALUE;
    private long toTimeNs = Long.MAX_VALUE;
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
        return new JournalCursor(journal, fromEnd, from, fromTimeNs, toTimeNs, onGap);
    }
}
