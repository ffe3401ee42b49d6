package io.millrace.internal.journal.read;

import io.millrace.internal.record.BatchView;
import io.millrace.journal.DatagramView;
import io.millrace.journal.JournalCursor.DatagramHandler;
import io.millrace.journal.JournalCursor.GapHandler;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/** An iterator over the datagrams of one shard. One thread. */
public final class ShardIterator implements AutoCloseable {
    /** The receive times of the datagrams to return, in ns since the epoch: from is inclusive, to is exclusive. */
    public record Range(long fromNs, long toNs) {
        boolean contains(long timeNs) {
            return timeNs >= fromNs && timeNs < toNs;
        }

        boolean isAll() {
            return fromNs == Long.MIN_VALUE && toNs == Long.MAX_VALUE;
        }

        boolean mayOverlap(BatchView batch) {
            return batch.maxTimeNs() >= fromNs && batch.minTimeNs() < toNs;
        }
    }

    private static final long UNKNOWN = -1;

    private final int shard;
    private final ShardReader reader;
    private final Range range;
    private final GapHandler onGap;
    private final DatagramView datagram = new DatagramView();
    private final long startSequence;
    private final long endSequence;

    private BooleanSupplier isStopped = () -> false;
    private boolean inBatch;
    private long sequence;
    private long expected;
    private long damagedBatches;

    /** @param endSequence the end of the sequence numbers, exclusive */
    ShardIterator(
            Path dataDirectory,
            int shard,
            long startSequence,
            long endSequence,
            boolean fromEnd,
            Range range,
            GapHandler onGap) {
        this.shard = shard;
        this.reader = new ShardReader(dataDirectory, shard);
        reader.skipOutside(range);
        this.range = range;
        this.onGap = onGap;
        this.startSequence = startSequence;
        this.endSequence = endSequence;
        this.expected = startSequence > 0 ? startSequence : UNKNOWN;
        if (fromEnd) {
            reader.toEnd();
        } else if (startSequence > 0) {
            reader.seekFile(startSequence);
        }
    }

    /** Sets what is asked before each batch: if it is true, there seem to be no more. */
    ShardIterator stopWhen(BooleanSupplier stopped) {
        isStopped = stopped;
        return this;
    }

    int poll(DatagramHandler handler, ShardPosition position, int limit) {
        while (inBatch || enterNextBatch()) {
            int count = pollBatch(handler, position, limit);
            if (count > 0) {
                return count;
            }
        }
        return 0;
    }

    private int pollBatch(DatagramHandler handler, ShardPosition position, int limit) {
        int count = 0;
        boolean wantsMore = true;
        while (inBatch && count < limit && wantsMore) {
            boolean wanted =
                    sequence >= startSequence && sequence < endSequence && range.contains(datagram.receiveTimeNs());
            position.set(shard, sequence);
            try {
                if (wanted) {
                    count++;
                    handler.onDatagram(datagram, position);
                    wantsMore = handler.wantsMore();
                }
            } finally {
                sequence++;
                inBatch = datagram.next();
            }
        }
        return count;
    }

    /** Moves to the next batch with datagrams in range; false if there is none yet. */
    private boolean enterNextBatch() {
        while (Math.max(startSequence, expected) < endSequence && !isStopped.getAsBoolean()) {
            ShardReader.Found found = reader.next();
            if (found == ShardReader.Found.NOTHING) {
                return false;
            }
            if (found == ShardReader.Found.DAMAGED) {
                damagedBatches++;
                continue;
            }
            BatchView batch = reader.batch();
            if (reader.hasSkipped()) {
                expected = UNKNOWN;
            }
            if (batch.nextSequence() <= startSequence) {
                continue;
            }
            if (expected == UNKNOWN && batch.isGap()) {
                expected = batch.gapFirst();
            }
            reportGap(Math.min(batch.firstSequence(), endSequence));
            expected = batch.nextSequence();
            if (batch.count() > 0 && range.mayOverlap(batch)) {
                sequence = batch.firstSequence();
                batch.first(datagram);
                inBatch = true;
                return true;
            }
        }
        return false;
    }

    private void reportGap(long firstSequence) {
        if (expected != UNKNOWN && firstSequence > expected) {
            onGap.onGap(shard, expected, firstSequence - expected);
        }
    }

    boolean isInBatch() {
        return inBatch;
    }

    long damagedBatches() {
        return damagedBatches;
    }

    @Override
    public void close() {
        reader.close();
    }
}
