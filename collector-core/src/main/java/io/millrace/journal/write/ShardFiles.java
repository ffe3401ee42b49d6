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

/** The files of one shard, and what the first batch of each says, which is read once. One thread. */
final class ShardFiles {
    private final FailureLog failures = new FailureLog(LoggerFactory.getLogger(ShardFiles.class));
    /**
     * A file, of which nothing more than its beginning is looked at: where the next begins, this one ends.
     *
     * @param path the file
     * @param bytes its length
     * @param first its first batch; null if there is none, or none that is good
     */
    record JournalFile(Path path, long bytes, @Nullable FirstBatch first) {}

    /**
     * A file that may be deleted: it is not the newest.
     *
     * @param path the file
     * @param bytes its length
     * @param firstSequence its first datagram, as far as that is known
     * @param endSequence the first datagram behind it
     * @param beginNs about when its first datagram was received, in ns since the epoch
     * @param endNs about when the first behind it was
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

    /** Looks again. */
    void look() throws IOException {
        List<JournalFile> found = new ArrayList<>();
        for (Path path : JournalPaths.files(directory)) {
            try {
                found.add(new JournalFile(path, Files.size(path), first(path)));
            } catch (NoSuchFileException e) {
                // Somebody else has deleted it: nothing is to be done about it.
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
                // The others can still go; this one when it is known where the next begins.
                failures.report("Retention: " + path + " cannot be read", e);
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

    /** Bytes of all files. */
    long bytes() {
        return files.stream().mapToLong(JournalFile::bytes).sum();
    }

    /** When the oldest datagram was received, in ns since the epoch; null if there is none. */
    @Nullable
    Long oldestNs() {
        return files.stream()
                .map(JournalFile::first)
                .filter(first -> first != null)
                .findFirst()
                .map(FirstBatch::minTimeNs)
                .orElse(null);
    }

    /** The oldest file, if it is known where it ends: a later one has begun. Null if nothing may be deleted. */
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

    /** Deletes the oldest file: its name goes, and its bytes once nobody has it open any more. */
    void deleteOldest() throws IOException {
        JournalFile oldest = files.get(0);
        Files.deleteIfExists(oldest.path());
        known.remove(oldest.path());
        files = files.subList(1, files.size());
    }
}
