package io.millrace.internal.journal.recovery;

import io.millrace.collector.Counter;
import io.millrace.collector.WriterSettings;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.disk.Disk;
import io.millrace.internal.journal.DataDirectory;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.MetaFile;
import io.millrace.internal.journal.PrivateFiles;
import io.millrace.internal.journal.file.BatchAppender;
import io.millrace.internal.journal.file.ChronicleFiles;
import io.millrace.internal.record.BatchView;
import io.millrace.internal.record.GapBatch;
import io.millrace.journal.GapReason;
import io.millrace.journal.JournalMeta;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An export of a part of a journal into a new data directory, unchanged and with its sequence numbers, and with counters of what it
 * holds. It copies whole
 * batches, so the export can contain a few more datagrams at both ends. It only reads the journal, which may be written
 * at the same time. It also exports batches after damage, because it reads like {@link JournalScanner}. One thread.
 */
public final class JournalExport {
    /**
     * The range to export.
     *
     * @param shard the only shard; -1 for all
     * @param fromSequence the first sequence number
     * @param toSequence the end of the sequence numbers, exclusive
     * @param fromNs the first receive time, in ns since the epoch
     * @param toNs the end of the receive times, exclusive
     */
    public record Range(int shard, long fromSequence, long toSequence, long fromNs, long toNs) {
        /** The whole journal. */
        public static final Range ALL = new Range(-1, 0, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE);

        private boolean mayOverlap(BatchView batch) {
            return (shard < 0 || batch.shard() == shard)
                    && batch.nextSequence() > fromSequence
                    && batch.startSequence() < toSequence
                    && batch.maxTimeNs() >= fromNs
                    && batch.minTimeNs() < toNs;
        }
    }

    /**
     * The result of an export.
     *
     * @param datagrams the number of copied datagrams
     * @param batches the number of copied batches
     * @param problems the problems of the source journal
     */
    public record Report(long datagrams, long batches, List<JournalScanner.Problem> problems) {}

    private static final long NONE = -1;
    /**
     * The initial maximum batch size, which is the default size of a slab. The allocation of a file depends on it, so a
     * larger batch starts a new file.
     */
    private static final int DEFAULT_BATCH = 256 << 10;

    private final Path source;
    private final Path target;
    private final Range range;
    private final JournalScanner.Progress progress;
    private final JournalMeta meta;

    private @Nullable BatchAppender appender;
    private @Nullable CounterFile counters;
    private int shard = -1;
    private long cycle;
    private int largest = DEFAULT_BATCH;
    private long fileBytes;
    private long expected;
    private long lastTimeNs;
    private boolean skipped;
    private long datagrams;
    private long batches;

    /**
     * Creates an export.
     *
     * @param source the data directory to read
     * @param target the data directory to create; it must not exist, or be empty
     * @throws IOException if there is no journal, or the target is not empty
     */
    public JournalExport(Path source, Path target, Range range, JournalScanner.Progress progress) throws IOException {
        this.source = source;
        this.target = target;
        this.range = range;
        this.progress = progress;
        this.meta = MetaFile.load(source);
        if (range.shard() >= meta.shards()) {
            throw new IllegalArgumentException(
                    "there is no shard " + range.shard() + ": the journal has " + meta.shards() + ", numbered from 0");
        }
        if (Disk.of(target).exists(target)) {
            if (!Disk.of(target).list(target).isEmpty()) {
                throw new IOException(target + " is not empty: choose a directory that does not exist");
            }
        }
    }

    /** Sets the initial maximum batch size. */
    JournalExport startingWith(int batchBytes) {
        largest = batchBytes;
        return this;
    }

    /**
     * Runs the export.
     *
     * @throws IOException if the journal cannot be read, or the target cannot be written; the target then has no
     *     metadata
     */
    public Report run() throws IOException {
        if (Disk.of(target).notExists(target)) {
            DataDirectory.create(target);
        }
        for (int i = 0; i < meta.shards(); i++) {
            Disk.of(target).createDirectories(JournalPaths.shardPath(target, i), PrivateFiles.DIRECTORY);
        }
        counters = CounterFile.open(JournalPaths.countersFile(target), meta.journalId(), meta.shards());
        List<JournalScanner.Problem> problems = new ArrayList<>();
        try {
            var unused = new JournalScanner(source, problems::add, progress)
                    .visitor((file, batch) -> copy(batch))
                    .scan();
        } finally {
            close();
        }
        for (int i = 0; i < meta.shards(); i++) {
            JournalPaths.sync(JournalPaths.shardPath(target, i));
            for (Path file : JournalPaths.files(JournalPaths.shardPath(target, i))) {
                JournalPaths.sync(file);
            }
        }
        counters.noteNoProcess();
        counters.sync();
        // Last, because a directory without metadata is not a data directory.
        MetaFile.save(meta, JournalPaths.metaPath(target));
        return new Report(datagrams, batches, problems);
    }

    private void copy(BatchView batch) throws IOException {
        if (batch.shard() != shard) {
            enter(batch.shard());
        }
        if (!range.mayOverlap(batch) || (batch.isGap() && expected == NONE)) {
            skipped = true;
            return;
        }
        long start = batch.startSequence();
        if (expected != NONE && start > expected) {
            ByteBuffer gap = GapBatch.of(
                    shard,
                    meta.journalId(),
                    expected,
                    start - expected,
                    skipped ? GapReason.NOT_EXPORTED : GapReason.LOST,
                    lastTimeNs,
                    batch.minTimeNs());
            appender(gap.capacity()).append(gap, gap.capacity());
        }
        appender(batch.length()).append(batch);
        count(batch);
        expected = batch.nextSequence();
        lastTimeNs = batch.maxTimeNs();
        skipped = false;
        datagrams += batch.count();
        batches += batch.isGap() ? 0 : 1;
    }

    /** The counters of the target: the numbering continues, and what was not copied was not received there. */
    private void count(BatchView batch) {
        ShardCells cells = Objects.requireNonNull(counters).shard(shard);
        if (expected == NONE) {
            cells.set(Counter.EXPIRED_DATAGRAMS, batch.startSequence());
        }
        long before = expected == NONE ? 0 : expected;
        cells.add(Counter.NOT_EXPORTED_DATAGRAMS, batch.nextSequence() - before - batch.count());
        cells.set(Counter.RECEIVED_DATAGRAMS, batch.nextSequence());
        cells.set(Counter.JOURNALED_DATAGRAMS, batch.nextSequence());
    }

    private void enter(int next) throws IOException {
        close();
        shard = next;
        cycle = ChronicleFiles.FIRST_CYCLE;
        fileBytes = 0;
        expected = NONE;
        skipped = false;
    }

    private BatchAppender appender(int bytes) throws IOException {
        if (bytes > largest) {
            largest = bytes;
            startNewFile();
        }
        BatchAppender open = appender;
        if (open == null) {
            open = new BatchAppender(JournalPaths.shardPath(target, shard), cycle, largest);
            appender = open;
        }
        if (fileBytes > 0 && fileBytes + bytes > WriterSettings.DEFAULT.rollBytes()) {
            open.toCycle(++cycle);
            fileBytes = 0;
        }
        fileBytes += bytes;
        return open;
    }

    private void startNewFile() throws IOException {
        if (appender != null) {
            close();
            ChronicleFiles.markEnd(ChronicleFiles.file(JournalPaths.shardPath(target, shard), cycle));
            cycle++;
            fileBytes = 0;
        }
    }

    private void close() throws IOException {
        BatchAppender open = appender;
        appender = null;
        if (open != null) {
            open.close();
        }
    }
}
