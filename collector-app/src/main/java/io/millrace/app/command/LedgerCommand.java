package io.millrace.app.command;

import io.millrace.app.control.Answer;
import io.millrace.app.control.ControlClient;
import io.millrace.app.report.Json;
import io.millrace.app.report.LedgerText;
import io.millrace.app.report.LedgerText.Delivered;
import io.millrace.app.report.Terminal;
import io.millrace.counters.Counter;
import io.millrace.counters.CounterFile;
import io.millrace.counters.Ledger;
import io.millrace.counters.LedgerAccounting;
import io.millrace.counters.ShardCounters;
import io.millrace.deliver.Positions;
import io.millrace.deliver.SinkPositions;
import io.millrace.journal.DataDirectory;
import io.millrace.journal.JournalPaths;
import io.millrace.journal.read.Journal;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace ledger}: prints the loss ledger of a data directory, whether the service runs or not. */
@Command(
        name = "ledger",
        description = {
            "Print the loss ledger: of the last run, and of the whole life of the data directory.",
            "Above it: whether the service runs, and what is wrong with it.",
        },
        footer = {
            "",
            "Counts of the service are exact. Counts of the whole host are upper bounds.",
            "",
            "Examples:",
            "  millrace ledger",
            "  millrace ledger --data /var/lib/millrace --watch",
            "  millrace ledger --json | jq .dropped",
        })
public final class LedgerCommand extends DataOption implements Callable<Integer> {
    private static final String CLEAR = "\033[H\033[2J";

    @Option(names = "--json", description = "Print one JSON object; with --watch, one per second, each on a line.")
    private boolean json;

    @Option(names = "--watch", description = "Print it again each second, until the command is interrupted.")
    private boolean watch;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Journal journal = openJournal();
        print(journal);
        while (watch && !System.out.checkError()) {
            TimeUnit.SECONDS.sleep(1);
            print(journal);
        }
        return 0;
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

    /** Opened each time, because a restart with more receivers extends the file. */
    private void print(Journal journal) throws IOException {
        CounterFile counters = counters(journal);
        String damage = counters.damage();
        if (damage != null) {
            System.err.printf(
                    "millrace: %s is damaged, and its values cannot be trusted: %s%n",
                    JournalPaths.countersFile(journal.dataDirectory()), damage);
        }
        LedgerAccounting account = LedgerAccounting.ofOther(counters);
        // Outputs before the ledger: a delivered datagram was journaled before.
        Map<String, Positions> positions = new SinkPositions(journal).all();
        List<Delivered> outputs = new ArrayList<>();
        Set<String> configured = json || positions.isEmpty() ? positions.keySet() : configured(positions.keySet());
        positions.forEach((name, of) -> outputs.add(delivered(name, !configured.contains(name), of, counters)));
        String service = json ? "" : service();
        Ledger ledger = account.read();
        if (json) {
            System.out.println(Json.ledger(ledger, outputs));
        } else {
            System.out.print((watch && Terminal.stdoutIsTerminal() ? CLEAR : "")
                    + service
                    + LedgerText.page(ledger, mayRun(), outputs));
        }
        System.out.flush();
    }

    /** Its failure is no reason to print no ledger. */
    private String service() {
        try {
            return ControlClient.health(data());
        } catch (IOException e) {
            return "service: unknown: " + e.getMessage() + System.lineSeparator();
        }
    }

    /** False if no process uses the data directory. */
    private boolean mayRun() {
        try {
            return DataDirectory.owner(data()) != null;
        } catch (IOException e) {
            return true;
        }
    }

    /** The outputs of the running service; all that are known if none runs, or if it does not tell. */
    private Set<String> configured(Set<String> known) {
        try {
            Answer answer = ControlClient.ask(data(), ControlClient.OUTPUTS);
            return answer.code() == 0 ? answer.text().lines().collect(Collectors.toSet()) : known;
        } catch (IOException e) {
            return known;
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
}
