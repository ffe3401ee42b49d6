package io.millrace.internal.counters;

import io.millrace.collector.Counter;
import io.millrace.collector.HostCounter;
import io.millrace.collector.HostCounters;
import io.millrace.internal.disk.Disk;
import io.millrace.internal.disk.DiskFile;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a data directory in a memory-mapped file, which survive the kill of the process at any moment.
 *
 * <p>The file has a header of 4 KiB, which also contains the values at the last start, and a region of 8 KiB per shard.
 * A region has 128 cells. A cell is one 64-bit little-endian number; cells are 64 bytes apart, so that two threads
 * never write the same cache line. All bytes of the file are written when it is created, so a write to a cell never
 * meets a full disk.
 */
public final class CounterFile {
    static final int CELL_STRIDE = 64;
    public static final int CELLS_PER_SHARD = 128;

    private static final long MAGIC = 0x31544e435252494dL; // "MIRRCNT1" read as little-endian
    private static final int HEADER_BYTES = 4096;
    private static final int SHARD_BYTES = CELL_STRIDE * CELLS_PER_SHARD;
    private static final int OFFSET_MAGIC = 0;
    private static final int OFFSET_JOURNAL_ID = 8;
    private static final int OFFSET_STARTED_AT = 16;
    private static final int OFFSET_STOPPED_AT = 24;
    private static final int OFFSET_SEALED_AT = 32;
    private static final int OFFSET_CHECKSUM = 40;
    private static final int OFFSET_AFTER_CHECKSUM = 48;
    private static final int OFFSET_ALIVE_AT = 48;
    private static final int OFFSET_HOST = 56;
    private static final int OFFSET_AT_START = 1024;
    private static final int OFFSET_HOST_AT_START = 2048;
    private static final int OFFSET_HOST_AT_STOP = 3072;
    private static final int HOST_CELLS = (HEADER_BYTES - OFFSET_HOST_AT_STOP) / Long.BYTES;
    private static final long UNAVAILABLE = -1;
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final Path file;
    private final MappedByteBuffer buffer;
    private final List<ShardCells> shards = new ArrayList<>();

    private CounterFile(Path file, MappedByteBuffer buffer) {
        this.file = file;
        this.buffer = buffer;
        int count = (buffer.capacity() - HEADER_BYTES) / SHARD_BYTES;
        for (int i = 0; i < count; i++) {
            shards.add(new ShardCells(file, buffer, HEADER_BYTES + i * SHARD_BYTES, LONGS));
        }
    }

    /**
     * Opens the file for writing, and creates or extends it where needed.
     *
     * @param file the file; its directory exists
     * @param journalId the id of the journal of the counters
     * @param shards the minimum number of shards; shards of earlier runs are kept
     * @throws IOException if the file cannot be written, or belongs to another journal
     */
    public static CounterFile open(Path file, long journalId, int shards) throws IOException {
        try (DiskFile channel = Disk.of(file)
                .open(
                        file,
                        Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----")))) {
            boolean isNew = isUnfinished(channel);
            if (!isNew) {
                checkHeader(file, channel, journalId);
            }
            long wanted = Math.max(channel.size(), HEADER_BYTES + (long) shards * SHARD_BYTES);
            fill(channel, isNew ? 0 : channel.size(), wanted);
            if (isNew) {
                ByteBuffer header = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
                header.putLong(OFFSET_MAGIC, MAGIC).putLong(OFFSET_JOURNAL_ID, journalId);
                channel.write(header, 0);
            }
            CounterFile counters = new CounterFile(file, channel.map(true, wanted));
            // From here on the cells change.
            LONGS.setRelease(counters.buffer, OFFSET_SEALED_AT, 0L);
            return counters;
        }
    }

    /**
     * Opens the file read-only, for example from another process.
     *
     * @throws IOException if the file does not exist or is not a counter file
     */
    public static CounterFile openReadOnly(Path file) throws IOException {
        try (DiskFile channel = Disk.of(file).open(file, StandardOpenOption.READ)) {
            if (channel.size() < HEADER_BYTES) {
                throw new IOException(file + " is not a Millrace counter file: it has "
                        + Disk.of(file).size(file) + " bytes");
            }
            checkHeader(file, channel, null);
            return new CounterFile(file, channel.map(false, channel.size()));
        }
    }

    /** A new file, or one whose creation was interrupted: the header is written last. */
    private static boolean isUnfinished(DiskFile channel) throws IOException {
        ByteBuffer magic = ByteBuffer.allocate(Long.BYTES);
        channel.read(magic, OFFSET_MAGIC);
        return channel.size() < HEADER_BYTES || magic.getLong(0) == 0;
    }

    private static void checkHeader(Path file, DiskFile channel, @Nullable Long journalId) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        channel.read(header, 0);
        if (header.getLong(OFFSET_MAGIC) != MAGIC) {
            throw new IOException(
                    file + " is not a Millrace counter file: move it away and start again; the counters then"
                            + " start at what the journal holds");
        }
        long found = header.getLong(OFFSET_JOURNAL_ID);
        if (journalId != null && found != journalId) {
            throw new IOException(String.format(
                    "%s belongs to journal %016x, not to %016x: move it away and start again; the counters then start"
                            + " at what the journal holds",
                    file, found, journalId));
        }
    }

    private static void fill(DiskFile channel, long from, long to) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocate(SHARD_BYTES);
        for (long position = from; position < to; position += zeros.capacity()) {
            zeros.clear().limit((int) Math.min(zeros.capacity(), to - position));
            channel.write(zeros, position);
        }
    }

    /** The number of shards in the file, including those of earlier runs. */
    public int shardCount() {
        return shards.size();
    }

    public ShardCells shard(int shard) {
        return shards.get(shard);
    }

    /**
     * Stores the start of a process and the values of all counters then. Must be called before any thread counts.
     *
     * @param epochNs the time, in ns since the epoch
     * @param host the host's counters
     */
    void noteStart(long epochNs, HostCounters host) {
        LONGS.setRelease(buffer, OFFSET_STARTED_AT, 0L);
        LONGS.setRelease(buffer, OFFSET_STOPPED_AT, 0L);
        noteValues(host);
        LONGS.setRelease(buffer, OFFSET_STARTED_AT, epochNs);
    }

    private void noteValues(HostCounters host) {
        for (Counter counter : Counter.values()) {
            LONGS.setRelease(buffer, OFFSET_AT_START + counter.id() * Long.BYTES, sum(counter));
        }
        writeHost(OFFSET_HOST_AT_START, host);
    }

    /**
     * True if the last process did not stop, and what it wrote may not be on the disk: the kernel that it ran on, or the device, is
     * another one. The page cache keeps the writes of a process that was killed.
     *
     * @param host identifies kernel and device now: see {@link Disk#host}
     */
    public boolean hasHostFailed(long host) {
        long last = (long) LONGS.getAcquire(buffer, OFFSET_HOST);
        return unstoppedSince() != null && last != Disk.UNKNOWN_HOST && last != host;
    }

    /** Stores kernel and device of this process, once the losses of the last one are accounted for. */
    public void noteHost(long host) {
        LONGS.setRelease(buffer, OFFSET_HOST, host);
    }

    /** Stores that all counters have their values from before any process. */
    public void noteNoProcess() {
        noteValues(HostCounters.of(Map.of()));
    }

    /**
     * Stores the stop of the process and the values of the host's counters then.
     *
     * @param epochNs the time, in ns since the epoch
     */
    void noteStop(long epochNs, HostCounters host) {
        writeHost(OFFSET_HOST_AT_STOP, host);
        LONGS.setRelease(buffer, OFFSET_STOPPED_AT, epochNs);
    }

    /**
     * Stores a checksum, which is valid until the file is opened for writing again. Called after the stop was stored,
     * when no thread counts.
     */
    public void seal() {
        LONGS.setRelease(buffer, OFFSET_CHECKSUM, checksum());
        LONGS.setRelease(buffer, OFFSET_SEALED_AT, stoppedAtNs());
    }

    /**
     * True if there is a checksum that does not match. A checksum of another time than the stored stop is ignored,
     * because an older version has counted since.
     */
    boolean isChecksumWrong() {
        return isSealed() && (long) LONGS.getAcquire(buffer, OFFSET_CHECKSUM) != checksum() && isSealed();
    }

    private boolean isSealed() {
        long sealedAtNs = (long) LONGS.getAcquire(buffer, OFFSET_SEALED_AT);
        return sealedAtNs != 0 && sealedAtNs == stoppedAtNs();
    }

    private long checksum() {
        CRC32C crc = new CRC32C();
        crc.update(buffer.duplicate().position(0).limit(OFFSET_SEALED_AT));
        crc.update(buffer.duplicate().position(OFFSET_AFTER_CHECKSUM));
        return crc.getValue();
    }

    /** Describes invalid values, after which nothing in the file can be trusted; null if the values are valid. Any thread. */
    public @Nullable String damage() {
        return CounterCheck.damage(this);
    }

    /** The start of the last process in ns since the epoch; 0 if none is stored. */
    long startedAtNs() {
        return (long) LONGS.getAcquire(buffer, OFFSET_STARTED_AT);
    }

    /** The stop of the last process in ns since the epoch; 0 if it is running or was killed. */
    long stoppedAtNs() {
        return (long) LONGS.getAcquire(buffer, OFFSET_STOPPED_AT);
    }

    /** The start of the last process if it did not stop: it runs, or was killed. Null if it stopped, or if there was none. */
    public @Nullable Instant unstoppedSince() {
        return startedAtNs() == 0 || stoppedAtNs() != 0 ? null : Instant.ofEpochSecond(0, startedAtNs());
    }

    /** Stores that the process is alive. Called once per second, so that other processes know since when it is not. */
    public void noteAlive() {
        LONGS.setRelease(buffer, OFFSET_ALIVE_AT, System.currentTimeMillis());
    }

    /** The last sign of life of the last process, about one second exact; null if none is stored. */
    public @Nullable Instant aliveAt() {
        long epochMs = (long) LONGS.getAcquire(buffer, OFFSET_ALIVE_AT);
        return epochMs * 1_000_000 <= startedAtNs() ? null : Instant.ofEpochMilli(epochMs);
    }

    /** The value of a counter at the start of the last process. */
    long atStart(Counter counter) {
        return (long) LONGS.getAcquire(buffer, OFFSET_AT_START + counter.id() * Long.BYTES);
    }

    /** The values of the host's counters at the start. */
    HostCounters hostAtStart() {
        return readHost(OFFSET_HOST_AT_START);
    }

    /** The values of the host's counters at the stop. */
    HostCounters hostAtStop() {
        return readHost(OFFSET_HOST_AT_STOP);
    }

    private void writeHost(int offset, HostCounters host) {
        for (HostCounter counter : HostCounter.values()) {
            Long value = host.get(counter);
            LONGS.setRelease(buffer, offset + counter.id() * Long.BYTES, value == null ? UNAVAILABLE : value);
        }
        // Room for host counters of later versions.
        for (int id = HostCounter.values().length; id < HOST_CELLS; id++) {
            LONGS.setRelease(buffer, offset + id * Long.BYTES, UNAVAILABLE);
        }
    }

    private HostCounters readHost(int offset) {
        Map<HostCounter, Long> values = new EnumMap<>(HostCounter.class);
        for (HostCounter counter : HostCounter.values()) {
            long value = (long) LONGS.getAcquire(buffer, offset + counter.id() * Long.BYTES);
            if (value != UNAVAILABLE) {
                values.put(counter, value);
            }
        }
        return HostCounters.of(values);
    }

    /** Syncs the counters to the disk. */
    public void sync() {
        Disk.of(file).sync(file, buffer, 0, buffer.capacity());
    }

    /** The sum of a counter over all shards. */
    public long sum(Counter counter) {
        long sum = 0;
        for (ShardCells shard : shards) {
            sum += shard.get(counter);
        }
        return sum;
    }
}
