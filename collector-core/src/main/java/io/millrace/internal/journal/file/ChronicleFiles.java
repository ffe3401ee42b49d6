package io.millrace.internal.journal.file;

import io.millrace.collector.WriterSettings;
import io.millrace.internal.disk.Disk;
import io.millrace.internal.disk.DiskFile;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import net.openhft.chronicle.core.io.BackgroundResourceReleaser;
import net.openhft.chronicle.core.time.TimeProvider;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.TableStore;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.queue.impl.single.TableStoreWriteLock;
import net.openhft.chronicle.queue.impl.table.AbstractTSQueueLock;
import net.openhft.chronicle.queue.impl.table.Metadata;
import net.openhft.chronicle.queue.impl.table.SingleTableBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chronicle Queue as the journal uses it: its settings, its files, and its lock. */
public final class ChronicleFiles {
    private static final Logger LOG = LoggerFactory.getLogger(ChronicleFiles.class);

    public static final String METADATA = "metadata.cq4t";
    /** Chronicle's name for the cycle up to which all files have end marks. */
    private static final String ENDS_MARKED_TO = "normalisedEOFsTo";
    /** The cycle of a shard's first file. */
    public static final long FIRST_CYCLE = 1;

    private static final int DATE_LENGTH = "19700102".length();
    private static final List<String> LOCKS = List.of("chronicle.write.lock", TableStoreWriteLock.APPEND_LOCK_KEY);

    private static final RollCycles ROLL_CYCLE = RollCycles.FAST_DAILY;
    private static final DateTimeFormatter FILE_NAME = DateTimeFormatter.ofPattern(ROLL_CYCLE.format(), Locale.ROOT);

    static {
        // Chronicle reads these when its first class is loaded. Values set by the user take precedence.
        setIfAbsent("chronicle.analytics.disable", "true");
        setIfAbsent("chronicle.announcer.disable", "true");
        setIfAbsent("chronicle.disk.monitor.disable", "true");
        SingleChronicleQueueBuilder.addAliases();
    }

    private ChronicleFiles() {}

    /**
     * Makes Chronicle register its shutdown hook. It cannot do this during JVM shutdown, so opening a journal would
     * fail if a signal arrives at that moment. Any thread.
     */
    public static void prepareForShutdown() {
        boolean unused = BackgroundResourceReleaser.isOnBackgroundResourceReleaserThread();
    }

    private static void setIfAbsent(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    /** Opens a shard's queue for appending. The caller holds the data directory. */
    public static SingleChronicleQueue openForWriting(Path shard, long blockBytes, TimeProvider clock)
            throws IOException {
        JdkAccess.check();
        Disk.of(shard).createDirectories(shard, PrivateFiles.DIRECTORY);
        Path metadata = shard.resolve(METADATA);
        if (Disk.of(metadata).exists(metadata)) {
            ZeroPages.fillAll(metadata);
        }
        unlock(shard);
        SingleChronicleQueue queue = SingleChronicleQueueBuilder.binary(shard)
                .rollCycle(ROLL_CYCLE)
                .blockSize(blockBytes)
                .timeProvider(clock)
                .build();
        try {
            // Chronicle creates it with the permissions of the umask. It contains no datagrams.
            PrivateFiles.narrow(metadata);
            // Allocate its blocks before the first append. It is small, and nothing else has it open.
            ZeroPages.fillAll(metadata);
            return queue;
        } catch (IOException e) {
            queue.close();
            throw e;
        }
    }

    /**
     * Creates the appender of a queue, and closes the queue if that fails. The two newest files must have been checked.
     *
     * @throws IOException if Chronicle rejects the existing files
     */
    public static ExcerptAppender appender(SingleChronicleQueue queue, Path shard) throws IOException {
        try {
            if (queue.lastCycle() >= FIRST_CYCLE) {
                // Otherwise Chronicle opens every file, and writes to those without an end mark.
                queue.tableStorePut(ENDS_MARKED_TO, queue.lastCycle());
            }
            return queue.createAppender();
        } catch (RuntimeException | AssertionError e) {
            queue.close();
            throw new IOException(
                    "cannot append to " + shard + ": " + e + "; run 'millrace journal verify', and if it finds damage,"
                            + " 'millrace journal repair', which keeps all intact batches",
                    e);
        }
    }

    /**
     * Releases Chronicle's write lock, which contains a process id. After a kill during an append it stays locked. If
     * the next process has the same id, as in a container, nothing would release it. The lock of the data directory
     * proves that its holder has ended.
     */
    private static void unlock(Path shard) throws IOException {
        Path metadata = shard.resolve(METADATA);
        List<Path> files = JournalPaths.files(shard);
        if (files.isEmpty()) {
            // Nothing was ever appended. The file may be incomplete, if a process was killed at its first start.
            Disk.of(metadata).deleteIfExists(metadata);
            return;
        }
        if (!Disk.of(metadata).exists(metadata)) {
            return; // The queue creates it.
        }
        if (!MetadataCheck.isValid(metadata, files)) {
            LOG.warn("{} is damaged, or does not match the journal files: it is created again", metadata);
            Disk.of(metadata).delete(metadata);
            return;
        }
        try (TableStore<?> store = SingleTableBuilder.binary(metadata.toFile(), Metadata.NoMeta.INSTANCE)
                .readOnly(false)
                .build()) {
            for (String lock : LOCKS) {
                try (LongValue holder = store.acquireValueFor(lock)) {
                    holder.setVolatileValue(AbstractTSQueueLock.UNLOCKED);
                }
            }
        }
    }

    /** Creates Chronicle's metadata file for the existing files of a shard. */
    public static void list(Path shard, long lastCycle) throws IOException {
        Disk.of(shard).deleteIfExists(shard.resolve(METADATA));
        try (SingleChronicleQueue queue =
                openForWriting(shard, WriterSettings.DEFAULT.blockBytes(), new RollClock(lastCycle))) {
            queue.refreshDirectoryListing();
            queue.createAppender().close();
        }
    }

    /** Writes the end mark of a file, as Chronicle does when it creates the next file. Readers then continue there. */
    public static void markEnd(Path file) throws IOException {
        ByteBuffer mark = ByteBuffer.allocate(2 * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        mark.putInt(ChronicleBytes.END_OF_DATA).put((byte) 0xc3).put("EOF".getBytes(StandardCharsets.US_ASCII));
        try (FileWindow window = new FileWindow(file);
                DiskFile channel = Disk.of(file).open(file, StandardOpenOption.WRITE)) {
            long position = 0;
            int word = window.intAt(position);
            while (ChronicleBytes.isComplete(word)) {
                position = ChronicleBytes.next(position + ChronicleBytes.WORD_BYTES + ChronicleBytes.length(word));
                word = window.intAt(position);
            }
            if (word != ChronicleBytes.END_OF_DATA) {
                channel.write(mark.flip(), position);
            }
        }
    }

    /** True if a file has other hard links, so that deleting it frees nothing; false if that is unknown. */
    public static boolean isShared(Path file) {
        try {
            return Disk.of(file).links(file) > 1;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Syncs the directories and the metadata file of a shard to disk, before the first append that must survive a
     * crash.
     */
    public static void force(Path dataDirectory, Path shard) throws IOException {
        JournalPaths.sync(shard.resolve(METADATA));
        JournalPaths.sync(shard);
        JournalPaths.sync(JournalPaths.journalPath(dataDirectory));
        JournalPaths.sync(dataDirectory);
    }

    /** The path of the file of a cycle. Chronicle names it by a date: the days since 1970-01-01. */
    public static Path file(Path shard, long cycle) {
        return shard.resolve(nameOf(cycle));
    }

    /** The cycle in a file name: the days since 1970-01-01; -1 if it is not a file name of Chronicle. */
    public static long cycleOf(Path file) {
        String name = String.valueOf(file.getFileName());
        try {
            return name.length() == DATE_LENGTH + 1 + JournalPaths.SUFFIX.length() && name.charAt(DATE_LENGTH) == 'F'
                    ? LocalDate.parse(name.substring(0, DATE_LENGTH), DateTimeFormatter.BASIC_ISO_DATE)
                            .toEpochDay()
                    : -1;
        } catch (DateTimeParseException e) {
            return -1;
        }
    }

    public static String nameOf(long cycle) {
        return FILE_NAME.format(LocalDate.ofEpochDay(cycle)) + JournalPaths.SUFFIX;
    }

    /** The time that Chronicle assigns to a cycle, in ms. */
    static long millisOfCycle(long cycle) {
        return cycle * ROLL_CYCLE.lengthInMillis();
    }
}
