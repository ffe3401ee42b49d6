package io.millrace.journal.recovery;

import io.millrace.journal.JournalPaths;
import io.millrace.journal.Quarantine;
import io.millrace.journal.file.ChronicleBytes;
import io.millrace.journal.read.ShardReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes journal files that hold no batch before Chronicle opens a shard: Chronicle would wait ten seconds for whoever writes their
 * header. A file that a killed process had only begun is deleted. Any other one has lost what was in it: it is kept in {@link Quarantine}.
 * The caller holds the data directory.
 */
public final class EmptyFiles {
    private static final Logger LOG = LoggerFactory.getLogger(EmptyFiles.class);

    private EmptyFiles() {}

    /**
     * Removes the files whose header was never completed.
     *
     * @param journaled how many datagrams of the shard were journaled, as counters and outputs say
     * @throws IOException if the newest file is damaged and holds batches; the message names it and says what to do
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
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.read(word, 0);
        }
        int header = word.getInt(0);
        return header != 0 && !ChronicleBytes.isUnfinished(header);
    }

    private static void removeIfEmpty(Path file, long journaled) throws IOException {
        if (!ShardScan.mayHoldBatches(file)) {
            remove(file, journaled);
        } else if (isNewest(file)) {
            throw new IOException(file + " is damaged at its beginning, and there are batches behind it: 'millrace"
                    + " journal repair' keeps them");
        } else {
            // Nothing is appended to it. Who reads there is told, and nobody who receives has to wait for that.
            LOG.warn(
                    "{} is damaged at its beginning, and there are batches behind it: 'millrace journal repair' keeps"
                            + " them",
                    file);
        }
    }

    /**
     * Removes a file that holds no batch.
     *
     * @param journaled how many datagrams of the shard were journaled, as counters and outputs say
     */
    static void remove(Path file, long journaled) throws IOException {
        if (isUnfinished(file, journaled)) {
            Files.delete(file);
            return;
        }
        Path kept = Quarantine.keep(file);
        LOG.error(
                "{} holds no batch any more: it was truncated or damaged. It is kept as {}. 'millrace journal verify' lists the"
                        + " datagrams that are missing",
                file,
                kept.getFileName());
    }

    /**
     * True if a process was killed while it made the file. It is the newest then, and all datagrams are in the files before it. It is
     * not empty either: a new file has its first blocks before it gets its name.
     */
    private static boolean isUnfinished(Path file, long journaled) throws IOException {
        List<Path> files = JournalPaths.files(file.resolveSibling(""));
        List<Path> before = files.subList(0, files.indexOf(file));
        return isNewest(file) && Files.size(file) > 0 && ShardReader.endSequence(before) >= journaled;
    }

    private static boolean isNewest(Path file) throws IOException {
        return file.equals(JournalPaths.last(file.resolveSibling("")));
    }
}
