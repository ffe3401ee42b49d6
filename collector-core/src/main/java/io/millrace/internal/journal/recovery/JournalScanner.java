package io.millrace.internal.journal.recovery;

import io.millrace.collector.Counter;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.disk.Disk;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.MetaFile;
import io.millrace.journal.JournalMeta;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A scanner that reads the files of a journal completely and finds every batch by its magic number and checksum. It
 * does not rely on Chronicle's data, so a damaged length word does not hide the batches after it. It only reads, and
 * may run while the journal is written. One thread.
 */
public final class JournalScanner {
    /** A listener for the progress of a scan. */
    public interface Progress {
        /** Called with the number of scanned bytes and the total. */
        void at(long bytes, long total);
    }

    /**
     * A problem of a journal.
     *
     * @param file the file
     * @param offset the position in the file
     * @param what the message
     */
    public record Problem(Path file, long offset, String what) {}

    private final Path dataDirectory;
    private final Path journal;
    private final JournalMeta meta;
    private final Consumer<Problem> problems;
    private final Progress progress;
    private final List<ShardScan> scans = new ArrayList<>();
    private ShardScan.Visitor visitor = (file, batch) -> {};
    private long[] numberedTo = {};

    /**
     * Creates a scan.
     *
     * @throws IOException if there is no journal
     */
    public JournalScanner(Path dataDirectory, Consumer<Problem> problems, Progress progress) throws IOException {
        this(dataDirectory, JournalPaths.journalPath(dataDirectory), problems, progress);
    }

    /** Creates a scan of a journal outside the data directory, such as the new one of a repair. */
    JournalScanner(Path dataDirectory, Path journal, Consumer<Problem> problems, Progress progress) throws IOException {
        this.dataDirectory = dataDirectory;
        this.journal = journal;
        this.meta = MetaFile.load(dataDirectory);
        this.problems = problems;
        this.progress = progress;
    }

    /** Sets the visitor of all intact batches, in the order of each shard. */
    JournalScanner visitor(ShardScan.Visitor newVisitor) {
        visitor = newVisitor;
        return this;
    }

    /**
     * Sets the sequence numbers that outputs have seen, which were assigned even if the counters are lower. To be read
     * before {@link #scan()}.
     *
     * @param next the number after the last one, by shard
     */
    public JournalScanner numberedTo(long[] next) {
        numberedTo = next.clone();
        return this;
    }

    /** Runs the scan. */
    public JournalSummary scan() throws IOException {
        // Read the counters first: if the journal is written meanwhile, it can only be ahead of them.
        List<SequenceCheck.Counted> counted = counted();
        List<List<Path>> files = new ArrayList<>();
        long total = 0;
        for (int shard = 0; shard < meta.shards(); shard++) {
            List<Path> ofShard = JournalPaths.files(JournalPaths.shardIn(journal, shard));
            files.add(ofShard);
            for (Path file : ofShard) {
                total += size(file);
            }
        }
        List<JournalSummary.Shard> shards = new ArrayList<>();
        long done = 0;
        for (int shard = 0; shard < files.size(); shard++) {
            done = scan(shard, files.get(shard), counted.get(shard), done, total);
            shards.add(scans.get(shard).summary());
        }
        progress.at(total, total);
        List<JournalGap> gaps = new ArrayList<>();
        scans.forEach(it -> gaps.addAll(it.gaps()));
        return JournalSummary.of(meta, shards, gaps);
    }

    private long scan(int shard, List<Path> files, SequenceCheck.Counted counted, long before, long total)
            throws IOException {
        long[] done = {before};
        ShardScan scan = new ShardScan(
                JournalPaths.shardIn(journal, shard),
                meta.journalId(),
                shard,
                counted,
                problems,
                visitor,
                at -> progress.at(Math.min(done[0] + at, total), total));
        scans.add(scan);
        scan.checkMetadata();
        for (int i = 0; i < files.size(); i++) {
            scan.scan(files.get(i), i == files.size() - 1);
            done[0] += size(files.get(i));
        }
        return done[0];
    }

    /** The length of a file; 0 if retention has deleted it. */
    private static long size(Path file) throws IOException {
        try {
            return Disk.of(file).size(file);
        } catch (NoSuchFileException e) {
            return 0;
        }
    }

    boolean sawUnknownVersion() {
        return scans.stream().anyMatch(ShardScan::sawUnknownVersion);
    }

    /** The scans of the shards, after {@link #scan()}. */
    List<ShardScan> shards() {
        return scans;
    }

    /** The sequence numbers of each shard according to counters and outputs. */
    private List<SequenceCheck.Counted> counted() {
        CounterFile counters = counters();
        List<SequenceCheck.Counted> counted = new ArrayList<>();
        for (int shard = 0; shard < meta.shards(); shard++) {
            long delivered = shard < numberedTo.length ? numberedTo[shard] : -1;
            if (counters == null || shard >= counters.shardCount()) {
                counted.add(new SequenceCheck.Counted(delivered, () -> -1));
                continue;
            }
            ShardCells cells = counters.shard(shard);
            counted.add(new SequenceCheck.Counted(
                    Math.max(delivered, cells.get(Counter.JOURNALED_DATAGRAMS)),
                    () -> cells.get(Counter.EXPIRED_DATAGRAMS)));
        }
        return counted;
    }

    private @Nullable CounterFile counters() {
        Path file = JournalPaths.countersFile(dataDirectory);
        try {
            CounterFile counters = CounterFile.openReadOnly(file);
            String damage = counters.damage();
            if (damage == null) {
                return counters;
            }
            problems.accept(new Problem(file, 0, "damaged counters, which the next start renames: " + damage));
            return null;
        } catch (IOException e) {
            // Without counters, the scan relies on the journal alone.
            return null;
        }
    }
}
