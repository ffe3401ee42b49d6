package io.millrace.app.fault;

import io.millrace.internal.journal.PrivateFiles;
import io.millrace.sink.SinkStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters nobody has looked at. A command that shows, retries or drops those of an output leaves the file {@code
 * dead-letters/NAME.seen} in the data directory; dead letters that are written later are new. Any thread.
 */
public final class DeadLetterLooks {
    private static final FileTime NEVER = FileTime.fromMillis(0);

    private final Path directory;
    private final Map<String, Look> looks = new HashMap<>();

    /** When somebody looked, and how many messages the output had rejected in this process then. */
    private record Look(FileTime at, long rejected) {}

    /**
     * Creates a view of a data directory.
     *
     * @param data the data directory
     */
    public DeadLetterLooks(Path data) {
        this.directory = data.resolve("dead-letters");
    }

    /**
     * Notes that somebody looks at the dead letters of an output now. To be called before they are read.
     *
     * @throws IOException if the file cannot be written
     */
    public static void note(Path data, String output) throws IOException {
        Path mark = mark(data.resolve("dead-letters"), output);
        // The mark of another user can be replaced, but not changed.
        Files.deleteIfExists(mark);
        Files.createFile(mark, PrivateFiles.FILE);
    }

    private static Path mark(Path directory, String output) {
        return directory.resolve(output + ".seen");
    }

    /**
     * How many messages became dead letters of an output since somebody looked, of those that this process has written; 0 if the new ones
     * are all from earlier processes. Null if there are no new ones.
     */
    synchronized @Nullable Long unseen(SinkStatus output) {
        FileTime at = time(mark(directory, output.name()));
        long rejected =
                output.refused().values().stream().mapToLong(Long::longValue).sum();
        Look look = looks.get(output.name());
        if (look == null) {
            look = new Look(at, 0);
        } else if (!look.at().equals(at)) {
            look = new Look(at, rejected);
        } else if (look.rejected() > rejected) {
            // The output began again, by a reload.
            look = new Look(at, 0);
        }
        looks.put(output.name(), look);
        FileTime older = time(directory.resolve(output.name() + ".ndjson.1"));
        FileTime newest = time(directory.resolve(output.name() + ".ndjson"));
        newest = older.compareTo(newest) > 0 ? older : newest;
        return newest.compareTo(at) > 0 ? Long.valueOf(rejected - look.rejected()) : null;
    }

    /** When a file was written; long ago if there is none. */
    private static FileTime time(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            return NEVER;
        }
    }
}
