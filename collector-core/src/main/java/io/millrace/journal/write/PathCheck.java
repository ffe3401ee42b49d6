package io.millrace.journal.write;

import io.millrace.agent.Agent;
import io.millrace.journal.DataDirectory;
import io.millrace.journal.JournalPaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent that checks every second whether the data directory and the current journal files were removed or replaced.
 * Linux lets a process write to a mapped file after it was removed, without an error, and the data is lost when the
 * process ends. While a path is missing or leads to another file, journal writers append nothing. They continue once it
 * is back. One thread.
 */
public final class PathCheck implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger(PathCheck.class);
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final List<JournalWriter> writers;
    private final Path root;
    /**
     * Device and inode of the directories and the counters file, by path. The data directory is the first: if it is
     * missing, everything below it is too.
     */
    private final Map<Path, Object> identities = new LinkedHashMap<>();
    /** Path, and device and inode, of each writer's current file. */
    private final Map<JournalWriter, Map.Entry<Path, Object>> current = new HashMap<>();

    private @Nullable String problem;
    private long checkedAtNs = System.nanoTime() - INTERVAL_NS;

    /**
     * Creates the check and records the current device and inode of each path.
     *
     * @param directory the data directory, which this process holds
     * @param writers one writer per shard, which the check suspends and resumes
     * @throws IOException if the directory cannot be read
     */
    public PathCheck(DataDirectory directory, List<JournalWriter> writers) throws IOException {
        this.root = directory.root();
        this.writers = List.copyOf(writers);
        for (Path path : List.of(root, directory.countersFile())) {
            identities.put(path, identity(path));
        }
        for (int shard = 0; shard < writers.size(); shard++) {
            Path path = JournalPaths.shardPath(root, shard);
            identities.put(path, identity(path));
        }
    }

    @Override
    public String roleName() {
        return "path-check";
    }

    /** Checks if a second has passed; returns 0. */
    @Override
    public int doWork() {
        if (System.nanoTime() - checkedAtNs >= INTERVAL_NS) {
            checkedAtNs = System.nanoTime();
            check();
        }
        return 0;
    }

    /** Checks now, and suspends or resumes the writers. */
    void check() {
        String found = find();
        for (JournalWriter writer : writers) {
            writer.suspend(found);
        }
        if (found != null && problem == null) {
            LOG.error("{}. Nothing is journaled until it is back; if it is lost, restart", found);
        } else if (found == null && problem != null) {
            LOG.info("Data directory {} is complete again: journaling continues", root);
        }
        problem = found;
    }

    private @Nullable String find() {
        String found = null;
        for (Map.Entry<Path, Object> each : identities.entrySet()) {
            found = found == null ? compare(each.getKey(), each.getValue()) : found;
        }
        for (JournalWriter writer : writers) {
            found = found == null ? findCurrent(writer) : found;
        }
        return found;
    }

    private @Nullable String findCurrent(JournalWriter writer) {
        Path path = writer.currentFile();
        if (path == null) {
            return null;
        }
        Map.Entry<Path, Object> known = current.get(writer);
        if (known != null && known.getKey().equals(path)) {
            return compare(path, known.getValue());
        }
        try {
            current.put(writer, Map.entry(path, identity(path)));
            return null;
        } catch (IOException e) {
            return missing(path, e);
        }
    }

    private static @Nullable String compare(Path path, @Nullable Object expected) {
        try {
            return identity(path).equals(expected)
                    ? null
                    : path + " was replaced by another file or directory while it is in use";
        } catch (IOException e) {
            return missing(path, e);
        }
    }

    private static String missing(Path path, IOException reason) {
        return Files.notExists(path)
                ? path + " was removed or moved away while it is in use"
                : path + " cannot be checked: " + reason;
    }

    private static Object identity(Path path) throws IOException {
        Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        return key == null ? path : key;
    }
}
