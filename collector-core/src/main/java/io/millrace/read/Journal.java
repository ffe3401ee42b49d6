package io.millrace.read;

import io.millrace.journal.JournalMeta;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A journal to read: a data directory, whether a collector writes it now or not. Holds nothing open itself. Any thread.
 */
public final class Journal {
    private final Path dataDirectory;

    private Journal(Path dataDirectory) {
        this.dataDirectory = dataDirectory;
    }

    /**
     * Opens the journal of a data directory.
     *
     * @throws IOException if there is none; the message says so
     */
    public static Journal open(Path dataDirectory) throws IOException {
        if (!Files.isDirectory(dataDirectory)) {
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

    /** What {@code meta.json} says now: the journal's id, its shards, the names of its inputs. */
    public JournalMeta meta() throws IOException {
        return JournalMeta.load(dataDirectory);
    }

    /** The data directory. */
    public Path dataDirectory() {
        return dataDirectory;
    }

    /** Begins to describe a cursor. */
    public CursorBuilder cursor() {
        return new CursorBuilder(this);
    }
}
