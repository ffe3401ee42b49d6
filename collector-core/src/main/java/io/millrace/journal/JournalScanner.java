package io.millrace.journal;

import io.millrace.counters.Counter;
import io.millrace.counters.CounterFile;
import io.millrace.record.BatchView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

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

    private static final int WINDOW_BYTES = 8 << 20;
    static final int MAX_BATCH_BYTES = 64 << 20;
    private static final int LOOK_AGAIN = -1;
    private static final int ALIGNMENT = 4;
    private static final int LENGTH_WORD_BYTES = 4;

    private final Path dataDirectory;
    private final JournalMeta meta;
    private final Consumer<Problem> problems;
    private final Progress progress;
    private final BatchView batch = new BatchView();
    private final List<Problem> found = new ArrayList<>();

    private ByteBuffer window = ByteBuffer.allocateDirect(WINDOW_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private long windowStart;
    private int windowLength;
    private long bytesDone;
    private long bytesTotal;
    private int reported;

    /**
     * Prepares a scan.
     *
     * @throws IOException if there is no journal there
     */
    public JournalScanner(Path dataDirectory, Consumer<Problem> problems, Progress progress) throws IOException {
        this.dataDirectory = dataDirectory;
        this.meta = JournalMeta.load(dataDirectory);
        this.problems = problems;
        this.progress = progress;
    }

    /** Reads everything. */
    public JournalSummary scan() throws IOException {
        List<List<Path>> files = new ArrayList<>();
        for (int shard = 0; shard < meta.shards(); shard++) {
            List<Path> ofShard = ChronicleFiles.files(DataDirectory.shardPath(dataDirectory, shard));
            files.add(ofShard);
            for (Path file : ofShard) {
                bytesTotal += Files.size(file);
            }
        }
        // Read first: while the journal is written it can only be ahead of this.
        List<Long> counted = countedAsJournaled();
        List<JournalSummary.Shard> shards = new ArrayList<>();
        for (int shard = 0; shard < files.size(); shard++) {
            JournalSummary.Tally tally = new JournalSummary.Tally(shard);
            reported = 0;
            for (Path file : files.get(shard)) {
                scan(file, tally);
            }
            shards.add(tally.summary());
            // Where something else is wrong, that is what to look at.
            if (reported == 0 && shard < counted.size() && counted.get(shard) > tally.nextSequence(0)) {
                problems.accept(new Problem(
                        DataDirectory.shardPath(dataDirectory, shard),
                        0,
                        String.format(
                                "shard %d ends before datagram %d, but %d were journaled: files are missing, or this user"
                                        + " may not see them",
                                shard, tally.nextSequence(0), counted.get(shard))));
            }
        }
        return JournalSummary.of(meta, shards);
    }

    private List<Long> countedAsJournaled() {
        List<Long> counted = new ArrayList<>();
        try {
            CounterFile counters = CounterFile.openReadOnly(DataDirectory.countersFile(dataDirectory));
            for (int shard = 0; shard < counters.shardCount(); shard++) {
                counted.add(counters.shard(shard).get(Counter.JOURNALED_DATAGRAMS));
            }
        } catch (IOException e) {
            // Without counters the journal is all there is to go by.
            return List.of();
        }
        return counted;
    }

    private void scan(Path file, JournalSummary.Tally tally) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long size = channel.size();
            windowLength = 0;
            long used = 0;
            long position = LENGTH_WORD_BYTES;
            long lookedAgainFrom = 0;
            while (position + BatchView.headerBytes() <= size && load(channel, position, BatchView.headerBytes())) {
                int offset = (int) (position - windowStart);
                int step = ALIGNMENT;
                if (BatchView.isMagicAt(window, offset)) {
                    int length = examine(channel, file, position, tally, lookedAgainFrom == Math.max(used, 1));
                    if (length == LOOK_AGAIN) {
                        found.clear();
                        lookedAgainFrom = Math.max(used, 1);
                        position = Math.max(used, LENGTH_WORD_BYTES);
                        windowLength = 0;
                        continue;
                    }
                    if (length > 0) {
                        report();
                        step = length;
                        used = position + length;
                    }
                }
                position += step;
            }
            report();
            tally.file(used);
            bytesDone += size;
            progress.at(bytesDone, bytesTotal);
        }
    }

    /** Problems are believed once a good batch comes after them, or the file ends. */
    private void report() {
        found.forEach(problems);
        reported += found.size();
        found.clear();
    }

    /**
     * Looks at what may be a batch; returns its length if it is a good one that was committed, else 0.
     *
     * <p>While the journal is written, a window may have been read before the batches in its last part were there. So a
     * gap is believed only when it was seen again: the first time the answer is {@link #LOOK_AGAIN}.
     */
    private int examine(FileChannel channel, Path file, long position, JournalSummary.Tally tally, boolean lookedAgain)
            throws IOException {
        int available = (int) Math.min(channel.size() - position, MAX_BATCH_BYTES);
        BatchView.Health health =
                batch.wrap(window, (int) (position - windowStart), available).checkHeader();
        if (batch.journalId() != meta.journalId()) {
            return 0; // A payload that looks like a batch: nobody outside knows the journal's id.
        }
        if (saysItsLength(health, available) && load(channel, position, batch.length())) {
            int offset = (int) (position - windowStart);
            health = batch.wrap(window, offset, windowLength - offset).check();
        }
        int lengthWord = window.getInt((int) (position - windowStart) - LENGTH_WORD_BYTES);
        if (lengthWord == 0) {
            // An append that was cut off by a kill, or runs right now: it was never committed, and never counted.
            return 0;
        }
        if (health != BatchView.Health.OK) {
            found.add(new Problem(file, position, "damaged batch: " + health));
            return 0;
        }
        int length = batch.length();
        if (lengthWord != length) {
            found.add(new Problem(
                    file,
                    position,
                    String.format(
                            "damaged length word 0x%08x before a good batch of %,d bytes with datagrams %d to %d: readers"
                                    + " do not see it, nor what follows in the file",
                            lengthWord, length, batch.firstSequence(), batch.nextSequence() - 1)));
        }
        if (!lookedAgain && batch.firstSequence() > tally.nextSequence(batch.firstSequence())) {
            return LOOK_AGAIN;
        }
        checkNumbers(file, position, tally);
        tally.add(batch);
        return length;
    }

    /** True if the header says where the batch ends: the checksum then tells damage from a version of the future. */
    private boolean saysItsLength(BatchView.Health header, int available) {
        return header == BatchView.Health.OK
                || (header == BatchView.Health.UNKNOWN_VERSION
                        && batch.length() >= BatchView.headerBytes()
                        && batch.length() <= available);
    }

    private void checkNumbers(Path file, long position, JournalSummary.Tally tally) {
        if (batch.shard() != tally.shard()) {
            found.add(new Problem(
                    file, position, "batch of shard " + batch.shard() + " among those of shard " + tally.shard()));
        }
        long difference = batch.firstSequence() - tally.nextSequence(batch.firstSequence());
        if (difference > 0) {
            found.add(new Problem(
                    file,
                    position,
                    String.format(
                            "%d datagrams are missing before this batch: %d to %d",
                            difference, batch.firstSequence() - difference, batch.firstSequence() - 1)));
        } else if (difference < 0) {
            found.add(new Problem(
                    file,
                    position,
                    String.format(
                            "batch begins again at datagram %d; %d was expected",
                            batch.firstSequence(), batch.firstSequence() - difference)));
        }
    }

    /** Has the window hold these bytes and the length word before them; false if the file ends first. */
    private boolean load(FileChannel channel, long position, int length) throws IOException {
        long from = position - LENGTH_WORD_BYTES;
        if (windowLength > 0 && from >= windowStart && position + length <= windowStart + windowLength) {
            return true;
        }
        if (length + LENGTH_WORD_BYTES > window.capacity()) {
            window = ByteBuffer.allocateDirect(Integer.highestOneBit(length) * 2 + LENGTH_WORD_BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN);
        }
        window.clear();
        while (window.hasRemaining() && channel.read(window, from + window.position()) > 0) {
            // Read until the window is full or the file ends.
        }
        windowStart = from;
        windowLength = window.position();
        window.clear();
        progress.at(bytesDone + from, bytesTotal);
        return windowLength >= length + LENGTH_WORD_BYTES;
    }
}
