package io.millrace.journal;

import io.millrace.agent.Agent;
import io.millrace.agent.EpochClock;
import io.millrace.agent.FailureLog;
import io.millrace.counters.Counter;
import io.millrace.counters.Distribution;
import io.millrace.counters.ShardCounters;
import io.millrace.record.BatchWriter;
import io.millrace.ring.Slab;
import io.millrace.ring.SlabRing;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends the slabs of one shard to its journal, each as one excerpt, and gives them back to the ring. Allocates nothing
 * a batch. One thread, after {@link #open}.
 */
public final class JournalWriter implements Agent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JournalWriter.class);
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * When a file ends and the next begins.
     *
     * @param rollBytes bytes of batches in a file
     * @param blockBytes bytes Chronicle maps at a time; at least eight times a slab
     * @param rollAge how much later than its first datagram a file's last may have come; null for any time
     */
    public record Settings(
            long rollBytes, long blockBytes, @Nullable Duration rollAge) {
        /** 1 GiB a file, mapped 64 MiB at a time, whatever time it takes. */
        public static final Settings DEFAULT = new Settings(1L << 30, 64L << 20, null);

        /** Files that roll at another size. */
        public Settings withRollBytes(long bytes) {
            return new Settings(bytes, blockBytes, rollAge);
        }

        /** Files that roll at another age. */
        public Settings withRollAge(@Nullable Duration age) {
            return new Settings(rollBytes, blockBytes, age);
        }
    }

    private final int shard;
    private final Path path;
    private final long journalId;
    private final SlabRing ring;
    private final ShardCounters counters;
    private final Settings settings;
    private final RollClock clock;
    private final SingleChronicleQueue queue;
    private final ExcerptAppender appender;
    private final Bytes<?>[] views;

    private final DiskRoom room;
    private @Nullable Slab pending;
    private boolean broken;
    private volatile @Nullable String problem;
    private @Nullable Path firstFile;
    private long nextSequence;
    private long fileBytes;
    private long fileBeganNs;
    private final long rollAgeNs;
    private volatile boolean listingIsOld;
    private long failedAtNs;
    private final FailureLog failures = new FailureLog(LOG);
    private final EpochClock time = EpochClock.system();

    private JournalWriter(
            int shard,
            Path path,
            long journalId,
            SlabRing ring,
            ShardCounters counters,
            Settings settings,
            RollClock clock,
            SingleChronicleQueue queue,
            DiskRoom room) {
        this.shard = shard;
        this.path = path;
        this.journalId = journalId;
        this.ring = ring;
        this.counters = counters;
        this.settings = settings;
        this.clock = clock;
        this.queue = queue;
        this.room = room;
        this.rollAgeNs =
                settings.rollAge() == null ? Long.MAX_VALUE : settings.rollAge().toNanos();
        this.appender = queue.createAppender();
        // Opened by the thread that starts the collector, used by the one that journals, and never by two at a time.
        appender.singleThreadedCheckDisabled(true);
        this.views = new Bytes<?>[ring.slabCount()];
        for (int i = 0; i < views.length; i++) {
            views[i] = BytesStore.wrap(ring.memory(i)).bytesForRead();
            views[i].singleThreadedCheckDisabled(true);
        }
    }

    /**
     * Opens a shard to append to: finds the journal's end, and books in the counters what an earlier process left open.
     *
     * @param directory the data directory, held
     * @throws IOException if the shard cannot be written
     */
    public static JournalWriter open(
            DataDirectory directory, int shard, SlabRing ring, ShardCounters counters, Settings settings)
            throws IOException {
        Path path = DataDirectory.shardPath(directory.root(), shard);
        RollClock clock = new RollClock(1);
        SingleChronicleQueue queue = ChronicleFiles.openForWriting(path, settings.blockBytes(), clock);
        int lastCycle = queue.lastCycle();
        clock.startAt(lastCycle);
        JournalWriter writer = new JournalWriter(
                shard,
                path,
                directory.meta().journalId(),
                ring,
                counters,
                settings,
                clock,
                queue,
                new DiskRoom(path, Math.max(1, directory.meta().shards())));
        try {
            writer.nextSequence = bookCrash(shard, ShardReader.findEnd(queue), counters);
            List<Path> files = ChronicleFiles.files(path);
            if (!files.isEmpty()) {
                writer.firstFile = files.get(files.size() - 1);
                writer.fileBytes = Files.size(writer.firstFile);
                FirstBatch first =
                        FirstBatch.find(writer.firstFile, directory.meta().journalId());
                writer.fileBeganNs = first == null ? Long.MAX_VALUE : first.minTimeNs();
            }
            return writer;
        } catch (RuntimeException | IOException e) {
            writer.queue.close();
            throw e;
        }
    }

    /**
     * Books what an earlier process left open in a shard that is not written in this run.
     *
     * @throws IOException if the shard cannot be read
     */
    public static void bookUnused(DataDirectory directory, int shard, ShardCounters counters) throws IOException {
        Path path = DataDirectory.shardPath(directory.root(), shard);
        RollClock clock = new RollClock(1);
        try (SingleChronicleQueue queue = ChronicleFiles.openForWriting(path, Settings.DEFAULT.blockBytes(), clock)) {
            bookCrash(shard, ShardReader.findEnd(queue), counters);
        }
    }

    /**
     * A process that was killed leaves the counters at most one append behind the journal, and datagrams counted as
     * received that never got there. As many datagrams were journaled as have a number, so one cell tells both.
     *
     * @return the sequence number to go on with
     */
    private static long bookCrash(int shard, long journalEnd, ShardCounters counters) {
        long counted = counters.get(Counter.JOURNALED_DATAGRAMS);
        if (counted > journalEnd) {
            LOG.warn(
                    "Shard {}: the journal ends before datagram {}, but {} were appended: the machine went down before"
                            + " they were on disk. The numbering goes on after them",
                    shard,
                    journalEnd,
                    counted);
        }
        long nextSequence = Math.max(journalEnd, counted);
        counters.set(Counter.JOURNALED_DATAGRAMS, nextSequence);
        long lost = counters.get(Counter.RECEIVED_DATAGRAMS)
                - nextSequence
                - counters.get(Counter.DENIED_DATAGRAMS)
                - counters.get(Counter.RATE_LIMITED_DATAGRAMS)
                - counters.get(Counter.CRASH_DATAGRAMS);
        if (lost > 0) {
            counters.add(Counter.CRASH_DATAGRAMS, lost);
            LOG.warn(
                    "Shard {}: the last run died with {} datagrams received but not journaled; booked as crash",
                    shard,
                    lost);
        } else if (lost < 0) {
            counters.add(Counter.RECEIVED_DATAGRAMS, -lost);
            LOG.warn(
                    "Shard {}: the journal holds {} datagrams more than were counted; the counters now say so",
                    shard,
                    -lost);
        }
        return nextSequence;
    }

    @Override
    public String roleName() {
        return "journal-" + shard;
    }

    /** Appends what was handed over, at most once round the ring; returns the number of batches. */
    @Override
    public int doWork() {
        int batches = 0;
        if (listingIsOld) {
            listingIsOld = false;
            queue.refreshDirectoryListing();
        }
        while (batches < views.length) {
            Slab slab = pending != null ? pending : ring.takeFull();
            if (slab == null || (pending != null && System.nanoTime() - failedAtNs < RETRY_NS)) {
                break;
            }
            pending = slab;
            if (!append(slab)) {
                break;
            }
            pending = null;
            ring.giveBack(slab);
            batches++;
        }
        return batches;
    }

    private boolean append(Slab slab) {
        BatchWriter batch = slab.batch();
        int length = batch.length();
        int count = batch.count();
        if (fileBytes > 0 && isFileDone(batch, length)) {
            clock.advance();
            fileBytes = 0;
        }
        batch.seal(shard, journalId, nextSequence);
        long startNs = System.nanoTime();
        try {
            if (broken) {
                throw new IOException("the disk failed under a mapped page: make room, verify, and start again");
            }
            if (!room.take(length)) {
                counters.set(Counter.JOURNAL_FULL, 1);
                throw new IOException((room.requiredBytes() >> 20) + " MiB must be free for " + path + ", and are not");
            }
            Bytes<?> bytes = views[slab.index()];
            bytes.readPositionRemaining(0, length);
            appender.writeBytes(bytes);
        } catch (RuntimeException | IOException e) {
            report(e);
            return false;
        } catch (InternalError e) {
            // A mapped page had no place on the disk after all. What it was part of is damaged, and verify will find
            // it;
            // nothing is appended after it by this process.
            broken = true;
            report(e);
            return false;
        }
        if (problem != null) {
            problem = null;
            counters.set(Counter.JOURNAL_BLOCKED, 0);
            counters.set(Counter.JOURNAL_FULL, 0);
            LOG.info("Shard {}: the journal can be appended to again", shard);
        }
        counters.record(Distribution.APPEND, System.nanoTime() - startNs);
        counters.record(Distribution.JOURNAL_LATENCY, time.epochNs() - batch.minTimeNs());
        counters.record(Distribution.BATCH_DATAGRAMS, count);
        fileBeganNs = fileBytes == 0 ? batch.minTimeNs() : fileBeganNs;
        fileBytes += length;
        nextSequence += count;
        counters.add(Counter.JOURNALED_BATCHES, 1);
        counters.add(Counter.JOURNALED_BYTES, length);
        counters.set(Counter.JOURNALED_DATAGRAMS, nextSequence);
        return true;
    }

    private boolean isFileDone(BatchWriter batch, int length) {
        // A clock that was set back makes no age; the difference may overflow then, and is below zero.
        return fileBytes + length > settings.rollBytes() || batch.minTimeNs() - fileBeganNs > rollAgeNs;
    }

    /** Has the writer look at the directory again before its next append: files were deleted. Any thread. */
    public void refreshListing() {
        listingIsOld = true;
    }

    private void report(Throwable e) {
        counters.add(Counter.JOURNAL_ERRORS, 1);
        counters.set(Counter.JOURNAL_BLOCKED, 1);
        problem = "shard " + shard + ": the journal cannot be appended to: " + e.getMessage();
        failedAtNs = System.nanoTime();
        failures.report("Shard " + shard + ": the journal cannot be appended to; the batch is kept and tried again", e);
    }

    /** Why the last append failed; null if it did not. Any thread. */
    public @Nullable String problem() {
        return problem;
    }

    /** True if nothing waits to be appended. */
    public boolean isDrained() {
        return pending == null && ring.isDrained();
    }

    /**
     * Writes the files of this run through to the disk, mapped pages included. Sequential with appends.
     *
     * @throws IOException if the disk did not take it
     */
    public void sync() throws IOException {
        for (Path file : ChronicleFiles.files(path)) {
            if (firstFile == null || file.compareTo(firstFile) >= 0) {
                forceIfThere(file);
            }
        }
        force(path, StandardOpenOption.READ);
    }

    /** Retention may have deleted it meanwhile. */
    private static void forceIfThere(Path file) throws IOException {
        try {
            force(file, StandardOpenOption.WRITE);
        } catch (NoSuchFileException e) {
            LOG.debug("{} is gone", file);
        }
    }

    private static void force(Path path, StandardOpenOption mode) throws IOException {
        try (FileChannel channel = FileChannel.open(path, mode)) {
            channel.force(true);
        }
    }

    /** Closes the shard's files. What is still in the ring is not appended. */
    @Override
    public void close() {
        queue.close();
    }
}
