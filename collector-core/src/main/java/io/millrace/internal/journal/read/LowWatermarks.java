package io.millrace.internal.journal.read;

import io.millrace.internal.record.BatchView;
import java.nio.file.Path;
import java.util.Arrays;

/** The low watermarks of a shard: for each position, the earliest receive time after it, at the time of the scan. */
final class LowWatermarks {
    private long[] nextSequences = new long[1024];
    private long[] times = new long[1024];
    private int batches;
    private int current;

    private LowWatermarks() {}

    /** Creates the watermarks of a shard without batches. */
    static LowWatermarks none() {
        return new LowWatermarks();
    }

    /** Scans the files of a shard that may have datagrams of a time range. */
    static LowWatermarks of(Path dataDirectory, int shard, ShardIterator.Range range) {
        LowWatermarks all = new LowWatermarks();
        try (ShardReader reader = new ShardReader(dataDirectory, shard)) {
            reader.skipOutside(range);
            for (ShardReader.Found found = reader.next(); found != ShardReader.Found.NOTHING; found = reader.next()) {
                if (found == ShardReader.Found.BATCH && reader.batch().count() > 0) {
                    all.add(reader.batch());
                }
            }
        }
        for (int i = all.batches - 2; i >= 0; i--) {
            all.times[i] = Math.min(all.times[i], all.times[i + 1]);
        }
        return all;
    }

    private void add(BatchView batch) {
        if (batches == times.length) {
            nextSequences = Arrays.copyOf(nextSequences, 2 * batches);
            times = Arrays.copyOf(times, 2 * batches);
        }
        nextSequences[batches] = batch.nextSequence();
        times[batches] = batch.minTimeNs();
        batches++;
    }

    /**
     * Returns the earliest receive time in the batches that are not completely read.
     *
     * @param sequence the next sequence number to read, never less than in the previous call
     * @return ns since the epoch; {@link Long#MAX_VALUE} if all batches were read
     */
    long after(long sequence) {
        while (current < batches && nextSequences[current] <= sequence) {
            current++;
        }
        return current < batches ? times[current] : Long.MAX_VALUE;
    }
}
