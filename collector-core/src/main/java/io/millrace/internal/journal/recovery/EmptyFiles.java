package io.millrace.internal.journal.recovery;

import io.millrace.internal.disk.Disk;
import io.millrace.internal.disk.DiskFile;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.Quarantine;
import io.millrace.internal.journal.file.ChronicleBytes;
import io.millrace.internal.journal.read.ShardReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removal of journal files without batches, before Chronicle opens a shard: Chronicle would wait ten seconds for
 * another process to write their header. A file that a killed process was creating is deleted. Any other file has lost
 * its content and goes into {@link Quarantine}. The caller holds the data directory.
 */
public final class EmptyFiles {
    private static final Logger LOG = LoggerFactory.getLogger(EmptyFiles.class);

    private EmptyFiles() {}

    /**
     * Removes the files whose header is incomplete.
     *
     * @param journaled the number of journaled datagrams of the shard, according to counters and outputs
     * @throws IOException if the newest file is damaged and holds batches; the message names the file and the remedy
     */
    public static void removeFrom(Path shard, long journaled) throws IOException {
        for (Path file : JournalPaths.files(shard)) {
            if (!hasHeader(file)) {
                removeIfEmpty(file, journaled);
            }
        }
    }

    private static boolean hasHeader(Path file) throws IOException {
        ByteBuffer word = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try (DiskFile channel = Disk.of(file).open(file, StandardOpenOption.READ)) {
            channel.read(word, 0);
        }
        int header = word.getInt(0);
        return header != 0 && !ChronicleBytes.isUnfinished(header);
    }

    private static void removeIfEmpty(Path file, long journaled) throws IOException {
        if (!ShardScan.mayHoldBatches(file)) {
            remove(file, journaled);
        } else if (isNewest(file)) {
            throw new IOException(file + " is damaged at its beginning, and there are batches after the damage:"
                    + " 'millrace journal repair' keeps them");
        } else {
            // Nothing is appended to this file, so receiving can start. Readers of the file will report the damage.
            LOG.warn(
                    "{} is damaged at its beginning, and there are batches after the damage: 'millrace journal repair'"
                            + " keeps them",
                    file);
        }
    }

    /**
     * Removes a file that holds no batch.
     *
     * @param journaled the number of journaled datagrams of the shard, according to counters and outputs
     */
    static void remove(Path file, long journaled) throws IOException {
        if (isUnfinished(file, journaled)) {
            Disk.of(file).delete(file);
            return;
        }
        Path kept = Quarantine.keep(file);
        LOG.error(
                "{} has no batches any more: it was truncated or damaged. It was renamed to {}. 'millrace journal"
                        + " verify' lists the missing datagrams",
                file,
                kept.getFileName());
    }

    /**
     * True if a process was killed while it created the file. Then it is the newest file, and all datagrams are in
     * earlier files. Its length is not 0, because a new file gets its first blocks before its name.
     */
    private static boolean isUnfinished(Path file, long journaled) throws IOException {
        List<Path> files = JournalPaths.files(file.resolveSibling(""));
        List<Path> before = files.subList(0, files.indexOf(file));
        return isNewest(file) && Disk.of(file).size(file) > 0 && ShardReader.endSequence(before) >= journaled;
    }

    private static boolean isNewest(Path file) throws IOException {
        return file.equals(JournalPaths.last(file.resolveSibling("")));
    }
}
