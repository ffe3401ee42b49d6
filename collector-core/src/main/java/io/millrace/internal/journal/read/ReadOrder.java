package io.millrace.internal.journal.read;

import io.millrace.journal.JournalCursor.DatagramHandler;

/** The order in which a cursor reads the datagrams of a journal. One thread. */
public interface ReadOrder extends AutoCloseable {
    /**
     * Reads datagrams, up to a limit.
     *
     * @return the number of datagrams; 0 if there are no new ones
     */
    int poll(DatagramHandler handler, int limit);

    /** The number of damaged batches that were skipped. */
    long damagedBatches();

    @Override
    void close();
}
