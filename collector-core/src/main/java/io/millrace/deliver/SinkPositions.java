package io.millrace.deliver;

import io.millrace.journal.DataDirectory;
import io.millrace.read.Journal;
import io.millrace.read.Position;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The positions of all sinks of a data directory, to look at while a collector runs, and to change while none does. Any thread. */
public final class SinkPositions {
    private final Journal journal;

    /** Of a journal. */
    public SinkPositions(Journal journal) {
        this.journal = journal;
    }

    /**
     * How far each sink had come when it wrote its positions last, by name; that is a second ago at the most.
     *
     * @throws IOException if positions cannot be read; the message names the file
     */
    public Map<String, Positions> all() throws IOException {
        Map<String, Positions> all = new TreeMap<>();
        Path directory = journal.dataDirectory().resolve("positions");
        if (!Files.isDirectory(directory)) {
            return all;
        }
        List<String> names;
        try (Stream<Path> files = Files.list(directory)) {
            names = files.map(file -> String.valueOf(file.getFileName())).toList();
        }
        for (String name : names) {
            if (!PositionFile.isUnfinished(name)) {
                Positions positions =
                        PositionFile.of(journal.dataDirectory(), name).read();
                if (positions != null) {
                    all.put(name, positions);
                }
            }
        }
        return all;
    }

    /**
     * Has a sink go on from elsewhere. What it has counted stays.
     *
     * @throws IOException if a collector runs on the data directory, or the positions cannot be written
     */
    public void set(String sink, StartAt where) throws IOException {
        write(sink, where.sequences(journal));
    }

    /**
     * Has a sink go on from a datagram in one shard; in the others it stays where it is.
     *
     * @throws IOException as {@link #set(String, StartAt)}
     */
    public void set(String sink, Position where) throws IOException {
        int shards = journal.meta().shards();
        if (where.shard() >= shards) {
            throw new IllegalArgumentException("the journal has " + shards + " shards, numbered from 0");
        }
        Positions now = PositionFile.of(journal.dataDirectory(), sink).read();
        long[] next = Arrays.copyOf(now == null ? new long[0] : now.next(), shards);
        next[where.shard()] = where.sequence();
        write(sink, next);
    }

    private void write(String sink, long[] next) throws IOException {
        SinkSettings.checkName(sink);
        try (DataDirectory held = DataDirectory.open(journal.dataDirectory())) {
            PositionFile file = PositionFile.of(held.root(), sink);
            Positions.Counts counts = Positions.Counts.NONE;
            try {
                Positions now = file.read();
                counts = now == null ? counts : now.counts();
            } catch (IOException damaged) {
                // It is about to be replaced, which is how it is mended.
                counts = Positions.Counts.NONE;
            }
            file.write(new Positions(journal.meta().journalId(), next, counts));
        }
    }

    /**
     * Forgets a sink: if it comes back, it begins anew.
     *
     * @return false if there is no such sink
     * @throws IOException if a collector runs on the data directory, or the file cannot be removed
     */
    public boolean forget(String sink) throws IOException {
        SinkSettings.checkName(sink);
        try (DataDirectory held = DataDirectory.open(journal.dataDirectory())) {
            return PositionFile.of(held.root(), sink).delete();
        }
    }
}
