package io.millrace.internal.journal.write;

import io.millrace.internal.disk.Disk;
import io.millrace.internal.disk.DiskFile;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.file.ChronicleFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Syncs a shard to disk with {@code force} on a channel of the current file, which on Linux includes mapped pages. It
 * also syncs earlier files that were appended to since the last sync, and the directory if it has a new file. One
 * thread adds files, one syncs; both may be the same.
 */
final class ShardSync implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(ShardSync.class);

    private final Path directory;
    private final List<DiskFile> files = new ArrayList<>();
    /** Those that could not be opened yet. */
    private final List<Path> unopened = new ArrayList<>();

    private boolean directoryIsNew;
    private long newestCycle;
    private volatile @Nullable String problem;
    /** Why the last sync did not begin; null if it did. */
    private volatile @Nullable String trouble;

    ShardSync(Path directory) {
        this.directory = directory;
    }

    /** Adds a file after the first append to it. */
    synchronized void began(Path file) {
        directoryIsNew = true;
        newestCycle = ChronicleFiles.cycleOf(file);
        unopened.add(file);
        try {
            openAll();
        } catch (IOException e) {
            // Do not throw: the append succeeded and must not be repeated. The next sync tries it again.
            LOG.debug("Cannot open {} for syncing yet", file, e);
        }
    }

    private synchronized void openAll() throws IOException {
        while (!unopened.isEmpty()) {
            Path next = unopened.get(0);
            try {
                files.add(Disk.of(next).open(next, StandardOpenOption.WRITE));
            } catch (NoSuchFileException e) {
                if (unopened.size() == 1) {
                    throw e;
                }
                LOG.debug("{} was deleted by retention meanwhile", next);
            }
            unopened.remove(0);
        }
    }

    /**
     * Syncs everything that was appended before this call.
     *
     * @return the cycle of the newest file then
     * @throws FileSystemException if a file or the directory cannot be opened, because there is no descriptor or no such name; the
     *     next sync tries it again
     * @throws IOException if the disk reported an error, now or earlier. The kernel reports a write error once and
     *     drops the pages, so a later sync that succeeds proves nothing
     */
    long sync() throws IOException {
        if (problem != null) {
            throw new IOException(problem);
        }
        List<DiskFile> now;
        boolean withDirectory;
        long newest;
        synchronized (this) {
            openToSync();
            newest = newestCycle;
            now = List.copyOf(files);
            withDirectory = directoryIsNew;
            directoryIsNew = false;
        }
        try {
            for (DiskFile file : now) {
                file.sync(false);
            }
            if (withDirectory) {
                JournalPaths.sync(directory);
            }
        } catch (FileSystemException e) {
            // Only opening throws this, and files are open: it is the directory.
            synchronized (this) {
                directoryIsNew = true;
            }
            trouble = "cannot open " + directory + " for syncing: " + e.getMessage();
            throw e;
        } catch (IOException e) {
            problem = "syncing " + directory + " to disk failed (" + e.getMessage()
                    + "): check the disk, verify the journal, and restart";
            throw new IOException(problem, e);
        }
        dropAllBut(now);
        trouble = null;
        return newest;
    }

    private void openToSync() throws IOException {
        try {
            openAll();
        } catch (IOException e) {
            trouble = "cannot open a file for syncing: " + e.getMessage();
            throw e;
        }
    }

    /** Closes all synced files except the newest: nothing is appended to them any more. */
    private synchronized void dropAllBut(List<DiskFile> synced) throws IOException {
        for (int i = 0; i + 1 < synced.size(); i++) {
            files.remove(synced.get(i));
            synced.get(i).close();
        }
    }

    /** Syncs the file of a cycle, and all later ones; all of them if it is 0. */
    void syncFrom(long cycle) throws IOException {
        syncAll(cycle == 0 ? null : ChronicleFiles.file(directory, cycle));
    }

    /**
     * Syncs files to disk, including mapped pages, and the directory.
     *
     * @param first the first file to sync; null for all
     * @throws IOException if the disk reported an error, now or earlier
     */
    void syncAll(@Nullable Path first) throws IOException {
        for (Path file : JournalPaths.files(directory)) {
            if (first == null || file.compareTo(first) >= 0) {
                try {
                    JournalPaths.sync(file);
                } catch (NoSuchFileException e) {
                    LOG.debug("{} was deleted by retention meanwhile", file);
                }
            }
        }
        JournalPaths.sync(directory);
        if (problem != null) {
            throw new IOException(directory + ": " + problem);
        }
    }

    /** The first sync error, or why the last sync did not begin; null if there is none. Any thread. */
    @Nullable
    String problem() {
        String permanent = problem;
        return permanent == null ? trouble : permanent;
    }

    /** True after a sync error: no sync succeeds any more. Any thread. */
    boolean hasFailed() {
        return problem != null;
    }

    @Override
    public synchronized void close() throws IOException {
        for (DiskFile file : files) {
            file.close();
        }
        files.clear();
    }
}
