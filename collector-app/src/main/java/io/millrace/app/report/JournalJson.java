package io.millrace.app.report;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.internal.journal.recovery.JournalExport;
import io.millrace.internal.journal.recovery.JournalGap;
import io.millrace.internal.journal.recovery.JournalRepair;
import io.millrace.internal.journal.recovery.JournalScanner;
import io.millrace.internal.journal.recovery.JournalSummary;
import io.millrace.journal.GapReason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** JSON of {@code millrace journal}. */
public final class JournalJson {
    private JournalJson() {}

    /** The content of a journal. */
    public static String summary(JournalSummary summary) {
        return Json.object(json -> fields(json, summary));
    }

    /** The content of a journal and its problems. */
    public static String verify(JournalSummary summary, List<JournalScanner.Problem> problems, List<String> notes) {
        return Json.object(json -> {
            fields(json, summary);
            json.writeBooleanField("clean", problems.isEmpty());
            problems(json, problems);
            gaps(json, summary);
            Json.texts(json, "notes", notes);
        });
    }

    /** The result of a repair. */
    public static String repair(JournalRepair.Report report) {
        return Json.object(json -> {
            Path aside = report.aside();
            json.writeBooleanField("repaired", aside != null);
            json.writeStringField("keptIn", aside == null ? null : aside.toString());
            json.writeNumberField("filesWritten", report.writtenFiles());
            json.writeNumberField("filesUntouched", report.linkedFiles());
            json.writeNumberField("datagrams", report.before().datagrams());
            json.writeNumberField("batches", report.before().batches());
            problems(json, report.problems());
            gaps(json, report.before());
        });
    }

    /** The result of an export. */
    public static String export(JournalExport.Report report, Path target) {
        return Json.object(json -> {
            json.writeStringField("data", target.toString());
            json.writeNumberField("datagrams", report.datagrams());
            json.writeNumberField("batches", report.batches());
            problems(json, report.problems());
        });
    }

    private static void fields(JsonGenerator json, JournalSummary summary) throws IOException {
        json.writeStringField("journalId", String.format("%016x", summary.journalId()));
        json.writeNumberField("datagrams", summary.datagrams());
        json.writeNumberField("payloadBytes", summary.payloadBytes());
        json.writeNumberField("batches", summary.batches());
        json.writeNumberField("bytesOnDisk", summary.bytesOnDisk());
        json.writeArrayFieldStart("shards");
        for (JournalSummary.Shard shard : summary.shards()) {
            shard(json, shard);
        }
        json.writeEndArray();
    }

    private static void shard(JsonGenerator json, JournalSummary.Shard shard) throws IOException {
        json.writeStartObject();
        json.writeNumberField("shard", shard.shard());
        json.writeNumberField("files", shard.files());
        json.writeNumberField("datagrams", shard.datagrams());
        json.writeNumberField("payloadBytes", shard.payloadBytes());
        json.writeNumberField("batches", shard.batches());
        json.writeNumberField("bytesOnDisk", shard.bytesOnDisk());
        json.writeNumberField("firstSequence", shard.firstSequence());
        json.writeNumberField("nextSequence", shard.nextSequence());
        json.writeNumberField("minTimeNs", shard.minTimeNs());
        json.writeNumberField("maxTimeNs", shard.maxTimeNs());
        json.writeEndObject();
    }

    private static void problems(JsonGenerator json, List<JournalScanner.Problem> problems) throws IOException {
        json.writeArrayFieldStart("problems");
        for (JournalScanner.Problem problem : problems) {
            json.writeStartObject();
            json.writeStringField("file", problem.file().toString());
            json.writeNumberField("offset", problem.offset());
            json.writeStringField("what", problem.what());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Gaps and their sizes; gaps of gap batches are not counted again. */
    private static void gaps(JsonGenerator json, JournalSummary summary) throws IOException {
        json.writeNumberField("missing", summary.missing());
        json.writeArrayFieldStart("gaps");
        for (JournalGap gap : summary.gaps()) {
            GapReason reason = gap.reason();
            json.writeStartObject();
            json.writeNumberField("shard", gap.shard());
            json.writeNumberField("firstSequence", gap.firstSequence());
            json.writeNumberField("count", gap.count());
            json.writeStringField("file", gap.file().toString());
            json.writeNumberField("offset", gap.offset());
            json.writeNumberField("beforeNs", gap.beforeNs());
            json.writeNumberField("afterNs", gap.afterNs());
            json.writeStringField("known", reason == null ? null : reason.words());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
