package io.millrace.internal.journal;

import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.disk.Disk;
import io.millrace.internal.disk.DiskFile;
import io.millrace.internal.linux.DirectoryLock;
import io.millrace.journal.JournalMeta;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A data directory that this process has locked: its locks, its {@code meta.json}, and the paths in it. The kernel
 * releases the locks when the process ends in any way, so there are no stale locks. One thread.
 *
 * <p>There are two locks. The file {@code LOCK} holds the process id of the owner; earlier versions know only this
 * lock. But a lock file can be removed, and then a second process can lock a new file of that name. The lock on the
 * directory itself cannot be removed.
 */
public final class DataDirectory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);
    private static final int PID_BYTES = 32;
    private static final String LOCK = "LOCK";

    /**
     * The directories that this process holds. A process that closes any channel of a file loses all its locks on that
     * file. So a second attempt must not even open the lock file.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path root;
    private final Path held;
    private final DiskFile lockFile;
    private final FileLock lock;
    private final DirectoryLock directoryLock;
    private JournalMeta meta;
    private JournalMeta savedMeta;
    private boolean hostFailed;
    private long host;

    private DataDirectory(
            Path root, Path held, DiskFile lockFile, FileLock lock, DirectoryLock directoryLock, JournalMeta meta) {
        this.root = root;
        this.held = held;
        this.lockFile = lockFile;
        this.lock = lock;
        this.directoryLock = directoryLock;
        this.meta = meta;
        this.savedMeta = meta;
    }

    /**
     * Creates the directory if it does not exist, and locks it.
     *
     * @throws IOException if another process holds it, or it cannot be written; the message names the directory and the
     *     remedy
     */
    public static DataDirectory open(Path root) throws IOException {
        if (Disk.of(root).exists(root) && !Disk.of(root).isDirectory(root)) {
            throw new IOException("data directory " + root + " is a file; choose another with --data");
        }
        try {
            if (!Disk.of(root).exists(root)) {
                create(root);
            }
            Path held = root.toRealPath();
            if (!HELD.add(held)) {
                throw inUse(root, Long.toString(ProcessHandle.current().pid()));
            }
            try {
                return open(root, held);
            } catch (IOException | RuntimeException e) {
                HELD.remove(held);
                throw e;
            }
        } catch (AccessDeniedException e) {
            throw new IOException(
                    "data directory " + root + " cannot be written by user " + System.getProperty("user.name")
                            + ": no permission for " + e.getFile() + "; give it to that user or choose another with"
                            + " --data",
                    e);
        } catch (FileAlreadyExistsException e) {
            throw new IOException("data directory " + root + " cannot be created: " + e.getFile() + " is a file", e);
        } catch (NoSuchFileException e) {
            boolean isCreated = Disk.of(root).exists(root);
            throw new IOException(
                    "data directory " + root
                            + (isCreated
                                    ? " cannot be opened: " + e.getFile() + " is gone"
                                    : " cannot be created there; choose another with --data"),
                    e);
        } catch (FileSystemException e) {
            throw new IOException(
                    "data directory " + root + " cannot be used: " + (e.getReason() == null ? e : e.getMessage()), e);
        }
    }

    private static DataDirectory open(Path root, Path held) throws IOException {
        DirectoryLock directoryLock = DirectoryLock.tryLock(held);
        if (directoryLock == null) {
            String owner = lockOwner(root);
            throw inUse(root, owner == null ? "unknown: its LOCK file was removed" : owner);
        }
        try {
            return open(root, held, directoryLock);
        } catch (IOException | RuntimeException e) {
            directoryLock.close();
            throw e;
        }
    }

    private static DataDirectory open(Path root, Path held, DirectoryLock directoryLock) throws IOException {
        DiskFile lockFile = Disk.of(root)
                .open(
                        root.resolve(LOCK),
                        Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                        PrivateFiles.FILE);
        try {
            FileLock lock = lock(root, lockFile);
            JournalSwap.finish(root);
            PrivateFiles.narrowAll(root);
            Disk.of(root).createDirectories(JournalPaths.journalPath(root), PrivateFiles.DIRECTORY);
            Disk.of(root).createDirectories(root.resolve("positions"), PrivateFiles.DIRECTORY);
            return new DataDirectory(
                    root, held, lockFile, lock, directoryLock, MetaFile.loadOrCreate(JournalPaths.metaPath(root)));
        } catch (IOException | RuntimeException e) {
            lockFile.close();
            throw e;
        }
    }

    /**
     * Returns the process id of the process that holds a data directory. Takes no lock, so a process that starts meanwhile gets it.
     *
     * @return null if no process holds it, or it does not exist
     * @throws IOException if the lock file cannot be read; the message says why
     */
    public static @Nullable String owner(Path root) throws IOException {
        if (isHeldHere(root)) {
            return Long.toString(ProcessHandle.current().pid());
        }
        return lockOwner(root);
    }

    /** True if this process holds a data directory. */
    public static boolean isHeldHere(Path root) throws IOException {
        return Disk.of(root).exists(root) && HELD.contains(root.toRealPath());
    }

    private static @Nullable String lockOwner(Path root) throws IOException {
        Path path = root.resolve(LOCK);
        if (!Disk.of(path).exists(path)) {
            return null;
        }
        try (DiskFile lockFile = Disk.of(path).open(path, StandardOpenOption.READ)) {
            return Disk.of(path).isLockedByOther(path) ? owner(lockFile) : null;
        } catch (AccessDeniedException e) {
            throw new IOException(
                    "no permission for " + e.getFile() + ": run it as the owner of the data directory " + root, e);
        }
    }

    private static IOException inUse(Path root, String process) {
        return new IOException("data directory " + root + " is in use by another Millrace (process " + process
                + "); stop that one, or choose another directory with --data");
    }

    /** Creates a data directory that other users cannot access. Parent directories get the default mode. */
    public static void create(Path root) throws IOException {
        Path parent = root.toAbsolutePath().getParent();
        if (parent != null) {
            Disk.of(parent).createDirectories(parent);
        }
        Disk.of(root).createDirectory(root, PrivateFiles.DIRECTORY);
    }

    private static FileLock lock(Path root, DiskFile lockFile) throws IOException {
        FileLock lock = tryLock(lockFile);
        if (lock == null) {
            throw inUse(root, owner(lockFile));
        }
        lockFile.truncate(0);
        lockFile.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)), 0);
        return lock;
    }

    private static @Nullable FileLock tryLock(DiskFile lockFile) throws IOException {
        try {
            return lockFile.tryLock();
        } catch (OverlappingFileLockException heldByThisProcess) {
            return null;
        }
    }

    private static String owner(DiskFile lockFile) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(PID_BYTES);
        lockFile.read(text, 0);
        String pid = new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII).trim();
        return pid.isEmpty() ? "unknown" : pid;
    }

    public Path root() {
        return root;
    }

    /** The content of {@code meta.json}. */
    public JournalMeta meta() {
        return meta;
    }

    /**
     * Assigns an id to each input: its existing one, or the next unused one. {@link #saveMeta()} writes them to disk.
     *
     * @param names the names of the inputs
     * @param shards the number of shards in this run
     * @return the ids, in the order of the names
     */
    public List<Integer> register(List<String> names, int shards) throws IOException {
        meta = MetaFile.with(meta, names, shards);
        return names.stream().map(meta.inputs()::indexOf).toList();
    }

    /** Writes {@code meta.json} if it has changed, before the first datagram of a new input or shard is journaled. */
    public void saveMeta() throws IOException {
        if (!meta.equals(savedMeta)) {
            MetaFile.save(meta, JournalPaths.metaPath(root));
            savedMeta = meta;
        }
    }

    /**
     * Opens the counters for writing. A damaged file is renamed first, and new counters start with the end of the
     * journal.
     *
     * @throws IOException if the file cannot be written, or belongs to another journal
     */
    public CounterFile openCounters() throws IOException {
        quarantineDamagedCounters();
        CounterFile counters = CounterFile.open(countersFile(), meta.journalId(), meta.shards());
        host = Disk.of(root).host(root);
        hostFailed = counters.hasHostFailed(host);
        return counters;
    }

    /** The host of this process: see {@link Disk#host}. After {@link #openCounters}. */
    public long host() {
        return host;
    }

    /**
     * True if the host of the last process failed, or its power: what was not synced may be gone, and the shard is not recovered from
     * that yet. After {@link #openCounters}.
     */
    public boolean hasHostFailed(ShardCells shard) {
        return hostFailed && shard.recoveredOn() != host;
    }

    /** Stores on which host this process runs, once the losses of the last one are accounted for. */
    public void noteHost(CounterFile counters) {
        counters.noteHost(host);
    }

    /** Renames the counters file if its values are impossible, so that nothing relies on them. */
    public void quarantineDamagedCounters() throws IOException {
        String damage = damageOfCounters(root);
        if (damage != null) {
            Path kept = Quarantine.keep(countersFile());
            LOG.error(
                    "{} is damaged: {}. It was renamed to {}; new counters start with the end of the journal",
                    countersFile(),
                    damage,
                    kept.getFileName());
        }
    }

    /** The damage of the counters file as a message; null if it is not damaged or does not exist. */
    static @Nullable String damageOfCounters(Path root) {
        try {
            return CounterFile.openReadOnly(JournalPaths.countersFile(root)).damage();
        } catch (IOException e) {
            // Missing, incomplete, or not a counters file: opening it reports that.
            return null;
        }
    }

    public Path countersFile() {
        return JournalPaths.countersFile(root);
    }

    /** The path of the file with the last counted drops of sockets that outlive a process. */
    public Path socketsFile() {
        return root.resolve("sockets");
    }

    /** Releases the locks. */
    @Override
    public void close() throws IOException {
        if (lockFile.isOpen()) {
            lock.release();
            lockFile.close();
            directoryLock.close();
            HELD.remove(held);
        }
    }
}
