package io.millrace.app.command.journal;

import io.millrace.app.command.DataOption;
import io.millrace.app.command.HelpOption;
import io.millrace.app.report.JournalJson;
import io.millrace.app.report.Terminal;
import io.millrace.internal.journal.recovery.JournalScanner;
import io.millrace.internal.journal.recovery.JournalSummary;
import io.millrace.internal.text.ByteSize;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code millrace journal}: shows, checks and repairs a journal. */
@Command(
        name = "journal",
        subcommands = {
            JournalVerifyCommand.class,
            JournalRepairCommand.class,
            JournalExportCommand.class,
            PositionsCommand.class
        },
        description = "Look at a journal, whether the service runs or not; repair one while it does not.",
        footer = {
            "",
            "Examples:",
            "  millrace journal stat",
            "  millrace journal verify --data /var/lib/millrace --json",
            "  millrace journal repair --data /var/lib/millrace",
            "  millrace journal export --from 2026-11-21T08:00:00Z --to 2026-11-21T09:00:00Z /tmp/morning",
            "  millrace journal positions",
        })
public final class JournalCommand extends HelpOption implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "journal accepts stat, verify, repair, export or positions");
    }

    static final class Options extends DataOption {
        @Option(names = "--json", description = "Print one JSON object.")
        boolean json;
    }

    @Command(name = "stat", description = "Print what the journal holds: datagrams, bytes, batches, by shard.")
    int stat(@Mixin Options options) throws IOException {
        List<JournalScanner.Problem> problems = new ArrayList<>();
        Path directory = options.openJournal().dataDirectory();
        JournalSummary summary =
                new JournalScanner(directory, problems::add, Terminal.progress("Reading the journal:")).scan();
        Terminal.endProgress();
        if (options.json) {
            System.out.println(JournalJson.summary(summary).json());
        } else {
            print(summary);
        }
        if (!problems.isEmpty()) {
            System.err.println("millrace: the journal is damaged in " + problems.size()
                    + " places: run 'millrace journal verify' for details");
        }
        return 0;
    }

    private static void print(JournalSummary summary) {
        System.out.printf(
                Locale.ROOT,
                "journal %016x: %,d datagrams, %,d payload bytes, %,d batches, %s on disk%n",
                summary.journalId(),
                summary.datagrams(),
                summary.payloadBytes(),
                summary.batches(),
                ByteSize.text(summary.bytesOnDisk()));
        for (JournalSummary.Shard shard : summary.shards()) {
            System.out.printf(
                    Locale.ROOT,
                    "shard %d: %,d datagrams (%d to %d) in %d files, received %s to %s%n",
                    shard.shard(),
                    shard.datagrams(),
                    shard.firstSequence(),
                    Math.max(shard.firstSequence(), shard.nextSequence() - 1),
                    shard.files(),
                    time(shard.minTimeNs()),
                    time(shard.maxTimeNs()));
        }
    }

    private static String time(long epochNs) {
        return epochNs == 0 ? "-" : Instant.ofEpochMilli(epochNs / 1_000_000).toString();
    }
}
