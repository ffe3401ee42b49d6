package io.millrace.bench.jmh;

import io.millrace.collector.SyncSettings;
import io.millrace.collector.WriterSettings;
import io.millrace.internal.agent.AgentRunner;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.journal.AppendSignal;
import io.millrace.internal.journal.DataDirectory;
import io.millrace.internal.journal.write.JournalWriter;
import io.millrace.internal.journal.write.Syncer;
import io.millrace.internal.ring.Slab;
import io.millrace.internal.ring.SlabRing;
import io.millrace.transport.StagedDatagram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A journal with one shard, written as by a collector: datagram, slab, ring, writer. */
final class OpenJournal implements AutoCloseable {
    /** Datagrams per batch. */
    static final int BATCH = 128;

    private static final int SLABS = 4;
    private static final int SLAB_BYTES = 256 << 10;

    private final DataDirectory directory;
    private final SlabRing ring = new SlabRing(SLABS, SLAB_BYTES);
    private final JournalWriter writer;
    private final @Nullable AgentRunner syncing;
    private @Nullable Slab slab;

    private OpenJournal(Path root, WriterSettings settings) throws IOException {
        directory = DataDirectory.open(root);
        try {
            var unused = directory.register(List.of("bench"), 1);
            directory.saveMeta();
            CounterFile counters =
                    CounterFile.open(directory.countersFile(), directory.meta().journalId(), 1);
            writer = JournalWriter.open(directory, 0, ring, counters.shard(0), settings);
            AppendSignal appends = new AppendSignal(counters);
            writer.onAppended(() -> appends.appended(0));
            syncing = syncer(appends, settings.sync());
        } catch (IOException | RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    static OpenJournal create(Path root) throws IOException {
        return create(root, WriterSettings.DEFAULT);
    }

    static OpenJournal create(Path root, WriterSettings settings) throws IOException {
        return new OpenJournal(root, settings);
    }

    private @Nullable AgentRunner syncer(AppendSignal appends, SyncSettings sync) {
        if (sync.level() != SyncSettings.Level.INTERVAL) {
            return null;
        }
        Syncer syncer = new Syncer(writer, appends, sync.interval());
        AgentRunner runner = AgentRunner.daemon(syncer, syncer::idle);
        runner.start();
        return runner;
    }

    /** Adds a datagram to the batch, and appends the batch when it is full. */
    void append(StagedDatagram datagram) {
        Slab filling = slab == null ? ring.takeFree() : slab;
        if (filling == null || !filling.batch().append(datagram, 0)) {
            throw new IllegalStateException("the ring is full: the journal does not accept batches");
        }
        if (filling.batch().count() < BATCH) {
            slab = filling;
            return;
        }
        slab = null;
        ring.submit(filling);
        if (writer.doWork() != 1) {
            throw new IllegalStateException("the batch was not appended: " + writer.problem());
        }
    }

    /** An incomplete batch is discarded. */
    @Override
    public void close() throws IOException {
        if (syncing != null) {
            syncing.close();
        }
        writer.close();
        directory.close();
    }
}
