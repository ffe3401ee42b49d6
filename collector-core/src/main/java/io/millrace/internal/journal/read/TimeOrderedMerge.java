package io.millrace.internal.journal.read;

import io.millrace.journal.CursorPosition;
import io.millrace.journal.DatagramView;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor.DatagramHandler;
import io.millrace.journal.JournalCursor.GapHandler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;

/**
 * A merge of all shards by receive time, then by shard and sequence number.
 *
 * <p>A shard itself is not sorted by receive time: it can have several sockets, and the kernel takes the timestamps. So
 * the merge first scans the existing journal, as far as it may have times of the range, for low watermarks: the earliest receive time after each batch. It returns
 * a datagram once no shard can have an earlier one, and keeps a copy until then. This order is exact.
 *
 * <p>For datagrams that are appended later, there are no watermarks. The merge returns them in order, a second after
 * their receive time. A datagram that arrives in the journal even later is returned out of order. A merge that is not
 * live ends with the datagrams that existed at the start.
 *
 * <p>Waiting datagrams are in memory: usually about a second of traffic. They are more if the clock was set back,
 * because then all later datagrams sort before existing ones.
 */
public final class TimeOrderedMerge implements ReadOrder {
    /** How long new datagrams wait for earlier ones. */
    static final long DELAY_NS = 1_000_000_000L;

    private static final Comparator<Waiting> ORDER = Comparator.comparingLong(Waiting::timeNs)
            .thenComparingInt(Waiting::shard)
            .thenComparingLong(Waiting::sequence);

    /** A datagram that was read, but not yet returned. */
    private record Waiting(long timeNs, int shard, long sequence, DatagramView datagram) {}

    /** The state of a shard. */
    private static final class Source {
        final ShardIterator iterator;
        final LowWatermarks watermarks;
        long readTo;
        long newestNs = Long.MIN_VALUE + DELAY_NS;
        boolean isAtEnd;

        Source(ShardIterator iterator, LowWatermarks watermarks) {
            this.iterator = iterator;
            this.watermarks = watermarks;
        }
    }

    private final List<Source> sources = new ArrayList<>();
    private final PriorityQueue<Waiting> waiting = new PriorityQueue<>(ORDER);
    private final ShardPosition position = new ShardPosition();
    private final boolean live;
    private final LongSupplier epochNs;
    private final Journal journal;
    private final ShardIterator.Range range;
    private final GapHandler onGap;
    private long checkedShardsNs;

    public TimeOrderedMerge(
            Journal journal,
            boolean fromEnd,
            boolean live,
            ShardIterator.Range range,
            GapHandler onGap,
            LongSupplier epochNs)
            throws IOException {
        this.journal = journal;
        this.live = live;
        this.range = range;
        this.onGap = onGap;
        this.epochNs = epochNs;
        int shards = journal.meta().shards();
        try {
            for (int shard = 0; shard < shards; shard++) {
                add(
                        shard,
                        fromEnd,
                        fromEnd ? LowWatermarks.none() : LowWatermarks.of(journal.dataDirectory(), shard, range));
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
        checkedShardsNs = System.nanoTime();
    }

    private void add(int shard, boolean fromEnd, LowWatermarks watermarks) {
        ShardIterator iterator =
                new ShardIterator(journal.dataDirectory(), shard, 0, Long.MAX_VALUE, fromEnd, range, onGap);
        sources.add(new Source(iterator, watermarks));
    }

    @Override
    public int poll(DatagramHandler handler, int limit) {
        long safeNs = readUntilSafe();
        int count = 0;
        boolean wantsMore = true;
        for (Waiting next = waiting.peek();
                count < limit && wantsMore && next != null && next.timeNs() < safeNs;
                next = waiting.peek()) {
            waiting.remove();
            position.set(next.shard(), next.sequence());
            count++;
            handler.onDatagram(next.datagram(), position);
            wantsMore = handler.wantsMore();
        }
        return count;
    }

    /** Reads until the earliest waiting datagram can be returned; returns the time before which everything is read. */
    private long readUntilSafe() {
        while (true) {
            Source behind = null;
            long safeNs = Long.MAX_VALUE;
            for (Source source : sources) {
                long toComeNs = source.watermarks.after(source.readTo);
                if (toComeNs < safeNs) {
                    safeNs = toComeNs;
                    behind = source;
                }
            }
            Waiting next = waiting.peek();
            if (behind == null) {
                return live ? readNew() : Long.MAX_VALUE;
            }
            if (next != null && next.timeNs() < safeNs) {
                return safeNs;
            }
            readBatch(behind);
        }
    }

    /** Reads appended datagrams; reads no shard further ahead of the others than the delay, to bound the memory. */
    private long readNew() {
        // Take the time first: datagrams received from now on are later.
        long nowNs = epochNs.getAsLong();
        addNewShards();
        sources.forEach(source -> source.isAtEnd = false);
        while (true) {
            Source behind = null;
            long readToNs = nowNs;
            for (Source source : sources) {
                if (!source.isAtEnd && source.newestNs < readToNs) {
                    readToNs = source.newestNs;
                    behind = source;
                }
            }
            Waiting next = waiting.peek();
            long safeNs = readToNs - DELAY_NS;
            if (behind == null || (next != null && next.timeNs() < safeNs)) {
                return safeNs;
            }
            behind.isAtEnd = read(behind) == 0;
        }
    }

    private int read(Source source) {
        return source.iterator.poll((datagram, at) -> keep(source, datagram, at), position, Integer.MAX_VALUE);
    }

    private void addNewShards() {
        long now = System.nanoTime();
        if (now - checkedShardsNs > RoundRobinOrder.NEW_SHARDS_NS) {
            checkedShardsNs = now;
            try {
                int shards = journal.meta().shards();
                while (sources.size() < shards) {
                    add(sources.size(), false, LowWatermarks.none());
                }
            } catch (IOException e) {
                // The directory was removed or is being replaced: open files can still be read.
                return;
            }
        }
    }

    private void readBatch(Source source) {
        long before = source.readTo;
        if (read(source) == 0 || source.readTo == before) {
            // The remaining datagrams were deleted or are outside the range.
            source.readTo = Long.MAX_VALUE;
        }
    }

    private void keep(Source source, DatagramView datagram, CursorPosition at) {
        waiting.add(new Waiting(datagram.receiveTimeNs(), at.shard(), at.sequence(), datagram.copy()));
        source.readTo = at.sequence() + 1;
        source.newestNs = Math.max(source.newestNs, datagram.receiveTimeNs());
    }

    @Override
    public long damagedBatches() {
        return sources.stream()
                .mapToLong(source -> source.iterator.damagedBatches())
                .sum();
    }

    @Override
    public void close() {
        sources.forEach(source -> source.iterator.close());
        sources.clear();
        waiting.clear();
    }
}
