package io.millrace.journal.recovery;

import io.millrace.journal.DataDirectory;
import io.millrace.journal.JournalMeta;
import io.millrace.journal.JournalPaths;
import io.millrace.journal.PrivateFiles;
import io.millrace.journal.WriterSettings;
import io.millrace.journal.file.BatchAppender;
import io.millrace.journal.file.ChronicleFiles;
import io.millrace.record.BatchView;
import io.millrace.record.GapBatch;
import io.millrace.record.GapReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Copies a part of a journal, byte for byte and with its numbers, into a data directory of its own, to keep it or to hand it
 * on. Whole batches are copied, so a little more than was asked for may come at both ends. Only reads the journal, which may
 * be written at the same time, and finds in it what a check finds: also what is behind damage. One thread.
 */
public final class JournalExport {
    /**
     * What to copy.
     *
     * @param shard the only shard; -1 for all
     * @param fromSequence the first datagram
     * @param toSequence the one after the last
     * @param fromNs receive time of the first, in ns since the epoch
     * @param toNs receive time after the last
     */
    public record Range(int shard, long fromSequence, long toSequence, long fromNs, long toNs) {
        /** Everything. */
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
     * What was copied.
     *
     * @param datagrams datagrams
     * @param batches batches they are in
     * @param problems what is wrong with the journal they come from
     */
    public record Report(long datagrams, long batches, List<JournalScanner.Problem> problems) {}

    private static final long NONE = -1;
    /**
     * What batches are is known only when they come. Files get blocks ahead by the largest, so it begins with that of ordinary slabs;
     * for a larger one a new file is begun.
     */
    private static final int ORDINARY_BATCH = 256 << 10;

    private final Path source;
    private final Path target;
    private final Range range;
    private final JournalScanner.Progress progress;
    private final JournalMeta meta;

    private @Nullable BatchAppender appender;
    private int shard = -1;
    private long cycle;
    private int largest = ORDINARY_BATCH;
    private long fileBytes;
    private long expected;
    private long lastTimeNs;
    private boolean leftOut;
    private long datagrams;
    private long batches;

    /**
     * Prepares a copy.
     *
     * @param source the data directory to read
     * @param target the data directory to make: not there yet, or empty
     * @throws IOException if there is no journal, or there is something at the target
     */
    public JournalExport(Path source, Path target, Range range, JournalScanner.Progress progress) throws IOException {
        this.source = source;
        this.target = target;
        this.range = range;
        this.progress = progress;
        this.meta = JournalMeta.load(source);
        if (range.shard() >= meta.shards()) {
            throw new IllegalArgumentException(
                    "there is no shard " + range.shard() + ": the journal has " + meta.shards() + ", numbered from 0");
        }
        if (Files.exists(target)) {
            try (Stream<Path> files = Files.list(target)) {
                if (files.findAny().isPresent()) {
                    throw new IOException(target + " is not empty: name a directory that is not there yet");
                }
            }
        }
    }

    /** Takes blocks ahead for batches of this many bytes, until there is a larger one. */
    JournalExport startingWith(int batchBytes) {
        largest = batchBytes;
        return this;
    }

    /**
     * Copies.
     *
     * @throws IOException if the journal cannot be read, or the target cannot be written; it is no data directory then
     */
    public Report run() throws IOException {
        if (Files.notExists(target)) {
            DataDirectory.create(target);
        }
        for (int i = 0; i < meta.shards(); i++) {
            Files.createDirectories(JournalPaths.shardPath(target, i), PrivateFiles.DIRECTORY);
        }
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
        // Last: without it this is no data directory.
        meta.save(JournalPaths.metaPath(target));
        return new Report(datagrams, batches, problems);
    }

    private void copy(BatchView batch) throws IOException {
        if (batch.shard() != shard) {
            enter(batch.shard());
        }
        if (!range.mayOverlap(batch) || (batch.isGap() && expected == NONE)) {
            leftOut = true;
            return;
        }
        long start = batch.startSequence();
        if (expected != NONE && start > expected) {
            ByteBuffer gap = GapBatch.of(
                    shard,
                    meta.journalId(),
                    expected,
                    start - expected,
                    leftOut ? GapReason.NOT_EXPORTED : GapReason.LOST,
                    lastTimeNs,
                    batch.minTimeNs());
            appender(gap.capacity()).append(gap, gap.capacity());
        }
        appender(batch.length()).append(batch);
        expected = batch.nextSequence();
        lastTimeNs = batch.maxTimeNs();
        leftOut = false;
        datagrams += batch.count();
        batches += batch.isGap() ? 0 : 1;
    }

    private void enter(int next) throws IOException {
        close();
        shard = next;
        cycle = ChronicleFiles.FIRST_CYCLE;
        fileBytes = 0;
        expected = NONE;
        leftOut = false;
    }

    private BatchAppender appender(int bytes) throws IOException {
        if (bytes > largest) {
            largest = bytes;
            beginAnew();
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

    private void beginAnew() throws IOException {
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
