package io.millrace.internal.journal.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.wire.Wire;
import net.openhft.chronicle.wire.WriteAfterEOFException;

/** The Chronicle queue of a shard, to which its journal writer appends batches. One thread at a time. */
public final class ShardQueue implements Closeable {
    /** The result of {@link #append} if the file has its end mark: nothing was appended, and the next file is due. */
    public static final long END_IS_MARKED = -1;

    /** The result of {@link #append} if the end of the batch in the file is not known. */
    public static final long UNKNOWN = 0;

    private final RollClock clock;
    private final SingleChronicleQueue queue;
    private final ExcerptAppender appender;
    private final BatchFile batches = new BatchFile();

    private ShardQueue(RollClock clock, SingleChronicleQueue queue, ExcerptAppender appender) {
        this.clock = clock;
        this.queue = queue;
        this.appender = appender;
    }

    /**
     * Opens the queue. The caller holds the data directory, and has checked the two newest files.
     *
     * @throws IOException if the directory cannot be written, or Chronicle rejects the existing files
     */
    public static ShardQueue open(Path shard, long blockBytes) throws IOException {
        RollClock clock = new RollClock(1);
        SingleChronicleQueue queue = ChronicleFiles.openForWriting(shard, blockBytes, clock);
        clock.startAt(queue.lastCycle());
        ExcerptAppender appender = ChronicleFiles.appender(queue, shard);
        // One thread opens it and another uses it, but never at the same time.
        appender.singleThreadedCheckDisabled(true);
        return new ShardQueue(clock, queue, appender);
    }

    /** The clock that rolls its files. */
    public RollClock clock() {
        return clock;
    }

    /**
     * Appends a batch as one excerpt. After an exception nothing was appended, and the batch may be appended again; after an error the
     * queue must not be used any more.
     *
     * @param batch the remaining bytes
     * @param file the file that Chronicle appends to now; the same object for the same file
     * @return where the batch ends in the file, {@link #UNKNOWN} or {@link #END_IS_MARKED}
     */
    public long append(ByteBuffer batch, Path file) throws IOException {
        try {
            batches.append(appender, batch, file);
        } catch (WriteAfterEOFException e) {
            return END_IS_MARKED;
        }
        Wire wire = appender.wire();
        return wire == null ? UNKNOWN : wire.bytes().writePosition();
    }

    /** Lists the directory again, because files were deleted. */
    public void refresh() {
        queue.refreshDirectoryListing();
    }

    /** Closes the files. */
    @Override
    public void close() throws IOException {
        queue.close();
        batches.close();
    }
}
