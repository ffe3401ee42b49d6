package io.millrace.bench.subject;

import io.millrace.collector.WriterSettings;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.journal.DataDirectory;
import io.millrace.internal.journal.write.JournalWriter;
import io.millrace.internal.ring.Slab;
import io.millrace.internal.ring.SlabRing;
import io.millrace.transport.StagedDatagram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A journal of many small files, as a service has after a year. Each file has one datagram. */
final class ManyFiles {
    private static final int SLAB_BYTES = 4 << 10;
    private static final int BLOCK_BYTES = 8 * SLAB_BYTES;
    private static final byte[] ADDRESS = {127, 0, 0, 1};
    private static final byte[] PAYLOAD = "<13>Nov 24 10:00:00 bench app: old".getBytes(StandardCharsets.US_ASCII);

    private ManyFiles() {}

    /**
     * Adds files to the first receiver's part of a journal.
     *
     * @param data the data directory of a service that has run and has ended
     */
    static void add(Path data, int files) throws IOException {
        SlabRing ring = new SlabRing(2, SLAB_BYTES);
        WriterSettings rollAfterEachBatch = new WriterSettings(1, BLOCK_BYTES, null, WriterSettings.DEFAULT.sync());
        try (DataDirectory directory = DataDirectory.open(data)) {
            CounterFile counters = directory.openCounters();
            try (JournalWriter writer = JournalWriter.open(directory, 0, ring, counters.shard(0), rollAfterEachBatch)) {
                for (int i = 0; i < files; i++) {
                    append(ring, writer);
                }
            }
        }
    }

    private static void append(SlabRing ring, JournalWriter writer) throws IOException {
        StagedDatagram datagram = new StagedDatagram(PAYLOAD.length);
        datagram.payload().put(0, PAYLOAD);
        datagram.received(PAYLOAD.length);
        datagram.source(ADDRESS, 0, 1);
        datagram.receiveTimeNs(TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()));
        Slab slab = ring.takeFree();
        if (slab == null || !slab.batch().append(datagram, 0)) {
            throw new IOException("the journal does not accept a batch");
        }
        ring.submit(slab);
        if (writer.doWork() != 1) {
            throw new IOException("the batch was not appended: " + writer.problem());
        }
    }
}
