package io.millrace.app.command.journal;

import io.millrace.app.command.OptionTypes;
import io.millrace.app.report.JournalJson;
import io.millrace.app.report.Terminal;
import io.millrace.internal.journal.recovery.JournalExport;
import io.millrace.journal.Journal;
import io.millrace.journal.Position;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace journal export}: copies a part of a journal into a new data directory. Read-only; the service may run. */
@Command(
        name = "export",
        description = {
            "Copy a part of the journal, byte for byte, into a new data directory for 'read', 'stat' and"
                    + " 'verify'. Whole batches are copied, so the copy may contain a little more at both ends. Read-only;"
                    + " the service may run.",
            "",
            "Exit codes: 0 done; 1 failed, or the journal is damaged and its intact part was copied; 2 bad usage."
        },
        footer = {
            "",
            "Examples:",
            "  millrace journal export --from 2026-11-21T08:00:00Z --to 2026-11-21T09:00:00Z /tmp/morning",
            "  millrace journal export --from 0/41000 --to 0/42000 /tmp/thousand",
            "  millrace read --data /tmp/morning --format json",
        })
final class JournalExportCommand implements Callable<Integer> {
    private static final String TAKES = "begin, end, SHARD/SEQUENCE such as 0/42, or ";
    private static final long MAX_SECONDS = Long.MAX_VALUE / 1_000_000_000L - 1;

    @Mixin
    private JournalCommand.Options options = new JournalCommand.Options();

    @Option(
            names = "--from",
            paramLabel = "WHERE",
            description = "begin, a time, or SHARD/SEQUENCE, which copies that shard only (default: begin).")
    private String from = "begin";

    @Option(
            names = "--to",
            paramLabel = "WHERE",
            description = "end, a time, or SHARD/SEQUENCE; exclusive (default: end).")
    private String to = "end";

    @Parameters(paramLabel = "TARGET", description = "The new data directory; it must not exist, or be empty.")
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private Path target;

    @Override
    public Integer call() throws IOException {
        Journal journal = options.openJournal();
        JournalExport.Range range = range();
        JournalExport.Report report;
        try {
            report = new JournalExport(
                            journal.dataDirectory(), target, range, Terminal.progress("Reading the journal:"))
                    .run();
        } finally {
            Terminal.endProgress();
        }
        if (options.json) {
            System.out.println(JournalJson.export(report, target).json());
        } else {
            System.out.printf(
                    Locale.ROOT,
                    "exported: %,d datagrams in %,d batches to %s%n",
                    report.datagrams(),
                    report.batches(),
                    target);
        }
        if (!report.problems().isEmpty()) {
            System.err.println("millrace: the journal is damaged in "
                    + report.problems().size()
                    + " places, and the intact part was copied: run 'millrace journal verify' for details");
            return 1;
        }
        return 0;
    }

    private JournalExport.Range range() {
        Position first = position(from);
        Position end = position(to);
        if (first != null && end != null && first.shard() != end.shard()) {
            throw new IllegalArgumentException(
                    "--from " + from + " and --to " + to + " are of different shards: export one at a time");
        }
        int shard = first != null ? first.shard() : end != null ? end.shard() : -1;
        return new JournalExport.Range(
                shard,
                first == null ? 0 : first.sequence(),
                end == null ? Long.MAX_VALUE : end.sequence(),
                first != null || from.equals("begin") ? Long.MIN_VALUE : timeNs("--from", from),
                end != null || to.equals("end") ? Long.MAX_VALUE : timeNs("--to", to));
    }

    private static @Nullable Position position(String text) {
        return Position.isPosition(text) ? Position.parse(text) : null;
    }

    private static long timeNs(String option, String text) {
        Instant time = OptionTypes.instant(option, TAKES, text);
        long seconds = Math.max(-MAX_SECONDS, Math.min(MAX_SECONDS, time.getEpochSecond()));
        return TimeUnit.SECONDS.toNanos(seconds) + time.getNano();
    }
}
