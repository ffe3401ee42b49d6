package io.millrace.sink;

import io.millrace.journal.Journal;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The first position of a new sink. */
public final class StartAt {
    /** The oldest datagram in the journal. */
    public static final StartAt BEGIN = new StartAt("begin", null);

    /** The first datagram journaled after the start. */
    public static final StartAt END = new StartAt("end", null);

    private final String text;
    private final @Nullable Instant time;

    private StartAt(String text, @Nullable Instant time) {
        this.text = text;
        this.time = time;
    }

    /** The first datagram of each shard that was received at this time or later. */
    public static StartAt time(Instant time) {
        return new StartAt(time.toString(), time);
    }

    /** True if something received before a time may come after this start. */
    boolean isBefore(Instant other) {
        return this != END && (time == null || time.isBefore(other));
    }

    /**
     * The first sequence number, by shard.
     *
     * @throws IOException if the journal cannot be read
     */
    public long[] sequences(Journal journal) throws IOException {
        if (time != null) {
            return journal.sequencesAt(time);
        }
        return this == END ? journal.endSequences() : new long[journal.meta().shards()];
    }

    @Override
    public String toString() {
        return text;
    }
}
