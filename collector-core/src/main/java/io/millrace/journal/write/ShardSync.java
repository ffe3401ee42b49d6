package io.millrace.journal.write;

import io.millrace.journal.JournalPaths;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what was appended to a shard through to the disk: {@code force} on a channel of the file, which on Linux takes
 * mapped pages with it; also of the files before, if they were appended to since; and of the directory, if it has a new
 * file. One thread begins files, one syncs; both may be the same.
 */
final class ShardSync implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ShardSync.class);

    private final Path directory;
    private final List<FileChannel> files = new ArrayList<>();
    private boolean directoryIsNew;
    private volatile @Nullable String problem;

    ShardSync(Path directory) {
        this.directory = directory;
    }

    /** Takes note of a file that something was appended to. */
    synchronized void began(Path file) {
        directoryIsNew = true;
        try {
            files.add(FileChannel.open(file, StandardOpenOption.WRITE));
        } catch (IOException e) {
            // The append itself was good: it must not be made again for this.
            problem = file + " cannot be opened to be synced: " + e.getMessage();
        }
    }

    /**
     * What was appended before this call is on disk after it.
     *
     * @throws IOException if the disk did not take it, now or earlier. The kernel tells that once, and drops what it could
     *     not write: to try again and succeed would say nothing
     */
    void sync() throws IOException {
        List<FileChannel> now;
        boolean withDirectory;
        synchronized (this) {
            now = List.copyOf(files);
            withDirectory = directoryIsNew;
            directoryIsNew = false;
        }
        if (problem != null) {
            throw new IOException(problem);
        }
        try {
            for (FileChannel file : now) {
                file.force(false);
            }
            if (withDirectory) {
                JournalPaths.sync(directory);
            }
        } catch (IOException e) {
            problem = "the disk did not take what was written to " + directory + " (" + e.getMessage()
                    + "): see to the disk, verify the journal, and start again";
            throw new IOException(problem, e);
        }
        dropAllBut(now);
    }

    /** All files but the newest have ended: nothing is appended to them any more. */
    private synchronized void dropAllBut(List<FileChannel> synced) throws IOException {
        for (int i = 0; i + 1 < synced.size(); i++) {
            files.remove(synced.get(i));
            synced.get(i).close();
        }
    }

    /**
     * Has files on disk, mapped pages included, and the directory.
     *
     * @param first the first of the files; null for all there are
     * @throws IOException if the disk did not take it, now or earlier
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

    /** Why what was appended may not be on disk; null if nothing is known against it. Any thread. */
    @Nullable
    String problem() {
        return problem;
    }

    @Override
    public synchronized void close() throws IOException {
        for (FileChannel file : files) {
            file.close();
        }
        files.clear();
    }
}
