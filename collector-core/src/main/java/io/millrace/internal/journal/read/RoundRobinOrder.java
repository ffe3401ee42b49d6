package io.millrace.internal.journal.read;

import io.millrace.internal.disk.Disk;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor.DatagramHandler;
import io.millrace.journal.JournalCursor.GapHandler;
import io.millrace.journal.Position;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A read order that reads shards round robin, one batch each. It also finds shards that a collector adds later. */
public final class RoundRobinOrder implements ReadOrder {
    /** The interval of checks for new shards, at the end of the journal. */
    static final long NEW_SHARDS_NS = 1_000_000_000L;

    private final Journal journal;
    private final @Nullable Position from;
    private final long[] fromEach;
    private final long @Nullable [] toEach;
    private final ShardIterator.Range range;
    private final GapHandler onGap;
    private final BooleanSupplier isStopped;
    private final List<ShardIterator> shards = new ArrayList<>();
    private final ShardPosition position = new ShardPosition();
    private int turn;
    private long checkedShardsNs;

    public RoundRobinOrder(
            Journal journal,
            boolean fromEnd,
            @Nullable Position from,
            long[] fromEach,
            long @Nullable [] toEach,
            ShardIterator.Range range,
            GapHandler onGap,
            BooleanSupplier isStopped)
            throws IOException {
        this.journal = journal;
        this.isStopped = isStopped;
        this.from = from;
        this.fromEach = fromEach;
        this.toEach = toEach;
        this.range = range;
        this.onGap = onGap;
        addShards(journal.meta().shards(), fromEnd);
        checkedShardsNs = System.nanoTime();
    }

    private void addShards(int count, boolean fromEnd) {
        if (from != null) {
            if (shards.isEmpty() && from.shard() < count) {
                shards.add(new ShardIterator(
                                journal.dataDirectory(),
                                from.shard(),
                                from.sequence(),
                                Long.MAX_VALUE,
                                false,
                                range,
                                onGap)
                        .stopWhen(isStopped));
            }
            return;
        }
        for (int shard = shards.size(); shard < count; shard++) {
            long first = shard < fromEach.length ? fromEach[shard] : 0;
            shards.add(new ShardIterator(journal.dataDirectory(), shard, first, end(shard), fromEnd, range, onGap)
                    .stopWhen(isStopped));
        }
    }

    private long end(int shard) {
        if (toEach == null) {
            return Long.MAX_VALUE;
        }
        return shard < toEach.length ? toEach[shard] : 0;
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
        addNewShards();
        return 0;
    }

    private void addNewShards() {
        long now = System.nanoTime();
        if (now - checkedShardsNs > NEW_SHARDS_NS) {
            checkedShardsNs = now;
            Path next = JournalPaths.shardPath(journal.dataDirectory(), shards.size());
            if (Disk.of(next).notExists(next)) {
                return;
            }
            try {
                addShards(journal.meta().shards(), false);
            } catch (IOException e) {
                // The directory was removed or is being replaced: open files can still be read.
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
