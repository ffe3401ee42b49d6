package io.millrace.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks over a journal. Within a shard, datagrams come in the order of their sequence numbers; shards take turns, a batch
 * each. Shards that a collector adds later are found by themselves. One thread, which need not be the one that opened it.
 */
public final class JournalCursor implements AutoCloseable {
    private static final long NEW_SHARDS_NS = 1_000_000_000L;

    private final Journal journal;
    private final @Nullable Position from;
    private final ShardWalk.Range range;
    private final GapHandler onGap;
    private final List<ShardWalk> shards = new ArrayList<>();
    private final CursorPosition position = new CursorPosition();
    private int turn;
    private boolean closed;
    private long lookedForShardsNs;

    JournalCursor(
            Journal journal, boolean fromEnd, @Nullable Position from, long fromTimeNs, long toTimeNs, GapHandler onGap)
            throws IOException {
        this.journal = journal;
        this.from = from;
        this.range = new ShardWalk.Range(fromTimeNs, toTimeNs);
        this.onGap = onGap;
        addShards(journal.meta().shards(), fromEnd);
        lookedForShardsNs = System.nanoTime();
    }

    private void addShards(int count, boolean fromEnd) {
        if (from != null) {
            if (shards.isEmpty() && from.shard() < count) {
                shards.add(new ShardWalk(journal.dataDirectory(), from.shard(), from.sequence(), false, range, onGap));
            }
            return;
        }
        for (int shard = shards.size(); shard < count; shard++) {
            shards.add(new ShardWalk(journal.dataDirectory(), shard, 0, fromEnd, range, onGap));
        }
    }

    /**
     * Hands out datagrams of one batch at the most.
     *
     * @return how many; 0 if there is nothing new
     */
    public int poll(DatagramHandler handler) {
        return poll(handler, Integer.MAX_VALUE);
    }

    /**
     * Hands out datagrams of one batch, up to a limit; the next poll goes on in the middle of it.
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
        int size = shards.size();
        for (int i = 0; i < size; i++) {
            ShardWalk shard = shards.get(turn % size);
            int count = shard.poll(handler, position, limit);
            if (count > 0) {
                if (!shard.isInBatch()) {
                    turn = (turn + 1) % size;
                }
                return count;
            }
            turn = (turn + 1) % size;
        }
        lookForNewShards();
        return 0;
    }

    private void lookForNewShards() {
        long now = System.nanoTime();
        if (now - lookedForShardsNs > NEW_SHARDS_NS) {
            lookedForShardsNs = now;
            try {
                addShards(journal.meta().shards(), false);
            } catch (IOException e) {
                // The directory is gone or being replaced: what is open can still be read.
                return;
            }
        }
    }

    /** Batches that were damaged and skipped; the datagrams in them are a gap, reported when a batch after them is read. */
    public long damagedBatches() {
        return shards.stream().mapToLong(ShardWalk::damagedBatches).sum();
    }

    /** Closes the files. Can be called twice. */
    @Override
    public void close() {
        closed = true;
        shards.forEach(ShardWalk::close);
        shards.clear();
    }
}
