package io.millrace.internal.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.Counter;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.journal.read.ShardReader;
import io.millrace.internal.journal.recovery.JournalScanner;
import io.millrace.internal.journal.recovery.JournalSummary;
import io.millrace.journal.DatagramView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Assertions and readers for the content of a journal. */
public final class JournalChecks {
    private JournalChecks() {}

    public static List<JournalScanner.Problem> problems(Path root) throws IOException {
        List<JournalScanner.Problem> problems = new ArrayList<>();
        new JournalScanner(root, problems::add, (bytes, total) -> {}).scan();
        return problems;
    }

    public static JournalSummary cleanSummary(Path root) throws IOException {
        List<JournalScanner.Problem> problems = new ArrayList<>();
        JournalSummary summary = new JournalScanner(root, problems::add, (bytes, total) -> {}).scan();
        assertThat(problems).isEmpty();
        return summary;
    }

    /** Sets the counters as if retention had deleted the datagrams before this one. */
    public static void noteDeleted(Path root, int shard, long next) throws IOException {
        CounterFile.open(JournalPaths.countersFile(root), MetaFile.load(root).journalId(), 1)
                .shard(shard)
                .set(Counter.EXPIRED_DATAGRAMS, next);
    }

    /** Reads all intact batches and lists the datagrams as SEQUENCE=TEXT. */
    public static List<String> readOn(ShardReader reader) {
        List<String> found = new ArrayList<>();
        DatagramView view = new DatagramView();
        while (true) {
            switch (reader.next()) {
                case NOTHING -> {
                    return found;
                }
                case DAMAGED -> found.add("damaged");
                case BATCH -> {
                    if (reader.batch().isGap()) {
                        continue;
                    }
                    long sequence = reader.batch().firstSequence();
                    reader.batch().first(view);
                    do {
                        found.add(sequence++ + "=" + view.payloadText());
                    } while (view.next());
                }
            }
        }
    }

    public static List<String> readAll(Path root, int shard) {
        try (ShardReader reader = new ShardReader(root, shard)) {
            return readOn(reader);
        }
    }

    /** The expected result of {@link #readAll} for numbered datagrams. */
    public static List<String> numbered(int shard, long from, long to) {
        List<String> expected = new ArrayList<>();
        for (long sequence = from; sequence < to; sequence++) {
            expected.add(sequence + "=" + shard + ":" + sequence);
        }
        return expected;
    }
}
