package io.millrace.internal.journal.read;

/**
 * A cursor that reads the datagrams of a journal. It reads shards round robin, one batch each, in the order of their
 * sequence numbers; or all shards merged by receive time. It also finds shards that a collector adds later. One thread,
 * which may be a different one from the thread that opened it.
 */
public final class JournalCursor implements AutoCloseable {
    private final ReadOrder order;
    private boolean closed;

    JournalCursor(ReadOrder order) {
        this.order = order;
    }

    /**
     * Reads datagrams: at most one batch, or with {@link CursorBuilder#byTime} all that are due.
     *
     * @return the number of datagrams; 0 if there are no new ones
     */
    public int poll(DatagramHandler handler) {
        return poll(handler, Integer.MAX_VALUE);
    }

    /**
     * Reads datagrams up to a limit; the next poll continues from there.
     *
     * @param limit the maximum number of datagrams, at least 1
     * @return the number of datagrams; 0 if there are no new ones
     */
    public int poll(DatagramHandler handler, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit takes a number from 1, not " + limit);
        }
        if (closed) {
            throw new IllegalStateException("the cursor is closed");
        }
        return order.poll(handler, limit);
    }

    /**
     * The number of damaged batches that were skipped. The next batch that is read reports their datagrams as a gap.
     */
    public long damagedBatches() {
        return order.damagedBatches();
    }

    /** Closes the files. Can be called twice. */
    @Override
    public void close() {
        closed = true;
        order.close();
    }
}
