package io.millrace.journal.write;

import io.millrace.agent.FailureLog;
import io.millrace.journal.JournalPaths;
import io.millrace.journal.file.FirstBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** The files of one shard, with a cache of the header of each file's first batch. One thread. */
final class ShardFiles {
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
    private final Map<Path, FirstBatch> known = new HashMap<>();
    private List<JournalFile> files = List.of();

    ShardFiles(Path directory, long journalId) {
        this.directory = directory;
        this.journalId = journalId;
    }

    /** Lists the files again. */
    void refresh() throws IOException {
        List<JournalFile> found = new ArrayList<>();
        for (Path path : JournalPaths.files(directory)) {
            try {
                found.add(new JournalFile(path, Files.size(path), first(path)));
            } catch (NoSuchFileException e) {
                // Deleted by somebody else: ignore it.
                known.remove(path);
            }
        }
        files = found;
    }

    private @Nullable FirstBatch first(Path path) throws IOException {
        FirstBatch first = known.get(path);
        if (first == null) {
            try {
                first = FirstBatch.find(path, journalId);
            } catch (NoSuchFileException e) {
                throw e;
            } catch (IOException e) {
                // Other files can still be deleted, and this one once the first batch of the next file is known.
                failures.report("Retention: cannot read " + path, e);
            }
            if (first != null) {
                known.put(path, first);
            }
        }
        return first;
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
        Files.deleteIfExists(oldest.path());
        known.remove(oldest.path());
        files = files.subList(1, files.size());
    }
}
