package io.millrace.app.command;

import io.millrace.app.report.LedgerText;
import io.millrace.app.report.LedgerText.Delivered;
import io.millrace.collector.Counter;
import io.millrace.collector.Ledger;
import io.millrace.collector.ShardCounters;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.LedgerAccounting;
import io.millrace.internal.journal.DataDirectory;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.journal.Journal;
import io.millrace.sink.Positions;
import io.millrace.sink.SinkPositions;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The ledger in the files of a data directory, whether a service runs or not.
 *
 * @param alive the last sign of life of the service; null if unknown
 * @param outputs the outputs that are known
 */
record LedgerFiles(Ledger ledger, @Nullable Instant alive, List<Delivered> outputs) {
    /**
     * Reads the files.
     *
     * @param configured the outputs of the running service; null if unknown
     */
    static LedgerFiles read(Journal journal, @Nullable Set<String> configured) throws IOException {
        // Opened each time, because a restart with more receivers extends the file.
        CounterFile counters = counters(journal);
        String damage = counters.damage();
        if (damage != null) {
            System.err.printf(
                    "millrace: %s is damaged, and its values cannot be trusted: %s%n",
                    JournalPaths.countersFile(journal.dataDirectory()), damage);
        }
        // Outputs before the ledger: a delivered datagram was journaled before.
        Map<String, Positions> positions = new SinkPositions(journal).all();
        List<Delivered> outputs = positions.entrySet().stream()
                .map(of -> delivered(
                        of.getKey(), configured != null && !configured.contains(of.getKey()), of.getValue(), counters))
                .toList();
        return new LedgerFiles(LedgerAccounting.ofOther(counters).read(), counters.aliveAt(), outputs);
    }

    private static CounterFile counters(Journal journal) throws IOException {
        try {
            return CounterFile.openReadOnly(JournalPaths.countersFile(journal.dataDirectory()));
        } catch (NoSuchFileException e) {
            throw new IOException(
                    e.getFile() + " is not there: no service has counted in this data directory, or it was moved away",
                    e);
        }
    }

    private static Delivered delivered(String name, boolean removed, Positions positions, CounterFile counters) {
        long pending = 0;
        long expired = 0;
        for (int shard = 0; shard < counters.shardCount(); shard++) {
            ShardCounters cells = counters.shard(shard);
            long oldest = Math.max(positions.next(shard), positions.upTo(shard, cells.get(Counter.EXPIRED_DATAGRAMS)));
            expired += oldest - positions.next(shard);
            pending += Math.max(0, positions.upTo(shard, cells.get(Counter.JOURNALED_DATAGRAMS)) - oldest);
        }
        return new Delivered(name, removed, positions.counts(), pending, expired);
    }

    /** The page for people. */
    String page(Path data) {
        return LedgerText.page(ledger, mayRun(data), alive, outputs);
    }

    /** False if no process uses the data directory. */
    private static boolean mayRun(Path data) {
        try {
            return DataDirectory.owner(data) != null;
        } catch (IOException e) {
            return true;
        }
    }
}
