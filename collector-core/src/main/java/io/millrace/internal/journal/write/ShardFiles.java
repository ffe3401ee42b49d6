package io.millrace.internal.journal.write;

import io.millrace.internal.agent.FailureLog;
import io.millrace.internal.disk.Disk;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.file.FirstBatch;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** The files of one shard. The length and first batch of a file are read again only while it is new, also if it is damaged. One thread. */
final class ShardFiles {
    private static final FileTime NEVER = FileTime.fromMillis(-1);
    private static final long SETTLED_MS = 1000;
    /** The newest files of a shard: the writer's, and the one it may still close. */
    private static final int GROWING = 2;

    private final FailureLog failures = new FailureLog(LoggerFactory.getLogger(ShardFiles.class));
    /**
     * A file and its first batch. The first batch of the next file tells where this file ends.
     *
     * @param path the path of the file
     * @param bytes the length of the file
     * @param first the first batch; null if there is no valid one
     */
    record JournalFile(Path path, long bytes, @Nullable FirstBatch first) {}

    /**
     * A closed file: not the newest, so retention may delete it.
     *
     * @param path the path of the file
     * @param bytes the length of the file
     * @param firstSequence its first datagram, or {@code endSequence} if that is unknown
     * @param endSequence the first datagram of the next file
     * @param beginNs the approximate receive time of its first datagram, in ns since the epoch
     * @param endNs the approximate receive time of the first datagram of the next file
     */
    record Closed(Path path, long bytes, long firstSequence, long endSequence, long beginNs, long endNs) {}

    private final Path directory;
    private final long journalId;
    private List<JournalFile> files = new ArrayList<>();
    /** When the directory was modified before it was listed; {@link #NEVER} if it must be listed again. */
    private FileTime listed = NEVER;

    ShardFiles(Path directory, long journalId) {
        this.directory = directory;
        this.journalId = journalId;
    }

    /** Looks what has changed. It lists the directory only if files were added or removed since. */
    void refresh() throws IOException {
        FileTime modified = modified();
        if (!modified.equals(listed)) {
            list();
        }
        // The file system's clock ticks every few milliseconds, so a later change may leave the time of a young one.
        listed = modified.toMillis() < System.currentTimeMillis() - SETTLED_MS ? modified : NEVER;
        for (int i = files.size() - 1; i >= settled(); i--) {
            JournalFile file = measure(files.get(i).path(), files.get(i).first());
            if (file == null) {
                files.remove(i);
            } else {
                files.set(i, file);
            }
        }
    }

    private FileTime modified() throws IOException {
        try {
            return Disk.of(directory).modified(directory);
        } catch (NoSuchFileException e) {
            return NEVER;
        }
    }

    private void list() throws IOException {
        Map<Path, JournalFile> known = new HashMap<>();
        files.subList(0, settled()).forEach(file -> known.put(file.path(), file));
        List<JournalFile> found = new ArrayList<>();
        for (Path path : JournalPaths.files(directory)) {
            JournalFile file = known.get(path);
            if (file == null) {
                file = measure(path, null);
            }
            if (file != null) {
                found.add(file);
            }
        }
        files = found;
    }

    /** How many files have their final length. */
    private int settled() {
        return Math.max(0, files.size() - GROWING);
    }

    /** A file as it is now; null if somebody else has deleted it. */
    private @Nullable JournalFile measure(Path path, @Nullable FirstBatch first) throws IOException {
        try {
            return new JournalFile(path, Disk.of(path).size(path), first == null ? first(path) : first);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private @Nullable FirstBatch first(Path path) throws IOException {
        try {
            return FirstBatch.find(path, journalId);
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException e) {
            // Other files can still be deleted, and this one once the first batch of the next file is known.
            failures.report("Retention: cannot read " + path, e);
            return null;
        }
    }

    /** All files, oldest first. */
    List<JournalFile> files() {
        return files;
    }

    /** The total length of all files. */
    long bytes() {
        return files.stream().mapToLong(JournalFile::bytes).sum();
    }

    /** The receive time of the oldest datagram, in ns since the epoch; null if there is none. */
    @Nullable
    Long oldestNs() {
        return files.stream()
                .map(JournalFile::first)
                .filter(first -> first != null)
                .findFirst()
                .map(FirstBatch::minTimeNs)
                .orElse(null);
    }

    /** The oldest file, if a later file exists and tells where this one ends; otherwise null. */
    @Nullable
    Closed oldest() {
        if (files.isEmpty()) {
            return null;
        }
        JournalFile oldest = files.get(0);
        for (JournalFile next : files.subList(1, files.size())) {
            FirstBatch end = next.first();
            if (end != null) {
                FirstBatch begin = oldest.first();
                return new Closed(
                        oldest.path(),
                        oldest.bytes(),
                        begin == null ? end.firstSequence() : begin.firstSequence(),
                        end.firstSequence(),
                        begin == null ? end.minTimeNs() : begin.minTimeNs(),
                        end.minTimeNs());
            }
        }
        return null;
    }

    /** Deletes the oldest file. Its space is free once no process has it open. */
    void deleteOldest() throws IOException {
        JournalFile oldest = files.get(0);
        Disk.of(oldest.path()).deleteIfExists(oldest.path());
        files.remove(0);
    }
}
