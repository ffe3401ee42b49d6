package io.millrace.app.command;

import io.millrace.app.control.Answer;
import io.millrace.app.control.ControlClient;
import io.millrace.app.report.Json;
import io.millrace.app.report.Terminal;
import io.millrace.journal.Journal;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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

    private void print(Journal journal) throws IOException {
        if (json) {
            LedgerFiles files = LedgerFiles.read(journal, null);
            System.out.println(Json.ledger(files.ledger(), files.outputs()));
        } else {
            Answer health = ControlClient.health(data());
            LedgerFiles files = LedgerFiles.read(journal, health.code() == 0 ? configured() : null);
            System.out.print((watch && Terminal.stdoutIsTerminal() ? CLEAR : "")
                    + (health.code() == 0 ? health.text() : "service: " + health.text() + System.lineSeparator())
                    + files.page(data()));
        }
        System.out.flush();
    }

    /** The outputs of the running service; null if it does not tell. */
    private @Nullable Set<String> configured() {
        try {
            Answer answer = ControlClient.ask(data(), ControlClient.OUTPUTS);
            return answer.code() == 0 ? answer.text().lines().collect(Collectors.toSet()) : null;
        } catch (IOException e) {
            return null;
        }
    }
}
