package io.millrace.journal.read;

import io.millrace.record.DatagramView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;

/**
 * All shards as one, by receive time; of the same time, by shard and sequence number.
 *
 * <p>A shard is not in the order of time by itself: it has several sockets, and the kernel's times are not its own. So what
 * is there when the walk begins is looked through once, for the earliest time that still comes after each batch. A datagram
 * is handed out when no shard has an earlier one to come; until then a copy of it waits. That is exact.
 *
 * <p>What is appended later can only be guessed at: it is handed out a second after its receive time, in order, and what
 * comes later than that comes when it comes. A walk that does not wait for it ends with what was there.
 *
 * <p>What waits is in memory: about a second of traffic; more, if the clock was set back and everything after it comes
 * before what was there.
 */
final class TimeOrderedMerge implements ReadOrder {
    /** How long what is new waits for something earlier. */
    static final long DELAY_NS = 1_000_000_000L;

    private static final Comparator<Waiting> ORDER = Comparator.comparingLong(Waiting::timeNs)
            .thenComparingInt(Waiting::shard)
            .thenComparingLong(Waiting::sequence);

    /** A datagram that was read and may not be the next. */
    private record Waiting(long timeNs, int shard, long sequence, DatagramView datagram) {}

    /** A shard, and what is known of it. */
    private static final class Source {
        final ShardIterator walk;
        final LowWatermarks earliest;
        long readTo;
        long newestNs = Long.MIN_VALUE + DELAY_NS;
        boolean isAtEnd;

        Source(ShardIterator walk, LowWatermarks earliest) {
            this.walk = walk;
            this.earliest = earliest;
        }
    }

    private final List<Source> sources = new ArrayList<>();
    private final PriorityQueue<Waiting> waiting = new PriorityQueue<>(ORDER);
    private final CursorPosition position = new CursorPosition();
    private final boolean live;
    private final LongSupplier epochNs;
    private final Journal journal;
    private final ShardIterator.Range range;
    private final GapHandler onGap;
    private long lookedForShardsNs;

    TimeOrderedMerge(
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
                add(shard, fromEnd, fromEnd ? LowWatermarks.none() : LowWatermarks.of(journal.dataDirectory(), shard));
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
        lookedForShardsNs = System.nanoTime();
    }

    private void add(int shard, boolean fromEnd, LowWatermarks earliest) {
        ShardIterator walk = new ShardIterator(journal.dataDirectory(), shard, 0, fromEnd, range, onGap);
        sources.add(new Source(walk, earliest));
    }

    @Override
    public int poll(DatagramHandler handler, int limit) {
        long safeNs = readUntilSafe();
        int count = 0;
        for (Waiting next = waiting.peek();
                count < limit && next != null && next.timeNs() < safeNs;
                next = waiting.peek()) {
            waiting.remove();
            position.set(next.shard(), next.sequence());
            count++;
            handler.onDatagram(next.datagram(), position);
        }
        return count;
    }

    /** Reads until the earliest that waits is earlier than all that can come; returns the time before which all is read. */
    private long readUntilSafe() {
        while (true) {
            Source behind = null;
            long safeNs = Long.MAX_VALUE;
            for (Source source : sources) {
                long toComeNs = source.earliest.after(source.readTo);
                if (toComeNs < safeNs) {
                    safeNs = toComeNs;
                    behind = source;
                }
            }
            Waiting next = waiting.peek();
            if (behind == null) {
                return live ? readWhatIsNew() : Long.MAX_VALUE;
            }
            if (next != null && next.timeNs() < safeNs) {
                return safeNs;
            }
            readBatch(behind);
        }
    }

    /** Reads what was appended since, each shard only as far ahead of the others as the delay: a slow reader lags, too. */
    private long readWhatIsNew() {
        // The time first: what is received from now on is later.
        long nowNs = epochNs.getAsLong();
        lookForNewShards();
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
        return source.walk.poll((datagram, at) -> keep(source, datagram, at), position, Integer.MAX_VALUE);
    }

    private void lookForNewShards() {
        long now = System.nanoTime();
        if (now - lookedForShardsNs > RoundRobinOrder.NEW_SHARDS_NS) {
            lookedForShardsNs = now;
            try {
                int shards = journal.meta().shards();
                while (sources.size() < shards) {
                    add(sources.size(), false, LowWatermarks.none());
                }
            } catch (IOException e) {
                // The directory is gone or being replaced: what is open can still be read.
                return;
            }
        }
    }

    private void readBatch(Source source) {
        long before = source.readTo;
        if (read(source) == 0 || source.readTo == before) {
            // What was there is gone, or out of the range asked for: nothing more is to come of it.
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
                .mapToLong(source -> source.walk.damagedBatches())
                .sum();
    }

    @Override
    public void close() {
        sources.forEach(source -> source.walk.close());
        sources.clear();
        waiting.clear();
    }
}
