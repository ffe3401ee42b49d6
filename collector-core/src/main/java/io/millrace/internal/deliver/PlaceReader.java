package io.millrace.internal.deliver;

import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor;
import io.millrace.journal.JournalCursor.DatagramHandler;
import io.millrace.journal.Position;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads single datagrams of the journal. Those in ascending order are read in one pass: a search for each of them would read its file from
 * the beginning. One thread.
 */
final class PlaceReader implements AutoCloseable {
    /** A search for a datagram that is farther away, because files in between may be left out. */
    private static final long MAX_PASSED = 4_000_000;

    private final Journal journal;
    private @Nullable JournalCursor cursor;
    private int shard;
    /** The last datagram that was read. */
    private long at;

    private boolean found;

    PlaceReader(Journal journal) {
        this.journal = journal;
    }

    /**
     * Reads a datagram.
     *
     * @return false if the journal does not have it
     */
    boolean read(int ofShard, long sequence, DatagramHandler handler) throws IOException {
        JournalCursor open = cursor;
        if (open == null || ofShard != shard || sequence <= at || sequence - at > MAX_PASSED) {
            close();
            open = journal.cursor().from(new Position(ofShard, sequence)).open();
            cursor = open;
            shard = ofShard;
            at = -1;
        }
        found = false;
        while (at < sequence
                && open.poll(
                                (datagram, position) -> {
                                    at = position.sequence();
                                    if (at == sequence) {
                                        found = true;
                                        handler.onDatagram(datagram, position);
                                    }
                                },
                                1)
                        > 0) {
            // The datagrams in between are passed over.
        }
        return found;
    }

    @Override
    public void close() {
        JournalCursor open = cursor;
        cursor = null;
        if (open != null) {
            open.close();
        }
    }
}
