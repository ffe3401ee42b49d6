package io.millrace.journal.read;

/** A way through a journal: the order in which its datagrams come. One thread. */
interface ReadOrder extends AutoCloseable {
    /**
     * Hands out datagrams, up to a limit.
     *
     * @return how many; 0 if there is nothing new
     */
    int poll(DatagramHandler handler, int limit);

    /** Batches that were damaged and skipped so far. */
    long damagedBatches();

    @Override
    void close();
}
