package io.millrace.app.doctor.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A host: its files and tools. It may be a recorded one. */
public interface Host {
    /**
     * The content of a file, or the output of a tool.
     *
     * @param text null if it is unavailable
     * @param problem the reason; empty if it is available
     * @param missing true if the file or the tool does not exist
     */
    record Answer(@Nullable String text, String problem, boolean missing) {
        public static Answer of(String text) {
            return new Answer(text, "", false);
        }

        public static Answer failed(String problem) {
            return new Answer(null, problem, false);
        }

        public static Answer missing(String problem) {
            return new Answer(null, problem, true);
        }
    }

    /**
     * The speed of writing and syncing a file.
     *
     * @param bytes its length
     * @param ns the time it took
     */
    record WriteSpeed(long bytes, long ns) {
        public double bytesPerSecond() {
            return bytes * 1e9 / Math.max(1, ns);
        }
    }

    /** Reads a file with an absolute path. */
    Answer read(String path);

    /** The sorted names in a directory; empty if it does not exist. */
    List<String> list(String path);

    /** The target of a symbolic link; null if there is none, or no permission. */
    @Nullable
    String link(String path);

    /** Runs a tool for at most five seconds. */
    Answer run(String tool, String... arguments);

    /** The directory, or the nearest existing one above it. */
    Path nearest(Path directory);

    /** Writes a test file to a directory, for a few seconds and at most 64 MiB, and deletes it. */
    WriteSpeed writeTest(Path directory) throws IOException;
}
