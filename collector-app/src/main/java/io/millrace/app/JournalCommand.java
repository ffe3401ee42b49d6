package io.millrace.app;

import io.millrace.app.config.ByteSize;
import io.millrace.app.report.Json;
import io.millrace.journal.JournalScanner;
import io.millrace.journal.JournalSummary;
import io.millrace.read.Journal;
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

/** {@code millrace journal}: what a journal holds, and whether it is whole. Only reads; the service may run. */
@Command(
        name = "journal",
        subcommands = PositionsCommand.class,
        description = "Look at a journal, whether the service runs or not.",
        footer = {
            "",
            "Examples:",
            "  millrace journal stat",
            "  millrace journal verify --data /var/lib/millrace --json",
            "  millrace journal positions",
        })
final class JournalCommand extends HelpOption implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "journal takes stat, verify or positions");
    }

    /** The options both have. */
    static final class Options extends HelpOption {
        @Option(names = "--data", paramLabel = "DIR", description = "The data directory (default: ${DEFAULT-VALUE}).")
        private Path data = Path.of("data");

        @Option(names = "--json", description = "Print one JSON object.")
        private boolean json;
    }

    private static JournalSummary scan(Path data, List<JournalScanner.Problem> problems) throws IOException {
        Path directory = Journal.open(data).dataDirectory();
        JournalSummary summary = new JournalScanner(
                        directory,
                        problems::add,
                        (done, total) -> Terminal.progress("Reading the journal:", done, total))
                .scan();
        Terminal.endProgress();
        return summary;
    }

    @Command(name = "stat", description = "Print what the journal holds: datagrams, bytes, batches, by shard.")
    int stat(@Mixin Options options) throws IOException {
        List<JournalScanner.Problem> problems = new ArrayList<>();
        JournalSummary summary = scan(options.data, problems);
        if (options.json) {
            System.out.println(Json.summary(summary, null));
        } else {
            print(summary);
        }
        if (!problems.isEmpty()) {
            System.err.println("millrace: the journal is damaged in " + problems.size()
                    + " places: 'millrace journal verify' tells where");
        }
        return 0;
    }

    @Command(
            name = "verify",
            description =
                    "Check every batch: checksum, structure, and that sequence numbers have no holes. Exit code 1 if not.")
    int verify(@Mixin Options options) throws IOException {
        List<JournalScanner.Problem> problems = new ArrayList<>();
        JournalSummary summary = scan(options.data, problems);
        if (options.json) {
            System.out.println(Json.summary(summary, problems));
            return problems.isEmpty() ? 0 : 1;
        }
        for (JournalScanner.Problem problem : problems) {
            System.out.printf(
                    "%s at byte %d: %s%n", options.data.relativize(problem.file()), problem.offset(), problem.what());
        }
        System.out.printf(
                Locale.ROOT,
                "%s: %,d datagrams in %,d batches, %s%n",
                problems.isEmpty() ? "clean" : problems.size() + " problems",
                summary.datagrams(),
                summary.batches(),
                ByteSize.text(summary.bytesOnDisk()));
        return problems.isEmpty() ? 0 : 1;
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
