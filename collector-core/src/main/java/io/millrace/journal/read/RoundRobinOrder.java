package io.millrace.journal.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shards take turns, a batch each; those that a collector adds later are found. */
final class RoundRobinOrder implements ReadOrder {
    /** How often a walk that has come to the end looks for shards that were added. */
    static final long NEW_SHARDS_NS = 1_000_000_000L;

    private final Journal journal;
    private final @Nullable Position from;
    private final long[] fromEach;
    private final ShardIterator.Range range;
    private final GapHandler onGap;
    private final List<ShardIterator> shards = new ArrayList<>();
    private final CursorPosition position = new CursorPosition();
    private int turn;
    private long lookedForShardsNs;

    RoundRobinOrder(
            Journal journal,
            boolean fromEnd,
            @Nullable Position from,
            long[] fromEach,
            ShardIterator.Range range,
            GapHandler onGap)
            throws IOException {
        this.journal = journal;
        this.from = from;
        this.fromEach = fromEach;
        this.range = range;
        this.onGap = onGap;
        addShards(journal.meta().shards(), fromEnd);
        lookedForShardsNs = System.nanoTime();
    }

    private void addShards(int count, boolean fromEnd) {
        if (from != null) {
            if (shards.isEmpty() && from.shard() < count) {
                shards.add(
                        new ShardIterator(journal.dataDirectory(), from.shard(), from.sequence(), false, range, onGap));
            }
            return;
        }
        for (int shard = shards.size(); shard < count; shard++) {
            long first = shard < fromEach.length ? fromEach[shard] : 0;
            shards.add(new ShardIterator(journal.dataDirectory(), shard, first, fromEnd, range, onGap));
        }
    }

    @Override
    public int poll(DatagramHandler handler, int limit) {
        int size = shards.size();
        for (int i = 0; i < size; i++) {
            ShardIterator shard = shards.get(turn % size);
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

    @Override
    public long damagedBatches() {
        return shards.stream().mapToLong(ShardIterator::damagedBatches).sum();
    }

    @Override
    public void close() {
        shards.forEach(ShardIterator::close);
        shards.clear();
    }
}
