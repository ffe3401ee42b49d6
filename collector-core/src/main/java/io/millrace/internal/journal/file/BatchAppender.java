package io.millrace.internal.journal.file;

import io.millrace.internal.disk.Disk;
import io.millrace.internal.journal.PrivateFiles;
import io.millrace.internal.record.BatchView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.wire.Wire;

/** Appends existing batches unchanged to new files of a shard that nothing else uses. One thread. */
public final class BatchAppender implements AutoCloseable {
    private static final int INITIAL_BYTES = 512 * 1024;
    /** The minimum that Chronicle maps at a time; an excerpt may have an eighth of the mapped size. */
    private static final long BLOCK_BYTES = 1L << 20;

    private final Path shard;
    private final RollClock clock;
    private final SingleChronicleQueue queue;
    private final ExcerptAppender appender;
    private final FileAllocation allocation;
    private long cycle;
    private boolean begun;
    private long end;
    private ByteBuffer memory = ByteBuffer.allocateDirect(INITIAL_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    /**
     * Creates an appender that starts with the file of a cycle.
     *
     * @param shard the directory of the shard, which is created if it does not exist
     * @param largestBatch the maximum bytes of a batch
     * @throws IOException if the directory cannot be written
     */
    public BatchAppender(Path shard, long cycle, int largestBatch) throws IOException {
        this.shard = shard;
        this.cycle = cycle;
        clock = new RollClock(cycle);
        Disk.of(shard).createDirectories(shard, PrivateFiles.DIRECTORY);
        long block = blockBytes(largestBatch);
        allocation = new FileAllocation(shard, block, new DiskReserve(shard), FileAllocation.Method.RESERVE);
        queue = ChronicleFiles.openForWriting(shard, block, clock);
        appender = queue.createAppender();
    }

    private static long blockBytes(int largestBatch) {
        return Math.max(BLOCK_BYTES, 16L * Integer.highestOneBit(largestBatch));
    }

    /** The maximum bytes that a file needs in addition to its batches. */
    public static long bytesAhead(int largestBatch) {
        return FileAllocation.lengthFor(FileAllocation.SLACK_BYTES, blockBytes(largestBatch));
    }

    /** Continues in the file of this cycle, which must not be earlier than the current one. */
    public void toCycle(long next) {
        if (next != cycle) {
            cycle = next;
            begun = false;
            clock.startAt(next);
        }
    }

    public void append(BatchView batch) throws IOException {
        if (batch.length() > memory.capacity()) {
            memory = ByteBuffer.allocateDirect(Integer.highestOneBit(batch.length()) * 2)
                    .order(ByteOrder.LITTLE_ENDIAN);
        }
        batch.copyTo(memory);
        append(memory, batch.length());
    }

    public void append(ByteBuffer batch, int length) throws IOException {
        if (!begun) {
            allocation.begin(ChronicleFiles.file(shard, cycle));
            begun = true;
            end = 0;
        }
        long until = end + length + FileAllocation.SLACK_BYTES;
        if (!allocation.covers(until)) {
            allocation.extend(until);
        }
        try {
            Bytes<?> bytes = BytesStore.wrap(batch).bytesForRead();
            bytes.readPositionRemaining(0, length);
            appender.writeBytes(bytes);
            bytes.releaseLast();
            Wire wire = appender.wire();
            end = wire == null ? end + length : wire.bytes().writePosition();
        } catch (InternalError e) {
            throw new IOException("a write to a mapped page failed: the disk is full or failed", e);
        }
    }

    @Override
    public void close() throws IOException {
        queue.close();
        allocation.close();
    }
}
