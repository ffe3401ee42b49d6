package io.millrace.internal.counters;

import io.millrace.collector.Counter;
import io.millrace.collector.Distribution;
import io.millrace.collector.Distribution.Percentiles;
import io.millrace.collector.DropReason;
import io.millrace.collector.ShardCounters;
import io.millrace.internal.disk.Disk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.VarHandle;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cells of one shard. Each cell has one writing thread, which {@link Counter} names, so an addition is a plain read
 * and a release store. Any thread may read.
 */
public final class ShardCells implements ShardCounters {
    /** The minimum duration of an agent's cycle that counts as a stall, in ns. */
    public static final long STALL_NS = 100_000_000;

    private static final Counter[] ACCOUNTED = Stream.concat(
                    Arrays.stream(DropReason.values())
                            .filter(DropReason::isAfterReceipt)
                            // Their numbers are among the journaled ones.
                            .filter(reason -> reason != DropReason.POWER_FAILURE)
                            .map(DropReason::counter),
                    Stream.of(Counter.JOURNALED_DATAGRAMS, Counter.MERGED_CHUNKS, Counter.DUPLICATE_CHUNKS))
            .toArray(Counter[]::new);

    // These have no Counter: nobody looks at them but the next start.
    private static final int RESERVED_CELL = CounterFile.CELLS_PER_SHARD - 1;
    private static final int SYNCED_CELL = CounterFile.CELLS_PER_SHARD - 2;
    private static final int RECOVERED_CELL = CounterFile.CELLS_PER_SHARD - 3;

    private final Path file;
    private final MappedByteBuffer buffer;
    private final int base;
    private final VarHandle longs;
    private final @Nullable RecentValues[] distributions = new RecentValues[Distribution.values().length];

    ShardCells(Path file, MappedByteBuffer buffer, int base, VarHandle longs) {
        this.file = file;
        this.buffer = buffer;
        this.base = base;
        this.longs = longs;
    }

    @Override
    public long get(Counter counter) {
        return (long) longs.getAcquire(buffer, offset(counter));
    }

    /**
     * Received datagrams of which the counters say what became of them. To be read before {@link Counter#RECEIVED_DATAGRAMS}: a datagram
     * counts as received first, so the difference is what is in flight, and never negative. Any thread.
     */
    public long accounted() {
        long sum = 0;
        for (Counter counter : ACCOUNTED) {
            sum += get(counter);
        }
        return sum;
    }

    /**
     * Journaled datagrams of the counters, without those that a power failure took. {@link Counter#JOURNALED_DATAGRAMS} has them,
     * because it is the next sequence number, too.
     */
    public long journaled() {
        return get(Counter.JOURNALED_DATAGRAMS) - get(DropReason.POWER_FAILURE.counter());
    }

    /** The host on which the losses of a power failure were counted last, so that a start that fails later does not count them again. */
    public long recoveredOn() {
        return (long) longs.getAcquire(buffer, base + RECOVERED_CELL * CounterFile.CELL_STRIDE);
    }

    /** Stores that the losses of a power failure are counted. */
    public void noteRecovered(long host) {
        longs.setRelease(buffer, base + RECOVERED_CELL * CounterFile.CELL_STRIDE, host);
    }

    /** The cycle of the newest journal file at the last sync: all earlier files are on the disk; 0 if that is not known. */
    public long syncedCycle() {
        return (long) longs.getAcquire(buffer, base + SYNCED_CELL * CounterFile.CELL_STRIDE);
    }

    /** Stores the cycle of the newest journal file after a sync; 0 if files will not be synced. The syncing thread. */
    public void noteSynced(long cycle) {
        longs.setRelease(buffer, base + SYNCED_CELL * CounterFile.CELL_STRIDE, cycle);
    }

    /** The sequence number up to which numbers may have been in use when the power failed. */
    public long reservedTo() {
        return (long) longs.getAcquire(buffer, base + RESERVED_CELL * CounterFile.CELL_STRIDE);
    }

    /**
     * Stores up to which sequence number numbers may be in use, on the disk.
     *
     * @throws IOException if the disk failed
     */
    public void reserveTo(long sequence) throws IOException {
        int offset = base + RESERVED_CELL * CounterFile.CELL_STRIDE;
        longs.setRelease(buffer, offset, sequence);
        force(offset, Long.BYTES);
    }

    /**
     * Syncs the counters of the shard to the disk.
     *
     * @throws IOException if the disk failed
     */
    public void sync() throws IOException {
        force(base, CounterFile.CELL_STRIDE * CounterFile.CELLS_PER_SHARD);
    }

    private void force(int offset, int length) throws IOException {
        try {
            Disk.of(file).sync(file, buffer, offset, length);
        } catch (UncheckedIOException e) {
            throw new IOException("the counters cannot be synced to the disk: " + e.getMessage(), e);
        }
    }

    /** Adds to a counter. Only its writing thread. */
    public void add(Counter counter, long amount) {
        if (amount != 0) {
            int offset = offset(counter);
            longs.setRelease(buffer, offset, (long) longs.get(buffer, offset) + amount);
        }
    }

    /** Sets a value. Only its writing thread. */
    public void set(Counter counter, long value) {
        longs.setRelease(buffer, offset(counter), value);
    }

    /** Raises a maximum. Only its writing thread. */
    public void raise(Counter counter, long value) {
        int offset = offset(counter);
        if (value > (long) longs.get(buffer, offset)) {
            longs.setRelease(buffer, offset, value);
        }
    }

    /** Records a value in a shard that was {@link #reset}; other shards ignore it. Only the recording thread. */
    @SuppressWarnings("EnumOrdinal") // The ordinal is an index in memory and is never stored.
    public void record(Distribution distribution, long value) {
        RecentValues values = distributions[distribution.ordinal()];
        if (values != null) {
            values.record(value);
        }
    }

    @Override
    @SuppressWarnings("EnumOrdinal")
    public Percentiles percentiles(Distribution distribution) {
        RecentValues values = distributions[distribution.ordinal()];
        return values == null ? Percentiles.NONE : values.read();
    }

    @Override
    public void keepRecent() {
        long nowNs = System.nanoTime();
        for (RecentValues values : distributions) {
            if (values != null) {
                values.keep(nowNs);
            }
        }
    }

    /** Records the duration of an agent's cycle. Only the writing thread of all three cells. */
    public void cycle(Distribution lengths, Counter max, Counter stalls, long cycleNs) {
        record(lengths, cycleNs);
        raise(max, cycleNs);
        if (cycleNs > STALL_NS) {
            add(stalls, 1);
        }
    }

    /** Resets the counters of a process to 0, at its start and before any thread counts. */
    @SuppressWarnings("EnumOrdinal")
    public void reset() {
        for (Distribution distribution : Distribution.values()) {
            distributions[distribution.ordinal()] =
                    new RecentValues(distribution.unit().highest());
        }
        for (Counter counter : Counter.values()) {
            if (counter.kind() != Counter.Kind.TOTAL) {
                set(counter, 0);
            }
        }
    }

    private int offset(Counter counter) {
        return base + counter.id() * CounterFile.CELL_STRIDE;
    }
}
