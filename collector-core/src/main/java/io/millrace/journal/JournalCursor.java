package io.millrace.journal;

/**
 * A cursor that reads the datagrams of a journal. It reads shards round robin, one batch each, in the order of their sequence numbers; or all
 * shards merged by receive time. It also finds shards that a collector adds later. One thread, which may be a different one from the thread
 * that opened it.
 */
public interface JournalCursor extends AutoCloseable {
    /**
     * Reads datagrams: at most one batch, or with {@link CursorBuilder#byTime} all that are due.
     *
     * @return the number of datagrams; 0 if there are no new ones
     */
    default int poll(DatagramHandler handler) {
        return poll(handler, Integer.MAX_VALUE);
    }

    /**
     * Reads datagrams up to a limit; the next poll continues from there.
     *
     * @param limit the maximum number of datagrams, at least 1
     * @return the number of datagrams; 0 if there are no new ones
     */
    int poll(DatagramHandler handler, int limit);

    /** The number of damaged batches that were skipped. The next batch that is read reports their datagrams as a gap. */
    long damagedBatches();

    /** Closes the files. Can be called twice. */
    @Override
    void close();
}
