package io.millrace.app.report;

import io.millrace.internal.journal.recovery.JournalExport;
import io.millrace.internal.journal.recovery.JournalGap;
import io.millrace.internal.journal.recovery.JournalRepair;
import io.millrace.internal.journal.recovery.JournalScanner;
import io.millrace.internal.journal.recovery.JournalSummary;
import io.millrace.journal.GapReason;
import java.nio.file.Path;
import java.util.List;

/** JSON of {@code millrace journal}. */
public final class JournalJson {
    private JournalJson() {}

    public static Node summary(JournalSummary summary) {
        return new Node()
                .put("journalId", String.format("%016x", summary.journalId()))
                .put("datagrams", summary.datagrams())
                .put("payloadBytes", summary.payloadBytes())
                .put("batches", summary.batches())
                .put("bytesOnDisk", summary.bytesOnDisk())
                .put("shards", Node.list(summary.shards(), JournalJson::shard));
    }

    public static Node verify(JournalSummary summary, List<JournalScanner.Problem> problems, List<String> notes) {
        return summary(summary)
                .put("clean", problems.isEmpty())
                .put("problems", Node.list(problems, JournalJson::problem))
                .with(gaps(summary))
                .put("notes", notes);
    }

    public static Node repair(JournalRepair.Report report) {
        return new Node()
                .put("repaired", report.aside() != null)
                .put("keptIn", report.aside())
                .put("filesWritten", report.writtenFiles())
                .put("filesUntouched", report.linkedFiles())
                .put("datagrams", report.before().datagrams())
                .put("batches", report.before().batches())
                .put("problems", Node.list(report.problems(), JournalJson::problem))
                .with(gaps(report.before()));
    }

    public static Node export(JournalExport.Report report, Path target) {
        return new Node()
                .put("data", target)
                .put("datagrams", report.datagrams())
                .put("batches", report.batches())
                .put("problems", Node.list(report.problems(), JournalJson::problem));
    }

    private static Node shard(JournalSummary.Shard shard) {
        return new Node()
                .put("shard", shard.shard())
                .put("files", shard.files())
                .put("datagrams", shard.datagrams())
                .put("payloadBytes", shard.payloadBytes())
                .put("batches", shard.batches())
                .put("bytesOnDisk", shard.bytesOnDisk())
                .put("firstSequence", shard.firstSequence())
                .put("nextSequence", shard.nextSequence())
                .put("minTimeNs", shard.minTimeNs())
                .put("maxTimeNs", shard.maxTimeNs());
    }

    private static Node problem(JournalScanner.Problem problem) {
        return new Node()
                .put("file", problem.file())
                .put("offset", problem.offset())
                .put("what", problem.what());
    }

    /** Gaps and their sizes; gaps of gap batches are not counted again. */
    private static Node gaps(JournalSummary summary) {
        return new Node().put("missing", summary.missing()).put("gaps", Node.list(summary.gaps(), JournalJson::gap));
    }

    private static Node gap(JournalGap gap) {
        GapReason reason = gap.reason();
        return new Node()
                .put("shard", gap.shard())
                .put("firstSequence", gap.firstSequence())
                .put("count", gap.count())
                .put("file", gap.file())
                .put("offset", gap.offset())
                .put("beforeNs", gap.beforeNs())
                .put("afterNs", gap.afterNs())
                .put("known", reason == null ? null : reason.words());
    }
}
