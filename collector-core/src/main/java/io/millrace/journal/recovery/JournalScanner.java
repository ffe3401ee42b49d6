package io.millrace.journal.recovery;

import io.millrace.counters.Counter;
import io.millrace.counters.CounterFile;
import io.millrace.counters.ShardCounters;
import io.millrace.journal.JournalMeta;
import io.millrace.journal.JournalPaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the files of a journal from end to end and finds every batch in them by its magic number and checksum, without
 * trusting what Chronicle says: a flipped bit in a length word cannot hide what is behind it. Only reads, and may run
 * while the journal is written. One thread.
 */
public final class JournalScanner {
    /** Told how far a scan has come. */
    public interface Progress {
        /** Bytes looked at, of how many. */
        void at(long bytes, long total);
    }

    /**
     * Something that is not as it should be.
     *
     * @param file where
     * @param offset byte in the file
     * @param what in words, with numbers
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
     * Prepares a scan.
     *
     * @throws IOException if there is no journal there
     */
    public JournalScanner(Path dataDirectory, Consumer<Problem> problems, Progress progress) throws IOException {
        this(dataDirectory, JournalPaths.journalPath(dataDirectory), problems, progress);
    }

    /** Of files elsewhere, which may take the place of those of the data directory. */
    JournalScanner(Path dataDirectory, Path journal, Consumer<Problem> problems, Progress progress) throws IOException {
        this.dataDirectory = dataDirectory;
        this.journal = journal;
        this.meta = JournalMeta.load(dataDirectory);
        this.problems = problems;
        this.progress = progress;
    }

    /** Has each whole batch handed out, in the order of each shard. */
    JournalScanner visitor(ShardScan.Visitor newVisitor) {
        visitor = newVisitor;
        return this;
    }

    /**
     * Says which numbers were given to datagrams, besides what the counters say: those that outputs have seen. Read them
     * before {@link #scan()}.
     *
     * @param next the number after the last, by shard
     */
    public JournalScanner numberedTo(long[] next) {
        numberedTo = next.clone();
        return this;
    }

    /** Reads everything. */
    public JournalSummary scan() throws IOException {
        // Read first: while the journal is written it can only be ahead of this.
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
        scan.checkMetadata(files);
        for (int i = 0; i < files.size(); i++) {
            scan.scan(files.get(i), i == files.size() - 1);
            done[0] += size(files.get(i));
        }
        return done[0];
    }

    /** Retention may have deleted it since. */
    private static long size(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException e) {
            return 0;
        }
    }

    /** True if there is a batch of a version that this code does not know. */
    boolean sawUnknownVersion() {
        return scans.stream().anyMatch(ShardScan::sawUnknownVersion);
    }

    /** What was found in each shard, after {@link #scan()}. */
    List<ShardScan> shards() {
        return scans;
    }

    /** What counters and outputs say of each shard's numbers. */
    private List<SequenceCheck.Counted> counted() {
        CounterFile counters = counters();
        List<SequenceCheck.Counted> counted = new ArrayList<>();
        for (int shard = 0; shard < meta.shards(); shard++) {
            long delivered = shard < numberedTo.length ? numberedTo[shard] : -1;
            if (counters == null || shard >= counters.shardCount()) {
                counted.add(new SequenceCheck.Counted(delivered, () -> -1));
                continue;
            }
            ShardCounters cells = counters.shard(shard);
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
            problems.accept(new Problem(file, 0, "damaged counters, which the next start sets aside: " + damage));
            return null;
        } catch (IOException e) {
            // Without counters the journal is all there is to go by.
            return null;
        }
    }
}
