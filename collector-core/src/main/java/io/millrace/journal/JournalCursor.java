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

    /** A handler of the datagrams that a cursor reads. */
    @FunctionalInterface
    public interface DatagramHandler {
        /**
         * Handles one datagram. If this method throws, {@code poll} throws the same exception, and the next poll continues
         * with the next datagram.
         *
         * @param datagram a view, valid only during the call
         * @param position the position of the datagram, valid only during the call
         */
        void onDatagram(DatagramView datagram, CursorPosition position);

        /** Asked after each datagram: false ends the poll, and the next one continues with the datagram after it. */
        default boolean wantsMore() {
            return true;
        }
    }

    /**
     * A handler of gaps: datagrams that a cursor cannot read, because of a damaged batch or files that retention deleted.
     */
    @FunctionalInterface
    public interface GapHandler {
        /**
         * Handles a gap in a shard's sequence numbers.
         *
         * @param shard the shard
         * @param firstSequence the first missing sequence number
         * @param count the number of missing datagrams
         */
        void onGap(int shard, long firstSequence, long count);
    }
}
