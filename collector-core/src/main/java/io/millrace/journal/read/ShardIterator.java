package io.millrace.journal.read;

import io.millrace.record.BatchView;
import io.millrace.record.DatagramView;
import java.nio.file.Path;

/** A cursor's place in one shard: the batch it is in, and how far it has come in it. One thread. */
final class ShardIterator implements AutoCloseable {
    /** Receive times to hand out, in ns since the epoch: from, inclusive, to, exclusive. */
    record Range(long fromNs, long toNs) {
        boolean contains(long timeNs) {
            return timeNs >= fromNs && timeNs < toNs;
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
    private final long firstWanted;

    private boolean inBatch;
    private long sequence;
    private long expected;
    private long damagedBatches;

    ShardIterator(Path dataDirectory, int shard, long firstWanted, boolean fromEnd, Range range, GapHandler onGap) {
        this.shard = shard;
        this.reader = new ShardReader(dataDirectory, shard);
        this.range = range;
        this.onGap = onGap;
        this.firstWanted = firstWanted;
        this.expected = firstWanted > 0 ? firstWanted : UNKNOWN;
        if (fromEnd) {
            reader.toEnd();
        } else if (firstWanted > 0) {
            reader.towards(firstWanted);
        }
    }

    int poll(DatagramHandler handler, CursorPosition position, int limit) {
        while (inBatch || enterNextBatch()) {
            int count = walk(handler, position, limit);
            if (count > 0) {
                return count;
            }
        }
        return 0;
    }

    private int walk(DatagramHandler handler, CursorPosition position, int limit) {
        int count = 0;
        while (inBatch && count < limit) {
            boolean wanted = sequence >= firstWanted && range.contains(datagram.receiveTimeNs());
            position.set(shard, sequence);
            try {
                if (wanted) {
                    count++;
                    handler.onDatagram(datagram, position);
                }
            } finally {
                sequence++;
                inBatch = datagram.next();
            }
        }
        return count;
    }

    /** Goes to the next batch with anything in range; false if there is none yet. */
    private boolean enterNextBatch() {
        while (true) {
            ShardReader.Found found = reader.next();
            if (found == ShardReader.Found.NOTHING) {
                return false;
            }
            if (found == ShardReader.Found.DAMAGED) {
                damagedBatches++;
                continue;
            }
            BatchView batch = reader.batch();
            if (batch.nextSequence() <= firstWanted) {
                continue;
            }
            if (expected == UNKNOWN && batch.isGap()) {
                expected = batch.gapFirst();
            }
            reportGap(batch.firstSequence());
            expected = batch.nextSequence();
            if (batch.count() > 0 && range.mayOverlap(batch)) {
                sequence = batch.firstSequence();
                batch.first(datagram);
                inBatch = true;
                return true;
            }
        }
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
