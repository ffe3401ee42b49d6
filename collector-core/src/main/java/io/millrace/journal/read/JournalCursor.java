package io.millrace.journal.read;

/**
 * Walks over a journal. Within a shard, datagrams come in the order of their sequence numbers; shards take turns, a batch
 * each; or all come in the order of their receive times. Shards that a collector adds later are found by themselves. One
 * thread, which need not be the one that opened it.
 */
public final class JournalCursor implements AutoCloseable {
    private final ReadOrder walk;
    private boolean closed;

    JournalCursor(ReadOrder walk) {
        this.walk = walk;
    }

    /**
     * Hands out datagrams: of one batch at the most, or by time all that may be handed out now.
     *
     * @return how many; 0 if there is nothing new
     */
    public int poll(DatagramHandler handler) {
        return poll(handler, Integer.MAX_VALUE);
    }

    /**
     * The same up to a limit; the next poll goes on from there.
     *
     * @param limit the most datagrams to hand out, at least 1
     * @return how many; 0 if there is nothing new
     */
    public int poll(DatagramHandler handler, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit takes a number from 1, not " + limit);
        }
        if (closed) {
            throw new IllegalStateException("the cursor is closed");
        }
        return walk.poll(handler, limit);
    }

    /** Batches that were damaged and skipped; the datagrams in them are a gap, reported when a batch after them is read. */
    public long damagedBatches() {
        return walk.damagedBatches();
    }

    /** Closes the files. Can be called twice. */
    @Override
    public void close() {
        closed = true;
        walk.close();
    }
}
