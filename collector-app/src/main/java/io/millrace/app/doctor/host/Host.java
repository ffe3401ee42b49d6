package io.millrace.app.doctor.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A host as checks see it: files, and tools. It may be a recorded one. */
public interface Host {
    /**
     * What a file holds or a tool printed.
     *
     * @param text null if it could not be had
     * @param problem why not; empty if it could
     * @param missing there is no such file, or no such tool
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
     * A written and synced file.
     *
     * @param bytes how long it was
     * @param ns how long it took
     */
    record WriteSpeed(long bytes, long ns) {
        public double bytesPerSecond() {
            return bytes * 1e9 / Math.max(1, ns);
        }
    }

    /** A file, from the root. */
    Answer read(String path);

    /** The names in a directory, in order; none if there is no such directory. */
    List<String> list(String path);

    /** Where a symbolic link points; null if there is none, or no permission. */
    @Nullable
    String link(String path);

    /** What a tool prints, within five seconds. */
    Answer run(String tool, String... arguments);

    /** The directory itself, or the nearest one above it that is there. */
    Path nearest(Path directory);

    /** Writes a file to a directory, a few seconds and 64 MiB at most, and deletes it. */
    WriteSpeed writeTest(Path directory) throws IOException;
}
