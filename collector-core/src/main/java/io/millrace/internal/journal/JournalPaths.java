package io.millrace.internal.journal;

import io.millrace.internal.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Paths of the files in a data directory. Any thread. */
public final class JournalPaths {
    /** The suffix of a journal file's name. */
    public static final String SUFFIX = ".cq4";

    private JournalPaths() {}

    /** The counters of a data directory. */
    public static Path countersFile(Path root) {
        return root.resolve("counters");
    }

    /** The known sources of a data directory. */
    public static Path sourcesFile(Path root) {
        return root.resolve("sources");
    }

    /** The metadata of the journal in a data directory. */
    public static Path metaPath(Path root) {
        return root.resolve("meta.json");
    }

    /** The journal of a data directory. */
    public static Path journalPath(Path root) {
        return root.resolve("journal");
    }

    /** A shard of the journal of a data directory. */
    public static Path shardPath(Path root, int shard) {
        return shardIn(journalPath(root), shard);
    }

    public static Path shardIn(Path journal, int shard) {
        return journal.resolve("shard-" + shard);
    }

    /** The files of a shard, oldest first. */
    public static List<Path> files(Path shard) throws IOException {
        if (!Disk.of(shard).isDirectory(shard)) {
            return List.of();
        }
        return Disk.of(shard).list(shard).stream()
                .filter(file -> file.toString().endsWith(SUFFIX))
                .sorted()
                .toList();
    }

    /** The newest file of a shard; null if there is none. */
    public static @Nullable Path last(Path shard) throws IOException {
        List<Path> files = files(shard);
        return files.isEmpty() ? null : files.get(files.size() - 1);
    }

    /** Syncs a directory, or a file including its metadata and mapped pages, to disk. */
    public static void sync(Path path) throws IOException {
        Disk.of(path).sync(path);
    }
}
