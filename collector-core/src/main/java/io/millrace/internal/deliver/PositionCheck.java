package io.millrace.internal.deliver;

import io.millrace.internal.journal.recovery.JournalScanner;
import io.millrace.internal.journal.recovery.JournalSummary;
import io.millrace.journal.Journal;
import io.millrace.sink.Positions;
import io.millrace.sink.SinkPositions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Compares the positions of all sinks with the content of a journal. Create it before the journal is read, because the
 * journal may grow. One thread.
 */
public final class PositionCheck {
    private final Path directory;
    private final long journalId;
    private final long[] highest;
    private final Map<String, Positions> all = new TreeMap<>();
    private final List<JournalScanner.Problem> damaged = new ArrayList<>();

    /**
     * Reads the positions of all sinks.
     *
     * @throws IOException if their directory cannot be read; files that are damaged are problems instead
     */
    public PositionCheck(Journal journal) throws IOException {
        directory = journal.dataDirectory().resolve("positions");
        journalId = journal.meta().journalId();
        for (String name : new SinkPositions(journal).names()) {
            try {
                Positions positions =
                        PositionFile.of(journal.dataDirectory(), name).read();
                if (positions != null) {
                    all.put(name, positions);
                }
            } catch (IOException e) {
                damaged.add(new JournalScanner.Problem(directory.resolve(name), 0, String.valueOf(e.getMessage())));
            }
        }
        highest = SinkPositions.highest(journal.dataDirectory(), journalId);
    }

    /** The highest position of any sink, by shard: the journal once contained that many datagrams. */
    public long[] highest() {
        return highest.clone();
    }

    /** Positions that cannot be read: the user must set them. */
    public List<JournalScanner.Problem> damaged() {
        return List.copyOf(damaged);
    }

    public List<JournalScanner.Problem> problems(JournalSummary summary) {
        List<JournalScanner.Problem> problems = new ArrayList<>(damaged);
        all.forEach((name, positions) -> {
            if (positions.journalId() != journalId) {
                problems.add(problem(
                        name,
                        String.format(
                                "output %s has positions of journal %016x, not of this one",
                                name, positions.journalId())));
                return;
            }
            for (int shard = 0; shard < positions.next().length; shard++) {
                long end = shard < summary.shards().size()
                        ? summary.shards().get(shard).nextSequence()
                        : 0;
                if (positions.next(shard) > end) {
                    problems.add(problem(
                            name,
                            String.format(
                                    "output %s stands at datagram %d of shard %d, which ends before %d: what it has"
                                            + " delivered is not in the journal any more",
                                    name, positions.next(shard), shard, end)));
                }
            }
        });
        return problems;
    }

    /** Facts about positions that are not problems. */
    public List<String> notes(JournalSummary summary) {
        List<String> notes = new ArrayList<>();
        all.forEach((name, positions) -> {
            for (JournalSummary.Shard shard : summary.shards()) {
                long next = positions.next(shard.shard());
                long missing = positions.upTo(shard.shard(), shard.firstSequence()) - next;
                if (positions.journalId() == journalId && shard.datagrams() > 0 && missing > 0) {
                    notes.add(String.format(
                            "output %s stands at datagram %d of shard %d, which begins at %d: %d will be missing to it",
                            name, next, shard.shard(), shard.firstSequence(), missing));
                }
            }
        });
        return notes;
    }

    private JournalScanner.Problem problem(String name, String what) {
        return new JournalScanner.Problem(directory.resolve(name), 0, what);
    }
}
