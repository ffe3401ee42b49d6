package io.millrace.internal.journal.write;

import io.millrace.collector.Counter;
import io.millrace.collector.Distribution;
import io.millrace.collector.DropReason;
import io.millrace.collector.SyncSettings;
import io.millrace.collector.WriterSettings;
import io.millrace.internal.agent.Agent;
import io.millrace.internal.agent.FailureLog;
import io.millrace.internal.agent.FatalErrors;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.journal.DataDirectory;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.file.ChronicleFiles;
import io.millrace.internal.journal.file.DiskFullException;
import io.millrace.internal.journal.file.DiskReserve;
import io.millrace.internal.journal.file.FileAllocation;
import io.millrace.internal.journal.file.ShardQueue;
import io.millrace.internal.journal.read.ShardReader;
import io.millrace.internal.journal.recovery.CrashAccounting;
import io.millrace.internal.journal.recovery.EmptyFiles;
import io.millrace.internal.journal.recovery.PowerFailure;
import io.millrace.internal.journal.recovery.TailRecovery;
import io.millrace.internal.record.FrameWriter;
import io.millrace.internal.record.GapBatch;
import io.millrace.internal.ring.Slab;
import io.millrace.internal.ring.SlabRing;
import io.millrace.journal.GapReason;
import io.millrace.transport.EpochClock;
import java.io.Closeable;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal writer of one shard: appends each slab as one excerpt and releases it. It allocates no objects per batch.
 * One thread, after {@link #open}.
 */
public final class JournalWriter implements Agent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JournalWriter.class);
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final int shard;
    private final long journalId;
    private final SlabRing ring;
    private final ShardCells counters;
    private final WriterSettings settings;
    private final ShardQueue queue;
    private final ByteBuffer[] memory;

    private final FileAllocation allocation;
    private final SequenceReservation numbers;
    private final ShardSync sync;
    private final boolean syncsBatches;
    private final boolean syncsIntervals;
    /** With sync level batch: appended slabs that are not on disk yet. */
    private final Slab[] written;

    private int writtenCount;
    private long syncedBatches;
    /** Batches of earlier processes. */
    private long batchesBefore;

    private final CurrentFile file;
    private @Nullable Slab pending;
    private @Nullable String broken;
    private volatile @Nullable String problem;
    private volatile @Nullable String suspended;
    private @Nullable Path firstFile;
    private long nextSequence;
    private long countedTo;
    private volatile boolean listingIsStale;
    private Runnable onAppended = () -> {};
    private volatile Runnable onSyncAwaited = () -> {};
    /** The counters of the last {@link #syncCounters}. */
    private long syncedCounters;

    private long failedAtNs;
    private final FailureLog failures = new FailureLog(LOG);
    /** The log of the syncing thread, which is a different thread with sync level interval. */
    private final FailureLog syncFailures = new FailureLog(LOG);

    private LongSupplier clock = System::nanoTime;
    private final EpochClock time = EpochClock.system();

    private JournalWriter(
            int shard,
            Path path,
            long journalId,
            SlabRing ring,
            ShardCells counters,
            WriterSettings settings,
            ShardQueue queue,
            FileAllocation allocation)
            throws IOException {
        this.shard = shard;
        this.journalId = journalId;
        this.ring = ring;
        this.counters = counters;
        this.settings = settings;
        this.queue = queue;
        this.allocation = allocation;
        this.numbers = new SequenceReservation(counters);
        this.file = new CurrentFile(path, settings, queue.clock(), allocation);
        this.sync = new ShardSync(path);
        this.syncsBatches = settings.sync().level() == SyncSettings.Level.BATCH;
        this.syncsIntervals = settings.sync().level() == SyncSettings.Level.INTERVAL;
        this.written = new Slab[ring.slabCount()];
        this.memory = new ByteBuffer[ring.slabCount()];
        for (int i = 0; i < memory.length; i++) {
            memory[i] = ring.memory(i).duplicate();
        }
    }

    /**
     * Opens a shard for appending: finds the end of the journal, and updates the counters if the last process crashed.
     *
     * @param directory the data directory, which this process holds
     * @throws IOException if the shard cannot be written
     */
    public static JournalWriter open(
            DataDirectory directory, int shard, SlabRing ring, ShardCells counters, WriterSettings settings)
            throws IOException {
        Path path = JournalPaths.shardPath(directory.root(), shard);
        long journaled = counters.get(Counter.JOURNALED_DATAGRAMS);
        boolean hostFailed = directory.hasHostFailed(counters);
        if (hostFailed) {
            PowerFailure.recover(directory, shard, counters);
        }
        EmptyFiles.removeFrom(path, journaled);
        long behind = TailRecovery.check(path, directory.meta().journalId(), journaled);
        FileAllocation.Method method = settings.sync().level() == SyncSettings.Level.PAGE_CACHE
                ? FileAllocation.Method.RESERVE
                : FileAllocation.Method.WRITE;
        FileAllocation allocation =
                new FileAllocation(path, settings.blockBytes(), new DiskReserve(directory.root()), method);
        // Before Chronicle opens the file, because Chronicle would extend it.
        Path last = JournalPaths.last(path);
        long used = last == null ? 0 : allocation.continueWith(last);
        ShardQueue queue = ShardQueue.open(path, settings.blockBytes());
        JournalWriter writer = new JournalWriter(
                shard, path, directory.meta().journalId(), ring, counters, settings, queue, allocation);
        try {
            CrashAccounting.initializeExpired(path, directory.meta().journalId(), counters);
            long journalEnd = Math.max(behind, ShardReader.endSequence(path));
            writer.nextSequence = CrashAccounting.nextSequence(journalEnd, hostFailed, counters);
            writer.countedTo = writer.nextSequence;
            writer.batchesBefore = counters.get(Counter.JOURNALED_BATCHES);
            writer.syncedBatches = writer.batchesBefore;
            writer.beginSync(last);
            if (last != null) {
                writer.firstFile = last;
                writer.file.continueWith(
                        last, used, ring.memory(0).capacity(), directory.meta().journalId());
            }
            if (hostFailed && journalEnd < writer.nextSequence) {
                // Before it is counted: if it fails, the next start marks and counts the same numbers.
                writer.appendGap(journalEnd);
            }
            CrashAccounting.account(shard, journalEnd, hostFailed, writer.nextSequence, counters);
            counters.noteRecovered(directory.host());
            ChronicleFiles.force(directory.root(), path);
            writer.numbers.used(writer.nextSequence);
            writer.numbers.reserve(writer.nextSequence);
            return writer;
        } catch (RuntimeException | IOException e) {
            writer.queue.close();
            throw e;
        }
    }

    /** Syncs what an earlier process may not have synced, unless nothing is synced at this level. */
    private void beginSync(@Nullable Path last) throws IOException {
        if (settings.sync().level() == SyncSettings.Level.PAGE_CACHE) {
            counters.noteSynced(0);
            return;
        }
        sync.syncFrom(counters.syncedCycle());
        counters.noteSynced(last == null ? ChronicleFiles.FIRST_CYCLE : ChronicleFiles.cycleOf(last));
        if (last != null) {
            // The first append may write nothing but its end mark.
            sync.began(last);
        }
    }

    /** Appends the mark of a gap up to the next sequence number, and syncs it. */
    private void appendGap(long first) throws IOException {
        long nowNs = time.epochNs();
        ByteBuffer gap =
                GapBatch.of(shard, journalId, first, nextSequence - first, GapReason.POWER_FAILURE, nowNs, nowNs);
        file.makeReady(gap.capacity(), nowNs);
        long end = queue.append(gap, file.path());
        if (end == ShardQueue.END_IS_MARKED) {
            file.endIsMarked();
            file.makeReady(gap.capacity(), nowNs);
            end = queue.append(gap, file.path());
        }
        boolean isFirst = file.appended(
                gap.capacity(), nowNs, nowNs, end == ShardQueue.UNKNOWN ? file.end() + gap.capacity() : end);
        if (isFirst
                && settings.sync().level() != SyncSettings.Level.PAGE_CACHE
                && !file.path().equals(firstFile)) {
            sync.began(file.path());
        }
        sync.syncAll(firstFile);
    }

    @Override
    public String roleName() {
        return "journal-" + shard;
    }

    /** The idle strategy of a writer with its own thread: sleeps until a slab is submitted, or for a while after a failure. */
    public void idle(int workDone) {
        if (workDone == 0 && (pending != null || writtenCount > 0)) {
            LockSupport.parkNanos(this, RETRY_NS);
        } else if (workDone == 0) {
            ring.awaitFull();
        }
    }

    /** Appends submitted slabs, at most one ring full; returns the number of batches. */
    @Override
    public int doWork() {
        int batches = 0;
        if (listingIsStale) {
            listingIsStale = false;
            queue.refresh();
        }
        while (batches < memory.length) {
            Slab slab = pending != null ? pending : ring.takeFull();
            if (slab == null || (pending != null && clock.getAsLong() - failedAtNs < RETRY_NS)) {
                break;
            }
            pending = slab;
            if (!append(slab)) {
                break;
            }
            pending = null;
            if (syncsBatches) {
                written[writtenCount++] = slab;
            } else {
                count(slab.batch());
                ring.release(slab);
                batches++;
            }
        }
        return batches + syncWritten();
    }

    /** Syncs the appended slabs, then counts and releases them; returns their number. */
    private int syncWritten() {
        if (writtenCount == 0 || broken != null || !syncNow()) {
            return 0;
        }
        int count = writtenCount;
        for (int i = 0; i < count; i++) {
            count(written[i].batch());
            ring.release(written[i]);
        }
        writtenCount = 0;
        return count;
    }

    private boolean syncNow() {
        long startNs = System.nanoTime();
        try {
            counters.noteSynced(sync.sync());
            counters.record(Distribution.SYNC, System.nanoTime() - startNs);
            counters.add(Counter.JOURNAL_SYNCS, 1);
            String removed = file.problem();
            if (removed != null) {
                // On disk, but the file ends with this process.
                syncFailures.report("Shard {}: {}", shard, removed);
            }
            return removed == null;
        } catch (FileSystemException e) {
            syncFailures.report("Shard {}: cannot open a file for syncing: {}", shard, String.valueOf(e.getMessage()));
            return false;
        } catch (IOException e) {
            counters.add(Counter.JOURNAL_SYNC_ERRORS, 1);
            if (syncsBatches) {
                broken = "the disk failed: check the disk, verify the journal, and restart";
            }
            syncFailures.report("Shard " + shard + ": " + e.getMessage(), e);
            return false;
        }
    }

    /** Syncs what was appended since the last sync; false if there was nothing. The syncing thread. */
    boolean syncAppended() {
        long appended = counters.get(Counter.JOURNALED_BATCHES);
        if (!syncsIntervals || appended == syncedBatches || sync.hasFailed() || !syncNow()) {
            return false;
        }
        syncedBatches = appended;
        ring.safe().advance(appended - batchesBefore);
        return true;
    }

    /** True if a client waits for a sync, and there is something to sync. The syncing thread. */
    boolean isSyncAwaited() {
        return ring.safe().isAwaited() && isUnsynced();
    }

    /** True if something was appended that the syncing thread has not synced. The syncing thread. */
    boolean isUnsynced() {
        return syncsIntervals && counters.get(Counter.JOURNALED_BATCHES) != syncedBatches;
    }

    /** The number of its shard. */
    int shard() {
        return shard;
    }

    /** Sets the callback for when {@link #isSyncAwaited} may have become true. */
    void onSyncAwaited(Runnable call) {
        if (syncsIntervals) {
            onSyncAwaited = call;
            ring.safe().onAwaited(call);
        }
    }

    /** Syncs the counters if datagrams were received or dropped since the last time. The syncing thread. */
    void syncCounters() {
        long now = counters.get(Counter.RECEIVED_DATAGRAMS)
                + counters.get(DropReason.SOCKET_BUFFER.counter())
                + counters.get(DropReason.JOURNAL_FULL.counter());
        if (now == syncedCounters) {
            return;
        }
        syncedCounters = now;
        try {
            counters.sync();
        } catch (IOException e) {
            syncFailures.report("Shard " + shard + ": " + e.getMessage(), e);
        }
    }

    private void count(FrameWriter batch) {
        counters.record(Distribution.JOURNAL_LATENCY, time.epochNs() - batch.minTimeNs());
        counters.record(Distribution.BATCH_DATAGRAMS, batch.count());
        counters.add(Counter.JOURNALED_BATCHES, 1);
        counters.add(Counter.JOURNALED_BYTES, batch.length());
        countedTo += batch.count();
        counters.set(Counter.JOURNALED_DATAGRAMS, countedTo);
        if (!syncsIntervals) {
            ring.safe().advance(counters.get(Counter.JOURNALED_BATCHES) - batchesBefore);
        } else {
            // A receiver that begins to wait sees the count, or this thread sees that it waits.
            VarHandle.fullFence();
            if (ring.safe().isAwaited()) {
                onSyncAwaited.run();
            }
        }
        onAppended.run();
    }

    private boolean append(Slab slab) {
        FrameWriter batch = slab.batch();
        int length = batch.length();
        int count = batch.count();
        batch.seal(shard, journalId, nextSequence);
        long startNs = System.nanoTime();
        long end;
        try {
            if (broken != null) {
                throw new IOException(broken);
            }
            String reason = suspended;
            if (reason != null) {
                throw new IOException(reason);
            }
            if (!numbers.covers(nextSequence + count)) {
                numbers.reserve(nextSequence + count);
            }
            file.makeReady(batch);
            end = queue.append(memory[slab.index()].clear().limit(length), file.path());
        } catch (RuntimeException | IOException e) {
            report(e);
            return false;
        } catch (Error e) {
            // A write to a mapped page failed, Chronicle found that its file was changed, or there is no memory. Its
            // appender is in no defined state then: this process appends nothing more.
            broken = "an append failed (" + e + "): check the disk, verify the journal, and restart";
            report(e);
            FatalErrors.rethrow(e);
            return false;
        }
        if (end == ShardQueue.END_IS_MARKED) {
            file.endIsMarked();
            LOG.info("Shard {}: {} is complete, but the next file does not exist: creating it now", shard, file.path());
            return append(slab);
        }
        if (problem != null) {
            problem = null;
            counters.set(Counter.JOURNAL_BLOCKED, 0);
            counters.set(Counter.JOURNAL_FULL, 0);
            failures.recovered("Shard {}: appending to the journal works again", shard);
        }
        counters.record(Distribution.APPEND, System.nanoTime() - startNs);
        boolean isFirst = file.appended(batch, end == ShardQueue.UNKNOWN ? file.end() + length : end);
        if (isFirst
                && settings.sync().level() != SyncSettings.Level.PAGE_CACHE
                && !file.path().equals(firstFile)) {
            // Only now, because this append also wrote the end mark of the previous file.
            sync.began(file.path());
        }
        nextSequence += count;
        numbers.used(nextSequence);
        return true;
    }

    /** True while batches wait because the disk is full. Any thread. */
    public boolean isFull() {
        return counters.get(Counter.JOURNAL_FULL) != 0;
    }

    /** Makes the writer list the directory again before its next append, because files were deleted. Any thread. */
    public void refreshListing() {
        listingIsStale = true;
    }

    /** Allocates disk blocks and reserves sequence numbers ahead of time. Any thread. */
    void allocateAhead() throws IOException {
        numbers.reserveAhead();
        allocation.allocateAhead();
    }

    /** Sets the callback for each batch that was counted as journaled; before the first {@link #doWork}. */
    public void onAppended(Runnable call) {
        onAppended = call;
    }

    /** Sets the monotonic clock of retries, in ns, for a test; before the first {@link #doWork}. */
    public void useClock(LongSupplier nanoTime) {
        clock = nanoTime;
    }

    /** Sets the callback for when {@link #allocateAhead} has something to do. */
    void onAllocationNeeded(Runnable onNeed) {
        allocation.onNeed(onNeed);
        numbers.onNeed(onNeed);
    }

    private void report(Throwable e) {
        counters.set(Counter.JOURNAL_FULL, DiskFullException.is(e) ? 1 : 0);
        counters.add(Counter.JOURNAL_ERRORS, 1);
        counters.set(Counter.JOURNAL_BLOCKED, 1);
        problem = "shard " + shard + ": cannot append to the journal: " + e.getMessage();
        failedAtNs = clock.getAsLong();
        String what = "Shard " + shard + ": cannot append to the journal; the batch is kept and retried";
        failures.report(
                DiskFullException.is(e) ? what + ": " + e.getMessage() : what, DiskFullException.is(e) ? null : e);
    }

    /** The problem of the last append or sync; null if there is none. Any thread. */
    public @Nullable String problem() {
        String paused = suspended;
        // Why appending is paused says more than that a sync has to wait.
        String reason = paused != null && !sync.hasFailed() ? paused : sync.problem();
        return reason == null ? problem : "shard " + shard + ": " + reason;
    }

    /** Suspends appending for a reason; null resumes it. Appends fail and are retried meanwhile. Any thread. */
    void suspend(@Nullable String reason) {
        suspended = reason;
    }

    /** What has happened to the name of the file of the last append; null if nothing has. Any thread. */
    @Nullable
    String fileProblem() {
        return file.problem();
    }

    /** True if no slab waits to be appended or synced. */
    public boolean isDrained() {
        return pending == null && writtenCount == 0 && ring.isDrained();
    }

    /**
     * Syncs the files of this run to disk, including mapped pages. Not concurrent with appends.
     *
     * @throws IOException if the disk reported an error
     */
    public void sync() throws IOException {
        sync.syncAll(firstFile);
    }

    /**
     * Gives back the sequence numbers that are reserved and not in use, after the last append: they would count as lost if the power
     * fails while this shard is not written.
     *
     * @throws IOException if the disk failed
     */
    public void releaseNumbers() throws IOException {
        counters.reserveTo(nextSequence);
    }

    /** Closes the shard's files. Slabs that are still in the ring are not appended. */
    @Override
    public void close() {
        for (Closeable each : List.<Closeable>of(queue, sync, allocation)) {
            try {
                each.close();
            } catch (IOException e) {
                LOG.warn("Shard {}: {}", shard, e.toString());
            }
        }
    }
}
