package io.millrace.bench.jmh;

import io.millrace.counters.CounterFile;
import io.millrace.journal.DataDirectory;
import io.millrace.journal.JournalWriter;
import io.millrace.record.StagedDatagram;
import io.millrace.ring.Slab;
import io.millrace.ring.SlabRing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A journal of one shard, written as a collector with one thread writes it: datagram, slab, ring, writer. */
final class OpenJournal implements AutoCloseable {
    /** Datagrams in each batch. */
    static final int BATCH = 128;

    private static final int SLABS = 4;
    private static final int SLAB_BYTES = 256 << 10;

    private final DataDirectory directory;
    private final SlabRing ring = new SlabRing(SLABS, SLAB_BYTES);
    private final JournalWriter writer;
    private @Nullable Slab slab;

    private OpenJournal(Path root) throws IOException {
        directory = DataDirectory.open(root);
        try {
            var unused = directory.register(List.of("bench"), 1);
            directory.saveMeta();
            CounterFile counters =
                    CounterFile.open(directory.countersFile(), directory.meta().journalId(), 1);
            writer = JournalWriter.open(directory, 0, ring, counters.shard(0), JournalWriter.Settings.DEFAULT);
        } catch (IOException | RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    static OpenJournal create(Path root) throws IOException {
        return new OpenJournal(root);
    }

    /** Adds a datagram to the batch, and appends the batch when it is full. */
    void append(StagedDatagram datagram) {
        Slab filling = slab == null ? ring.takeFree() : slab;
        if (filling == null || !filling.batch().append(datagram, 0)) {
            throw new IllegalStateException("no room in the ring: the journal does not take what it gets");
        }
        if (filling.batch().count() < BATCH) {
            slab = filling;
            return;
        }
        slab = null;
        ring.handOver(filling);
        if (writer.doWork() != 1) {
            throw new IllegalStateException("the batch was not appended: " + writer.problem());
        }
    }

    /** What is in a batch that is not full is not appended. */
    @Override
    public void close() throws IOException {
        writer.close();
        directory.close();
    }
}
