package io.millrace.collector;

import io.millrace.internal.agent.AgentRunner;
import io.millrace.internal.agent.NeededThreads;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.journal.AppendSignal;
import io.millrace.internal.journal.DataDirectory;
import io.millrace.internal.journal.recovery.CrashAccounting;
import io.millrace.internal.journal.write.Allocator;
import io.millrace.internal.journal.write.JournalWriter;
import io.millrace.internal.journal.write.PathCheck;
import io.millrace.internal.journal.write.Syncer;
import io.millrace.internal.receive.ReceiveStage;
import io.millrace.internal.ring.SlabRing;
import io.millrace.sink.SinkPositions;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal stage: a writer per shard, the allocator of disk blocks, and the syncers on separate threads. One thread
 * opens, starts and ends it.
 */
final class JournalStage {
    private static final Logger LOG = LoggerFactory.getLogger(JournalStage.class);

    private final CollectorSettings settings;
    private final DataDirectory directory;
    private final CounterFile counters;
    private final AppendSignal appends;
    private final List<JournalWriter> writers = new ArrayList<>();
    private final List<ReceiveStage.Shard> shards = new ArrayList<>();
    /** The runners of dedicated writers. */
    private final List<AgentRunner> writing = new ArrayList<>();

    /** The runners of allocator and syncers, which writers do not need all the time. */
    private final List<AgentRunner> helping = new ArrayList<>();

    private JournalStage(CollectorSettings settings, DataDirectory directory, CounterFile counters) {
        this.settings = settings;
        this.directory = directory;
        this.counters = counters;
        this.appends = new AppendSignal(counters);
    }

    /**
     * Opens the journal of each shard and accounts for a crash.
     *
     * @param undo collects the closing of opened resources
     * @throws IOException if a journal cannot be opened, or there is no memory for a ring
     */
    static JournalStage open(
            CollectorSettings settings, DataDirectory directory, CounterFile counters, List<Closeable> undo)
            throws IOException {
        JournalStage stage = new JournalStage(settings, directory, counters);
        stage.openShards(undo);
        return stage;
    }

    private void openShards(List<Closeable> undo) throws IOException {
        // Sequences that an output has delivered are never reused, even if a power failure lost the end of the
        // journal.
        long[] delivered =
                SinkPositions.highest(settings.dataDirectory(), directory.meta().journalId());
        for (int shard = 0; shard < counters.shardCount(); shard++) {
            ShardCells cells = counters.shard(shard);
            cells.reset();
            if (shard < delivered.length && delivered[shard] > cells.get(Counter.JOURNALED_DATAGRAMS)) {
                cells.set(Counter.JOURNALED_DATAGRAMS, delivered[shard]);
                // Otherwise an interrupted start would leave counters that contradict each other.
                cells.add(
                        Counter.RECEIVED_DATAGRAMS,
                        Math.max(0, cells.accounted() - cells.get(Counter.RECEIVED_DATAGRAMS)));
            }
            if (shard >= settings.receivers()) {
                if (directory.hasHostFailed(cells)) {
                    // The recovery appends a mark; that is a writer's work.
                    try (JournalWriter writer =
                            JournalWriter.open(directory, shard, newRing(), cells, settings.journal())) {
                        writer.releaseNumbers();
                    }
                }
                CrashAccounting.accountUnused(directory, shard, cells);
                continue;
            }
            SlabRing ring = newRing();
            JournalWriter writer = JournalWriter.open(directory, shard, ring, cells, settings.journal());
            undo.add(writer::close);
            int number = shard;
            writer.onAppended(() -> appends.appended(number));
            writers.add(writer);
            shards.add(new ReceiveStage.Shard(ring, cells, isShared() ? writer : null));
        }
    }

    private boolean isShared() {
        return settings.get(CollectorSettings.THREADING) == Threading.SHARED;
    }

    private SlabRing newRing() throws IOException {
        try {
            return isShared()
                    ? SlabRing.ofOneThread(
                            settings.get(CollectorSettings.SLABS), settings.get(CollectorSettings.SLAB_BYTES))
                    : new SlabRing(settings.get(CollectorSettings.SLABS), settings.get(CollectorSettings.SLAB_BYTES));
        } catch (OutOfMemoryError e) {
            long bytes = (long) settings.receivers()
                    * settings.get(CollectorSettings.SLABS)
                    * settings.get(CollectorSettings.SLAB_BYTES);
            throw new IOException(
                    "there is not enough direct memory for the slabs of " + settings.receivers() + " receivers, "
                            + bytes / (1 << 20)
                            + " MiB: allow more with -XX:MaxDirectMemorySize, or take fewer receivers",
                    e);
        }
    }

    /**
     * Starts the threads.
     *
     * @param undo collects the closing of their runners
     */
    void start(NeededThreads threads, List<Closeable> undo) {
        if (!isShared()) {
            startWriters(threads, undo);
        }
        SyncSettings sync = settings.journal().sync();
        if (sync.level() != SyncSettings.Level.PAGE_CACHE) {
            for (JournalWriter writer : writers) {
                Syncer syncer = new Syncer(
                        writer,
                        appends,
                        sync.level() == SyncSettings.Level.INTERVAL
                                ? sync.interval()
                                : SyncSettings.EACH_SECOND.interval());
                start(AgentRunner.daemon(syncer, syncer::idle), threads, helping, undo);
            }
        }
        Allocator allocator = new Allocator(writers);
        start(AgentRunner.daemon(allocator, allocator::idle), threads, helping, undo);
    }

    private void startWriters(NeededThreads threads, List<Closeable> undo) {
        for (int shard = 0; shard < writers.size(); shard++) {
            JournalWriter writer = writers.get(shard);
            AgentRunner runner = new AgentRunner(
                    writer,
                    writer::idle,
                    counters.shard(shard),
                    Distribution.WRITER_CYCLE,
                    Counter.WRITER_CYCLE_MAX_NS,
                    Counter.WRITER_STALLS,
                    settings.get(CollectorSettings.WRITER_CPUS),
                    shard);
            start(runner, threads, writing, undo);
        }
    }

    private static void start(
            AgentRunner runner, NeededThreads threads, List<AgentRunner> runners, List<Closeable> undo) {
        runners.add(runner);
        undo.add(runner::close);
        runner.start(threads);
    }

    /** Called when files of a shard were deleted; any thread. */
    void refreshListing(int shard) {
        if (shard < writers.size()) {
            writers.get(shard).refreshListing();
        }
    }

    /** The check of the paths, which runs on the thread of the retention. */
    PathCheck pathCheck() throws IOException {
        return new PathCheck(directory, writers, counters);
    }

    /** Wakes readers of the journal when it has grown. */
    AppendSignal appends() {
        return appends;
    }

    /** The ring of a shard, and its writer. */
    List<ReceiveStage.Shard> shards() {
        return shards;
    }

    /** The current problems of the writers. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        for (JournalWriter writer : writers) {
            @Nullable String problem = writer.problem();
            if (problem != null) {
                problems.add(problem);
            }
        }
        return problems;
    }

    /** Describes why a writer needs disk space while batches wait; null if none does. */
    @Nullable
    String waitsForRoom() {
        for (JournalWriter writer : writers) {
            @Nullable String problem = writer.problem();
            if (problem != null && writer.isFull()) {
                return problem;
            }
        }
        return null;
    }

    /** Ends syncers and allocator; a writer allocates by itself then. Returns true if their threads have ended. */
    boolean endHelpers(StopSteps steps) {
        boolean ended = true;
        for (AgentRunner helper : helping) {
            ended &= steps.run(helper::close);
        }
        return ended;
    }

    /**
     * Appends the content of the rings and closes the journals.
     *
     * @param receiverEnded false if receivers may still be running and using the writers
     * @param untilNs until when a failed append is retried, by {@link System#nanoTime()}
     * @return true if no writer is in use
     */
    boolean endWriters(StopSteps steps, IntPredicate receiverEnded, long untilNs) {
        boolean allEnded = true;
        for (int shard = 0; shard < writers.size(); shard++) {
            JournalWriter writer = writers.get(shard);
            // A writer whose thread did not end is in use, so it and the directory stay open.
            boolean ended = isShared() ? receiverEnded.test(shard) : steps.run(writing.get(shard)::close);
            if (ended) {
                steps.run(() -> drain(writer, untilNs));
                steps.run(writer::releaseNumbers);
                steps.run(writer::close);
            }
            allEnded &= ended;
        }
        return allEnded;
    }

    private static void drain(JournalWriter writer, long untilNs) {
        writer.doWork();
        while (!writer.isDrained() && System.nanoTime() - untilNs < 0) {
            // A failed append is retried after a pause.
            LockSupport.parkNanos(1_000_000);
            writer.doWork();
        }
        if (!writer.isDrained()) {
            LOG.error(
                    "{}: the journal did not take everything; the rest is counted as crash at the next start",
                    writer.roleName());
        }
    }

    /** Syncs the journals to the disk; false if that failed for one. */
    boolean sync(StopSteps steps) {
        boolean synced = true;
        for (JournalWriter writer : writers) {
            synced &= steps.run(writer::sync);
        }
        return synced;
    }
}
