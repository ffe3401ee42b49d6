package io.millrace.internal.journal.read;

import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.file.ExcerptFile;
import io.millrace.internal.journal.file.FileTimes;
import io.millrace.internal.journal.file.ReadBuffer;
import io.millrace.internal.record.BatchView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the batches of one shard, in order. This or another process may write the shard at the same time. The
 * reader copies a batch to its own memory and verifies it there, so that it cannot change under a view. One thread.
 */
public final class ShardReader implements AutoCloseable {
    /** The result of {@link #next()}. */
    public enum Found {
        /** A batch, which {@link #batch()} returns. */
        BATCH,
        /** No batch yet: the reader is at the end of the shard. */
        NOTHING,
        /** A damaged batch, or an excerpt that is not a batch; it was skipped. */
        DAMAGED
    }

    private static final String NO_DESCRIPTORS = "Too many open files";
    private static final long CHECK_NS = 1_000_000_000;
    private static final long RECHECK_NS = 50_000_000;

    private final Path path;
    private final BatchView batch = new BatchView();
    private final ReadBuffer memory = new ReadBuffer();
    private Predicate<Path> isOutside = candidate -> false;
    private boolean hasSkipped;
    private @Nullable ExcerptFile file;
    /** The time of the last check for a later file, while the file has no new batches; 0 after a batch. */
    private long idleSinceNs;

    /**
     * Creates a reader at the beginning of a shard, which need not exist yet.
     *
     * @param dataDirectory the data directory
     */
    public ShardReader(Path dataDirectory, int shard) {
        this.path = JournalPaths.shardPath(dataDirectory, shard);
    }

    /** Skips files that are known to have no datagram of a time range. The newest file is never skipped. */
    void skipOutside(ShardIterator.Range range) {
        if (!range.isAll()) {
            FileTimes times = FileTimes.read(path);
            isOutside = candidate -> times.isOutside(candidate, range.fromNs(), range.toNs());
        }
    }

    /** True if files were skipped before the last batch, and this is the first call since then. */
    boolean hasSkipped() {
        boolean skipped = hasSkipped;
        hasSkipped = false;
        return skipped;
    }

    /**
     * Moves to the end: the next batch will be one that is appended after this call.
     *
     * @throws UncheckedIOException if a file is truncated or cannot be read
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
     * Moves to the beginning of the file that contains a sequence number.
     *
     * @param sequence a sequence number of the shard
     * @throws UncheckedIOException if a file is truncated or cannot be read
     */
    public void seekFile(long sequence) {
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

    /** Opens a file; true if its first valid batch begins with this number or a lower one. */
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
            // Retention deleted this file and all earlier ones, so the oldest remaining file is right. Or the file is
            // damaged: the reader will report that when it reaches it.
            return false;
        }
    }

    private ExcerptFile open(Path next) throws IOException {
        closeFile();
        ExcerptFile open = new ExcerptFile(next, memory);
        idleSinceNs = 0;
        file = open;
        return open;
    }

    /**
     * Reads the next batch and verifies it.
     *
     * @throws io.millrace.journal.UnknownVersionException if the batch has an unknown version
     * @throws UncheckedIOException if a file is truncated or cannot be read; the message has the file and the position
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
                idleSinceNs = 0;
                return check(open) == BatchView.Health.OK || batch.isGood() ? Found.BATCH : Found.DAMAGED;
            }
            if (next == ExcerptFile.Next.NOTHING) {
                if (open.position() == 0 || isTimeToCheck()) {
                    checkIsLast(open);
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

    /** True after a second without new batches, and every second from then on. */
    private boolean isTimeToCheck() {
        long nowNs = System.nanoTime();
        if (idleSinceNs == 0) {
            idleSinceNs = nowNs;
            return false;
        }
        if (nowNs - idleSinceNs < CHECK_NS) {
            return false;
        }
        idleSinceNs = nowNs;
        return true;
    }

    /** Checks that a file without a next excerpt is the newest: earlier files have an end mark. */
    private void checkIsLast(ExcerptFile open) throws IOException {
        if (isTruncated(open)) {
            // A writer creates the next file a moment before it writes the end mark of this one.
            LockSupport.parkNanos(RECHECK_NS);
        }
        if (isTruncated(open)) {
            throw new IOException(open.path() + " is truncated or damaged at byte " + open.position()
                    + ": there is neither a batch nor an end mark, although there are later files; run 'millrace"
                    + " journal verify' to list the damage, and 'millrace journal repair' to make the rest readable");
        }
    }

    private boolean isTruncated(ExcerptFile open) throws IOException {
        // In this order, because the next file is created before the end mark of this one is written.
        return !isLast(open.path()) && open.isAtAnUnmarkedEnd();
    }

    /** True if no file follows. Without a free descriptor the directory cannot be read; the open file still can. */
    private boolean isLast(Path file) throws IOException {
        try {
            return file.equals(JournalPaths.last(path));
        } catch (FileSystemException e) {
            if (NO_DESCRIPTORS.equals(e.getReason())) {
                return true;
            }
            throw e;
        }
    }

    /** Opens the file after another, or the oldest file; false if there is none yet. */
    private boolean openAfter(@Nullable Path before) throws IOException {
        List<Path> files = JournalPaths.files(path);
        for (int i = 0; i < files.size(); i++) {
            Path candidate = files.get(i);
            if (before != null && candidate.compareTo(before) <= 0) {
                continue;
            }
            if (i < files.size() - 1 && isOutside.test(candidate)) {
                hasSkipped = true;
                continue;
            }
            try {
                open(candidate);
                return true;
            } catch (NoSuchFileException e) {
                // Retention deleted it meanwhile: try the next one.
            }
        }
        return false;
    }

    /** The batch of the last {@link #next()}; valid until the next call. */
    public BatchView batch() {
        return batch;
    }

    /**
     * Returns the sequence number after the last datagram, skipping damaged batches at the end. Does not move the
     * reader.
     *
     * @throws UncheckedIOException if a file is truncated or cannot be read
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
                // Retention deleted it meanwhile.
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
