package io.millrace.internal.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.Counter;
import io.millrace.collector.SyncSettings;
import io.millrace.collector.WriterSettings;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.journal.write.JournalWriter;
import io.millrace.internal.record.TestDatagram;
import io.millrace.internal.ring.Slab;
import io.millrace.internal.ring.SlabRing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A journal that a test writes batch by batch: data directory, counters, rings and writers like a collector's, but
 * without threads. The payload of a numbered datagram is its position, {@code SHARD:SEQUENCE}.
 */
public final class TestJournal implements AutoCloseable {
    public static final int SLAB_BYTES = 128 * 1024;
    public static final long BLOCK_BYTES = 4 << 20;
    private static final int SMALL_SLAB_BYTES = 32 * 1024;
    private static final int SLABS = 4;

    private final DataDirectory directory;
    private final CounterFile counters;
    private final AppendSignal appends;
    private final List<SlabRing> rings = new ArrayList<>();
    private final List<JournalWriter> writers = new ArrayList<>();

    private TestJournal(
            Path root,
            int shards,
            int slabBytes,
            long rollBytes,
            long blockBytes,
            @Nullable Duration rollAge,
            SyncSettings sync)
            throws IOException {
        directory = DataDirectory.open(root);
        try {
            directory.register(List.of("syslog"), shards);
            directory.saveMeta();
            counters = directory.openCounters();
            appends = new AppendSignal(counters);
            WriterSettings settings = new WriterSettings(rollBytes, blockBytes, rollAge, sync);
            for (int shard = 0; shard < shards; shard++) {
                SlabRing ring = new SlabRing(SLABS, slabBytes);
                rings.add(ring);
                int number = shard;
                JournalWriter writer = JournalWriter.open(directory, shard, ring, counters.shard(shard), settings);
                writer.onAppended(() -> appends.appended(number));
                writers.add(writer);
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Opens a journal with one shard, whose files do not roll. */
    public static TestJournal open(Path root) throws IOException {
        return open(root, 1);
    }

    /** Opens a journal whose files do not roll. */
    public static TestJournal open(Path root, int shards) throws IOException {
        return new TestJournal(root, shards, SLAB_BYTES, 1L << 30, BLOCK_BYTES, null, SyncSettings.PAGE_CACHE);
    }

    /** Opens a journal with one shard, whose files roll at this many bytes of batches. */
    public static TestJournal openRolling(Path root, long rollBytes) throws IOException {
        return new TestJournal(root, 1, SLAB_BYTES, rollBytes, BLOCK_BYTES, null, SyncSettings.PAGE_CACHE);
    }

    /** Opens a journal with several shards, whose files roll at this many bytes of batches. */
    public static TestJournal openRolling(Path root, long rollBytes, int shards) throws IOException {
        return new TestJournal(root, shards, SLAB_BYTES, rollBytes, BLOCK_BYTES, null, SyncSettings.PAGE_CACHE);
    }

    /** Opens a journal with one shard, whose files roll by size or age. */
    public static TestJournal openRolling(Path root, long rollBytes, Duration rollAge) throws IOException {
        return new TestJournal(root, 1, SLAB_BYTES, rollBytes, BLOCK_BYTES, rollAge, SyncSettings.PAGE_CACHE);
    }

    /** Opens a journal with one shard, whose files roll by size and are synced. */
    public static TestJournal openSynced(Path root, long rollBytes, SyncSettings sync) throws IOException {
        return new TestJournal(root, 1, SLAB_BYTES, rollBytes, BLOCK_BYTES, null, sync);
    }

    /** Opens a journal with small blocks, whose files roll at this many bytes of batches. */
    public static TestJournal openSmall(Path root, int shards, long rollBytes) throws IOException {
        return new TestJournal(
                root, shards, SMALL_SLAB_BYTES, rollBytes, 8 * SMALL_SLAB_BYTES, null, SyncSettings.PAGE_CACHE);
    }

    /** The total bytes of the batches of a shard. */
    public long bytes(int shard) {
        return counters.shard(shard).get(Counter.JOURNALED_BYTES);
    }

    /** The signal that wakes readers after an append. */
    public AppendSignal appends() {
        return appends;
    }

    /** Counts datagrams as received and appends them as one batch. */
    public void append(int shard, TestDatagram... datagrams) {
        submit(shard, datagrams);
        assertThat(writers.get(shard).doWork()).isEqualTo(1);
    }

    /** Counts datagrams as received and submits them to the ring as one batch, without appending it. */
    public void submit(int shard, TestDatagram... datagrams) {
        Slab slab = rings.get(shard).takeFree();
        assertThat(slab).as("a free slab").isNotNull();
        for (TestDatagram datagram : datagrams) {
            assertThat(datagram.appendTo(slab.batch())).as("room in the slab").isTrue();
        }
        counters(shard).add(Counter.RECEIVED_DATAGRAMS, datagrams.length);
        rings.get(shard).submit(slab);
    }

    /** Appends batches of numbered datagrams. */
    public void appendNumbered(int shard, int batches, int datagramsEach) {
        for (int batch = 0; batch < batches; batch++) {
            append(shard, numbered(shard, nextSequence(shard), datagramsEach));
        }
    }

    public static TestDatagram[] numbered(int shard, long firstSequence, int count) {
        TestDatagram[] datagrams = new TestDatagram[count];
        for (int i = 0; i < count; i++) {
            datagrams[i] = TestDatagram.of(shard + ":" + (firstSequence + i));
        }
        return datagrams;
    }

    /** The sequence number of the next datagram. */
    public long nextSequence(int shard) {
        return counters(shard).get(Counter.JOURNALED_DATAGRAMS);
    }

    public CounterFile counters() {
        return counters;
    }

    public ShardCells counters(int shard) {
        return counters.shard(shard);
    }

    public JournalWriter writer(int shard) {
        return writers.get(shard);
    }

    public DataDirectory directory() {
        return directory;
    }

    @Override
    public void close() throws IOException {
        for (JournalWriter writer : writers) {
            writer.close();
        }
        directory.close();
    }
}
