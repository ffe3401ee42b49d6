package io.millrace.journal.read;

import io.millrace.journal.JournalPaths;
import io.millrace.journal.file.ExcerptFile;
import io.millrace.journal.file.ReadBuffer;
import io.millrace.record.BatchView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reads the batches of one shard in order, while it is written or not, in this process or another. A batch is read to the
 * reader's own memory and checked there, so that nothing can change under a view of it. One thread.
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

    private static final long LOOK_NS = 1_000_000_000;
    private static final long SECOND_LOOK_NS = 50_000_000;

    private final Path path;
    private final BatchView batch = new BatchView();
    private final ReadBuffer memory = new ReadBuffer();
    private @Nullable ExcerptFile file;
    /** Since when nothing was found in the file, and it was not looked whether there is another after it; 0 if something was. */
    private long quietSinceNs;

    /**
     * Makes a reader at the beginning. The shard need not be there yet.
     *
     * @param dataDirectory the data directory
     */
    public ShardReader(Path dataDirectory, int shard) {
        this.path = JournalPaths.shardPath(dataDirectory, shard);
    }

    /**
     * Goes to the end: the next batch will be one that is appended from now on.
     *
     * @throws UncheckedIOException if a file is truncated, or the disk fails
     */
    public void toEnd() {
        try {
            Path last = JournalPaths.last(path);
            if (last != null) {
                open(last).toEnd();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Goes to the file in which the datagram with this sequence number is, so that few batches before it are read.
     *
     * @param sequence a sequence number of the shard
     * @throws UncheckedIOException if a file is truncated, or the disk fails
     */
    public void towards(long sequence) {
        try {
            List<Path> files = JournalPaths.files(path);
            for (int i = files.size() - 1; i > 0; i--) {
                if (beginsBy(files.get(i), sequence)) {
                    return;
                }
            }
            closeFile();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Opens a file if its first good batch begins with this number or before it: a damaged one may say any. */
    private boolean beginsBy(Path candidate, long sequence) throws IOException {
        try {
            ExcerptFile open = open(candidate);
            while (open.next() == ExcerptFile.Next.EXCERPT) {
                if (check(open) == BatchView.Health.OK) {
                    open.restart();
                    return batch.firstSequence() <= sequence;
                }
            }
            return false;
        } catch (IOException e) {
            // Retention deleted it, and so all before it: the oldest that is left is right. Or it is damaged, and
            // whoever reads gets
            // there in its turn.
            return false;
        }
    }

    private ExcerptFile open(Path next) throws IOException {
        closeFile();
        ExcerptFile open = new ExcerptFile(next, memory);
        quietSinceNs = 0;
        file = open;
        return open;
    }

    /**
     * Reads the next batch and checks it.
     *
     * @throws io.millrace.record.UnknownVersionException if it is of a version this code does not know
     * @throws UncheckedIOException if a file is truncated, or the disk fails: it names the file, and where
     */
    public Found next() {
        try {
            return find();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Found find() throws IOException {
        while (true) {
            ExcerptFile open = file;
            if (open == null) {
                if (!openAfter(null)) {
                    return Found.NOTHING;
                }
                continue;
            }
            ExcerptFile.Next next;
            try {
                next = open.next();
            } catch (NoSuchFileException e) {
                next = ExcerptFile.Next.END;
            }
            if (next == ExcerptFile.Next.EXCERPT) {
                quietSinceNs = 0;
                return check(open) == BatchView.Health.OK || batch.isGood() ? Found.BATCH : Found.DAMAGED;
            }
            if (next == ExcerptFile.Next.NOTHING) {
                if (open.position() == 0 || isTimeToLook()) {
                    checkThatItIsTheLast(open);
                }
                return Found.NOTHING;
            }
            if (!openAfter(open.path())) {
                return Found.NOTHING;
            }
        }
    }

    private BatchView.Health check(ExcerptFile open) throws IOException {
        open.wrap(batch);
        BatchView.Health health = batch.check();
        if (health == BatchView.Health.OK) {
            return health;
        }
        open.wrapAgain(batch);
        return batch.check();
    }

    /** After a second without anything, and each second from then on. */
    private boolean isTimeToLook() {
        long nowNs = System.nanoTime();
        if (quietSinceNs == 0) {
            quietSinceNs = nowNs;
            return false;
        }
        if (nowNs - quietSinceNs < LOOK_NS) {
            return false;
        }
        quietSinceNs = nowNs;
        return true;
    }

    /** A file that does not go on is the newest: of one before it the end is marked. */
    private void checkThatItIsTheLast(ExcerptFile open) throws IOException {
        if (isCutOff(open)) {
            // The file after it is there a moment before the end of this one is marked.
            LockSupport.parkNanos(SECOND_LOOK_NS);
        }
        if (isCutOff(open)) {
            throw new IOException(open.path() + " is truncated or damaged at byte " + open.position()
                    + ": nothing is there, not even its end, and there are files after it; 'millrace journal verify' tells what is"
                    + " whole, 'millrace journal repair' goes on behind it");
        }
    }

    private boolean isCutOff(ExcerptFile open) throws IOException {
        // In this order: the file after it is begun when the end of this one is marked.
        return !open.path().equals(JournalPaths.last(path)) && open.isAtAnUnmarkedEnd();
    }

    /** Goes to the first file after one, or to the oldest; false if there is none yet. */
    private boolean openAfter(@Nullable Path before) throws IOException {
        for (Path candidate : JournalPaths.files(path)) {
            if (before != null && candidate.compareTo(before) <= 0) {
                continue;
            }
            try {
                open(candidate);
                return true;
            } catch (NoSuchFileException e) {
                // Retention deleted it since: the next.
            }
        }
        return false;
    }

    /** The batch {@link #next()} found; valid until it is called again. */
    public BatchView batch() {
        return batch;
    }

    /**
     * The sequence number after the last datagram there is now. Damaged batches at the end are passed over. Changes nothing about
     * where this reader is.
     *
     * @throws UncheckedIOException if a file is truncated, or the disk fails
     */
    public long endSequence() {
        try {
            return endSequence(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The sequence number after a shard's last datagram. */
    public static long endSequence(Path shard) throws IOException {
        return endSequence(JournalPaths.files(shard));
    }

    /** The sequence number after the last datagram in these files of a shard, oldest first; 0 if there is none. */
    public static long endSequence(List<Path> files) throws IOException {
        ReadBuffer memory = new ReadBuffer();
        for (int i = files.size() - 1; i >= 0; i--) {
            try (ExcerptFile open = new ExcerptFile(files.get(i), memory)) {
                long end = open.endSequence();
                if (end >= 0) {
                    return end;
                }
            } catch (NoSuchFileException e) {
                // Retention deleted it since.
            }
        }
        return 0;
    }

    private void closeFile() throws IOException {
        ExcerptFile open = file;
        file = null;
        if (open != null) {
            open.close();
        }
    }

    /** Closes the files. Can be called twice. */
    @Override
    public void close() {
        try {
            closeFile();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
