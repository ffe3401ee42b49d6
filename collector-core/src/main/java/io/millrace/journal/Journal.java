package io.millrace.journal;

import io.millrace.internal.disk.Disk;
import io.millrace.internal.journal.MetaFile;
import io.millrace.internal.journal.read.ShardReader;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;

/**
 * A journal opened for reading. A collector may write it at the same time. This object holds no open files. Any thread.
 */
public final class Journal {
    private final Path dataDirectory;

    private Journal(Path dataDirectory) {
        this.dataDirectory = dataDirectory;
    }

    /**
     * Opens the journal of a data directory.
     *
     * @throws IOException if the directory has no journal
     */
    public static Journal open(Path dataDirectory) throws IOException {
        if (!Disk.of(dataDirectory).isDirectory(dataDirectory)) {
            throw new IOException("there is no data directory "
                    + dataDirectory.toAbsolutePath().normalize());
        }
        Journal journal = new Journal(dataDirectory);
        try {
            var unused = journal.meta();
        } catch (NoSuchFileException e) {
            throw new IOException(dataDirectory + " is not a Millrace data directory: it has no meta.json", e);
        }
        return journal;
    }

    /** Reads the metadata: the journal's id, its shards, and the names of its inputs. */
    public JournalMeta meta() throws IOException {
        return MetaFile.load(dataDirectory);
    }

    /**
     * Returns the sequence number of the next datagram, by shard.
     *
     * @throws IOException if the journal cannot be read
     */
    public long[] endSequences() throws IOException {
        long[] sequences = new long[meta().shards()];
        for (int shard = 0; shard < sequences.length; shard++) {
            try (ShardReader reader = new ShardReader(dataDirectory, shard)) {
                sequences[shard] = reader.endSequence();
            }
        }
        return sequences;
    }

    /**
     * Returns the first datagram that was received at a time or later, by shard; the shard's end if there is none.
     *
     * @throws IOException if the journal cannot be read
     */
    public long[] sequencesAt(Instant time) throws IOException {
        long[] sequences = endSequences();
        for (int i = 0; i < sequences.length; i++) {
            int shard = i;
            try (JournalCursor cursor =
                    cursor().from(new Position(shard, 0)).fromTime(time).open()) {
                cursor.poll((datagram, position) -> sequences[shard] = position.sequence(), 1);
            }
        }
        return sequences;
    }

    /** The data directory. */
    public Path dataDirectory() {
        return dataDirectory;
    }

    /** Creates a builder for a cursor. */
    public CursorBuilder cursor() {
        return new CursorBuilder(this);
    }
}
