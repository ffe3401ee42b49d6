package io.millrace.sink;

import io.millrace.internal.deliver.PositionFile;
import io.millrace.internal.disk.Disk;
import io.millrace.internal.journal.DataDirectory;
import io.millrace.journal.Journal;
import io.millrace.journal.Position;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The positions of all sinks of a data directory. They can be read at any time, and changed while the sink does not run. Any
 * thread. */
public final class SinkPositions {
    private final Journal journal;

    /** The positions of a journal's sinks. */
    public SinkPositions(Journal journal) {
        this.journal = journal;
    }

    /**
     * The positions that each sink wrote last, at most a second ago, by name.
     *
     * @throws IOException if positions cannot be read; the message names the file
     */
    public Map<String, Positions> all() throws IOException {
        Map<String, Positions> all = new TreeMap<>();
        for (String name : names(journal.dataDirectory())) {
            Positions positions = PositionFile.of(journal.dataDirectory(), name).read();
            if (positions != null) {
                all.put(name, positions);
            }
        }
        return all;
    }

    /** The names of all sinks with a position file, damaged ones included. */
    public Set<String> names() throws IOException {
        return new TreeSet<>(names(journal.dataDirectory()));
    }

    /**
     * The highest positions and ends of all sinks of a journal, by shard. Damaged positions are ignored here: their sink reports them.
     *
     * @throws IOException if the directory cannot be read
     */
    public static long[] highest(Path dataDirectory, long journalId) throws IOException {
        long[] highest = {};
        for (String name : names(dataDirectory)) {
            Positions positions = readable(dataDirectory, name);
            if (positions != null && positions.journalId() == journalId) {
                highest = highest(highest, positions.next());
                // A sequence number before the end of a range stands for a datagram of the range, even if that was
                // lost.
                highest = positions.range() == null
                        ? highest
                        : highest(highest, positions.range().ends());
            }
        }
        return highest;
    }

    private static long[] highest(long[] one, long[] other) {
        long[] highest = Arrays.copyOf(one, Math.max(one.length, other.length));
        for (int shard = 0; shard < other.length; shard++) {
            highest[shard] = Math.max(highest[shard], other[shard]);
        }
        return highest;
    }

    private static @Nullable Positions readable(Path dataDirectory, String name) {
        try {
            return PositionFile.of(dataDirectory, name).read();
        } catch (IOException e) {
            return null;
        }
    }

    private static List<String> names(Path dataDirectory) throws IOException {
        Path directory = dataDirectory.resolve("positions");
        if (!Disk.of(directory).isDirectory(directory)) {
            return List.of();
        }
        return Disk.of(directory).list(directory).stream()
                .map(file -> String.valueOf(file.getFileName()))
                .filter(name -> !PositionFile.isUnfinished(name))
                .toList();
    }

    /**
     * The position of a sink with another sequence number in one shard.
     *
     * @return the sequence number of the next datagram, by shard
     * @throws IllegalArgumentException if the journal has no such place
     */
    public long[] with(String sink, Position where) throws IOException {
        int shards = journal.meta().shards();
        if (where.shard() >= shards) {
            throw new IllegalArgumentException("the journal has " + shards + " shards, numbered from 0");
        }
        long end = journal.endSequences()[where.shard()];
        if (where.sequence() > end) {
            // The journal would continue its sequence numbers after it.
            throw new IllegalArgumentException("shard " + where.shard() + " has datagrams up to " + (end - 1)
                    + ", and the next will be " + end + ": there is no " + where);
        }
        Positions now = PositionFile.of(journal.dataDirectory(), sink).read();
        long[] next = Arrays.copyOf(now == null ? new long[0] : now.next(), shards);
        next[where.shard()] = where.sequence();
        return next;
    }

    /**
     * Sets the position of a sink, which must not run. Its counts and its end stay.
     *
     * @param next the sequence number of the next datagram, by shard
     * @throws IOException if another process uses the data directory, or the positions cannot be written
     */
    public void set(String sink, long[] next) throws IOException {
        SinkSettings.checkName(sink);
        held(root -> {
            PositionFile file = PositionFile.of(root, sink);
            Positions now = readable(root, sink);
            long id = journal.meta().journalId();
            // Damaged positions are replaced.
            file.write(new Positions(
                    id,
                    next,
                    now == null ? Positions.Counts.NONE : now.counts(),
                    now == null || now.journalId() != id ? null : now.range()));
            return true;
        });
    }

    /**
     * Deletes the positions of a sink, which must not run, so that it starts again.
     *
     * @return false if there is no such sink
     * @throws IOException if another process uses the data directory, or the file cannot be removed
     */
    public boolean forget(String sink) throws IOException {
        SinkSettings.checkName(sink);
        return held(root -> PositionFile.of(root, sink).delete());
    }

    /** A change of files in the data directory. */
    @FunctionalInterface
    private interface Change {
        boolean in(Path root) throws IOException;
    }

    /** Makes a change while this process holds the data directory; a collector of this process does so already. */
    private boolean held(Change change) throws IOException {
        if (DataDirectory.isHeldHere(journal.dataDirectory())) {
            return change.in(journal.dataDirectory());
        }
        try (DataDirectory held = DataDirectory.open(journal.dataDirectory())) {
            return change.in(held.root());
        }
    }
}
