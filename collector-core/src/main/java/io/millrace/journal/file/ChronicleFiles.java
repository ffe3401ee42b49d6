package io.millrace.journal.file;

import io.millrace.journal.JournalPaths;
import io.millrace.journal.PrivateFiles;
import io.millrace.journal.WriterSettings;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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

/** How we use Chronicle Queue: its settings, its files, its lock. */
public final class ChronicleFiles {
    private static final Logger LOG = LoggerFactory.getLogger(ChronicleFiles.class);

    public static final String METADATA = "metadata.cq4t";
    /** Chronicle's name for the cycle before which it need not see to end marks any more. */
    private static final String ENDS_MARKED_TO = "normalisedEOFsTo";
    /** The cycle of the first file a shard ever has. */
    public static final long FIRST_CYCLE = 1;

    private static final int DATE_LENGTH = "19700102".length();
    private static final List<String> LOCKS = List.of("chronicle.write.lock", TableStoreWriteLock.APPEND_LOCK_KEY);

    private static final RollCycles ROLL_CYCLE = RollCycles.FAST_DAILY;
    private static final DateTimeFormatter FILE_NAME = DateTimeFormatter.ofPattern(ROLL_CYCLE.format(), Locale.ROOT);

    static {
        // Chronicle reads these when its first class is loaded. What a user has set stays.
        setIfAbsent("chronicle.analytics.disable", "true");
        setIfAbsent("chronicle.announcer.disable", "true");
        setIfAbsent("chronicle.disk.monitor.disable", "true");
        SingleChronicleQueueBuilder.addAliases();
    }

    private ChronicleFiles() {}

    /**
     * Has Chronicle register its shutdown hook. While the JVM ends it cannot: a journal that is opened as a signal comes would fail
     * for that. Any thread.
     */
    public static void prepareForShutdown() {
        boolean unused = BackgroundResourceReleaser.isOnBackgroundResourceReleaserThread();
    }

    private static void setIfAbsent(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    /** Opens a shard's queue to append to. The caller holds the data directory. */
    public static SingleChronicleQueue openForWriting(Path shard, long blockBytes, TimeProvider clock)
            throws IOException {
        Files.createDirectories(shard, PrivateFiles.DIRECTORY);
        Path metadata = shard.resolve(METADATA);
        if (Files.exists(metadata)) {
            ZeroPages.fillAll(metadata);
        }
        unlock(shard);
        SingleChronicleQueue queue = SingleChronicleQueueBuilder.binary(shard)
                .rollCycle(ROLL_CYCLE)
                .blockSize(blockBytes)
                .timeProvider(clock)
                .build();
        try {
            // Chronicle makes it with the rights that the umask leaves; there is nothing of a datagram in it.
            PrivateFiles.narrow(metadata);
            // It is small, and nobody else has it open: it gets its blocks before the first append needs them.
            ZeroPages.fillAll(metadata);
            return queue;
        } catch (IOException e) {
            queue.close();
            throw e;
        }
    }

    /**
     * Makes what appends to a queue, which is closed if that fails. The newest file and the one before were checked.
     *
     * @throws IOException if Chronicle does not get along with what it finds
     */
    public static ExcerptAppender appender(SingleChronicleQueue queue, Path shard) throws IOException {
        try {
            if (queue.lastCycle() >= FIRST_CYCLE) {
                // Else it opens each file there is, and writes to one whose end it does not find.
                queue.tableStorePut(ENDS_MARKED_TO, queue.lastCycle());
            }
            return queue.createAppender();
        } catch (RuntimeException | AssertionError e) {
            queue.close();
            throw new IOException(
                    shard + " cannot be appended to: " + e + "; if 'millrace journal verify' finds something damaged,"
                            + " 'millrace journal repair' keeps what is whole",
                    e);
        }
    }

    /**
     * Chronicle's own write lock holds a process id. After a kill in mid-append it stays, and where the next process has
     * the same id, as in a container, it would never be given free. Our own lock says that the holder is gone.
     */
    private static void unlock(Path shard) throws IOException {
        File metadata = shard.resolve(METADATA).toFile();
        List<Path> files = JournalPaths.files(shard);
        if (files.isEmpty()) {
            // Nothing was ever appended. The file may be half made, by a process that was killed at its first start.
            Files.deleteIfExists(metadata.toPath());
            return;
        }
        if (!metadata.exists()) {
            return; // The queue makes it again.
        }
        if (!MetadataCheck.isRight(metadata.toPath(), files)) {
            LOG.warn("{} is damaged, or does not fit the files beside it: it is made again", metadata);
            Files.delete(metadata.toPath());
            return;
        }
        try (TableStore<?> store = SingleTableBuilder.binary(metadata, Metadata.NoMeta.INSTANCE)
                .readOnly(false)
                .build()) {
            for (String lock : LOCKS) {
                try (LongValue holder = store.acquireValueFor(lock)) {
                    holder.setVolatileValue(AbstractTSQueueLock.UNLOCKED);
                }
            }
        }
    }

    /** Notes in Chronicle's own file which files a shard has, after they were put there. */
    public static void list(Path shard, long lastCycle) throws IOException {
        Files.deleteIfExists(shard.resolve(METADATA));
        try (SingleChronicleQueue queue =
                openForWriting(shard, WriterSettings.DEFAULT.blockBytes(), new RollClock(lastCycle))) {
            queue.refreshDirectoryListing();
            queue.createAppender().close();
        }
    }

    /** Marks a file's end, as Chronicle does when it begins the next: readers then go on there. */
    public static void markEnd(Path file) throws IOException {
        ByteBuffer mark = ByteBuffer.allocate(2 * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        mark.putInt(ChronicleBytes.END_OF_DATA).put((byte) 0xc3).put("EOF".getBytes(StandardCharsets.US_ASCII));
        try (FileWindow window = new FileWindow(file);
                FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
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

    /** True if a file has another name too, so that deleting this one frees nothing; false where that cannot be known. */
    public static boolean isShared(Path file) {
        try {
            return Files.getAttribute(file, "unix:nlink") instanceof Integer links && links > 1;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return false;
        }
    }

    /** Has on disk what a shard needs to be found, before anything is appended that has to be found. */
    public static void force(Path dataDirectory, Path shard) throws IOException {
        JournalPaths.sync(shard.resolve(METADATA));
        JournalPaths.sync(shard);
        JournalPaths.sync(JournalPaths.journalPath(dataDirectory));
        JournalPaths.sync(dataDirectory);
    }

    /** The file of a cycle, by the name that Chronicle gives it: a day since 1970. */
    public static Path file(Path shard, long cycle) {
        return shard.resolve(nameOf(cycle));
    }

    /** The cycle of a file, by its name: the days since 1970-01-01; -1 if it is not a name that Chronicle gives. */
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

    /** The name of the file of a cycle. */
    public static String nameOf(long cycle) {
        return FILE_NAME.format(LocalDate.ofEpochDay(cycle)) + JournalPaths.SUFFIX;
    }

    /** Chronicle's "time" of a cycle, in ms. */
    static long millisOfCycle(long cycle) {
        return cycle * ROLL_CYCLE.lengthInMillis();
    }
}
