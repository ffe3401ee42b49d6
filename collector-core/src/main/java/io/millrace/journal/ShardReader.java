package io.millrace.journal;

import io.millrace.record.BatchView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.TailerDirection;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.wire.DocumentContext;
import org.jspecify.annotations.Nullable;

/**
 * Reads the batches of one shard in order, while it is written or not, in this process or another. A batch is copied to
 * the reader's own memory and checked there, so that nothing can change under a view of it. One thread.
 */
public final class ShardReader implements AutoCloseable {
    /** What {@link #next()} found. */
    public enum Found {
        /** A batch: {@link #batch()} has it. */
        BATCH,
        /** Nothing yet: the end of what is written so far. */
        NOTHING,
        /** An excerpt that is no batch, or a damaged one: it is skipped. */
        DAMAGED
    }

    private static final int INITIAL_BYTES = 512 * 1024;

    private final Path path;
    private final BatchView batch = new BatchView();
    private @Nullable SingleChronicleQueue queue;
    private @Nullable ExcerptTailer tailer;
    private Bytes<?> memory = allocate(INITIAL_BYTES);
    private ByteBuffer buffer = view(memory);
    private boolean closed;

    /**
     * Makes a reader at the beginning. The shard need not be there yet.
     *
     * @param dataDirectory the data directory
     */
    public ShardReader(Path dataDirectory, int shard) {
        this.path = DataDirectory.shardPath(dataDirectory, shard);
    }

    private static Bytes<?> allocate(int bytes) {
        Bytes<?> memory = Bytes.wrapForWrite(ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN));
        memory.singleThreadedCheckDisabled(true);
        return memory;
    }

    private static ByteBuffer view(Bytes<?> memory) {
        return (ByteBuffer) memory.underlyingObject();
    }

    /** Goes to the end: the next batch will be one that is appended from now on. */
    public void toEnd() {
        ExcerptTailer open = tailer();
        if (open == null) {
            return;
        }
        open.toEnd();
    }

    /**
     * Goes to the file in which the datagram with this sequence number is, so that few batches before it are read.
     *
     * @param sequence a sequence number of the shard
     * @throws UncheckedIOException if a file is cut off, or the disk fails
     */
    public void towards(long sequence) {
        try {
            seek(sequence);
        } catch (InternalError e) {
            throw unreadable(path, e);
        }
    }

    private void seek(long sequence) {
        ExcerptTailer open = tailer();
        if (open == null || queue == null) {
            return;
        }
        for (int cycle = queue.lastCycle(); cycle > queue.firstCycle() && cycle >= 0; cycle--) {
            if (open.moveToCycle(cycle) && peekFirstSequence(open) <= sequence) {
                open.moveToCycle(cycle);
                return;
            }
        }
        toFirstFile(queue, open);
    }

    /** The first sequence number of the first good batch from here: a damaged one may say any. */
    private long peekFirstSequence(ExcerptTailer open) {
        while (read(open)) {
            if (batch.check() == BatchView.Health.OK) {
                return batch.firstSequence();
            }
        }
        return Long.MAX_VALUE;
    }

    /** To the oldest file there is: Chronicle's listing still names those that were deleted under it. */
    private static void toFirstFile(SingleChronicleQueue queue, ExcerptTailer open) {
        int last = queue.lastCycle();
        for (int cycle = queue.firstCycle(); cycle <= last; cycle++) {
            if (open.moveToCycle(cycle)) {
                return;
            }
        }
    }

    /**
     * Reads the next batch and checks it.
     *
     * @throws io.millrace.record.UnknownVersionException if it is of a version this code does not know
     * @throws UncheckedIOException if a file is cut off, or the disk fails
     */
    public Found next() {
        try {
            ExcerptTailer open = tailer();
            if (open == null || !read(open)) {
                return Found.NOTHING;
            }
        } catch (InternalError e) {
            throw unreadable(path, e);
        }
        return batch.isGood() ? Found.BATCH : Found.DAMAGED;
    }

    /** What the JVM makes of a SIGBUS: a page of a mapped file that is behind the file's end, or that the disk did not give. */
    private static UncheckedIOException unreadable(Path path, InternalError cause) {
        return new UncheckedIOException(new IOException(
                "a file in " + path + " is cut off, or the disk fails: 'millrace journal verify' tells where", cause));
    }

    /** Copies the next excerpt, whatever it holds; false if there is none. */
    private boolean read(ExcerptTailer open) {
        try (DocumentContext context = open.readingDocument()) {
            if (!context.isPresent() || context.isMetaData()) {
                return false;
            }
            Bytes<?> source = context.wire().bytes();
            int length = (int) Math.min(source.readRemaining(), JournalScanner.MAX_BATCH_BYTES + 1L);
            if (length > JournalScanner.MAX_BATCH_BYTES) {
                // A length word that is damaged, or no excerpt of ours: nothing is copied, and no batch is found in it.
                batch.wrap(buffer, 0, 0);
                return true;
            }
            if (length > buffer.capacity()) {
                memory.releaseLast();
                memory = allocate(Integer.highestOneBit(length) * 2);
                buffer = view(memory);
            }
            memory.clear();
            memory.write(source, source.readPosition(), length);
            batch.wrap(buffer, 0, length);
            return true;
        }
    }

    /** The batch {@link #next()} found; valid until it is called again. */
    public BatchView batch() {
        return batch;
    }

    private @Nullable ExcerptTailer tailer() {
        if (tailer == null && ChronicleFiles.exists(path)) {
            queue = ChronicleFiles.openForReading(path);
            tailer = queue.createTailer();
            tailer.singleThreadedCheckDisabled(true);
            toFirstFile(queue, tailer);
        }
        return tailer;
    }

    /**
     * The sequence number after the last datagram there is now.
     *
     * @throws UncheckedIOException if a file is cut off, or the disk fails
     */
    public long endSequence() {
        try {
            var unused = tailer();
            return queue == null ? 0 : findEnd(queue);
        } catch (InternalError e) {
            throw unreadable(path, e);
        }
    }

    /** The sequence number after the shard's last datagram. Damaged batches at the end are passed over. */
    static long findEnd(SingleChronicleQueue queue) {
        try (ExcerptTailer backward = queue.createTailer()) {
            backward.direction(TailerDirection.BACKWARD).toEnd();
            BatchView view = new BatchView();
            while (true) {
                try (DocumentContext context = backward.readingDocument()) {
                    if (!context.isPresent()) {
                        return 0;
                    }
                    Bytes<?> source = context.wire().bytes();
                    if (source.readRemaining() > JournalScanner.MAX_BATCH_BYTES) {
                        continue;
                    }
                    int length = (int) source.readRemaining();
                    ByteBuffer copy = ByteBuffer.allocate(length);
                    source.copyTo(copy);
                    if (view.wrap(copy, 0, length).isGood()) {
                        return view.nextSequence();
                    }
                }
            }
        }
    }

    /** Closes the files. Can be called twice. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (tailer != null) {
            tailer.close();
        }
        if (queue != null) {
            queue.close();
        }
        memory.releaseLast();
    }
}
