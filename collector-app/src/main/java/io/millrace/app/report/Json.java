package io.millrace.app.report;

import io.millrace.app.doctor.Doctor;
import io.millrace.app.doctor.DoctorSettings;
import io.millrace.app.doctor.Finding;
import io.millrace.app.doctor.FindingSeverity;
import io.millrace.collector.DropReason;
import io.millrace.collector.HostCounter;
import io.millrace.collector.Ledger;
import io.millrace.sink.Positions;
import io.millrace.sink.SinkStatus;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** JSON of ledger, outputs and doctor. Null means unavailable. */
public final class Json {
    private Json() {}

    /** The ledger of a running service, with the state of each output. */
    public static String ledgerOf(Ledger ledger, List<SinkStatus> outputs) {
        Node delivered = new Node();
        outputs.forEach(output -> delivered.put(output.name(), output(output)));
        return ledger(ledger, delivered);
    }

    /** The ledger of a data directory, with the stored positions of outputs. */
    public static String ledger(Ledger ledger, List<LedgerText.Delivered> outputs) {
        Node delivered = new Node();
        outputs.forEach(output -> delivered.put(
                output.name(),
                counts(output.counts()).put("pending", output.pending()).put("expired", output.expired())));
        return ledger(ledger, delivered);
    }

    private static String ledger(Ledger ledger, Node delivered) {
        Node hostWide = new Node();
        for (HostCounter counter : HostCounter.values()) {
            hostWide.put(counter.key(), ledger.hostWide().get(counter));
        }
        Ledger.Streams streams = ledger.streams();
        Ledger.Lifetime lifetime = ledger.lifetime();
        return new Node()
                .put("startedAt", ledger.startedAt())
                .put("stoppedAt", ledger.stoppedAt())
                .put("received", ledger.received())
                .put("journaled", ledger.journaled())
                .with(chunks(ledger.chunks()))
                .put("inFlight", ledger.inFlight())
                .with(drops(ledger::dropped))
                .put("hostWide", hostWide)
                .put("truncated", ledger.truncated())
                .put("expiredUnread", ledger.expiredUnread())
                .put(
                        "streams",
                        new Node()
                                .put("readBytes", streams.read())
                                .put("payloadBytes", streams.payload())
                                .put("framingBytes", streams.framing())
                                .put("skippedBytes", streams.skipped())
                                .put("pendingBytes", streams.pending())
                                .put("afterStopBytes", streams.afterStop()))
                .put("delivered", delivered)
                .put("lastKilled", ledger.lastKilled())
                .put(
                        "lifetime",
                        new Node()
                                .put("received", lifetime.received())
                                .put("journaled", lifetime.journaled())
                                .with(chunks(lifetime.chunks()))
                                .with(drops(lifetime::dropped))
                                .put("expiredUnread", lifetime.expiredUnread())
                                .put("kills", lifetime.kills()))
                .json();
    }

    private static Node chunks(Ledger.Chunks chunks) {
        return new Node().put("merged", chunks.merged()).put("duplicateChunks", chunks.duplicates());
    }

    /** The reasons with a field of their own, and then those of the object {@code dropped}. */
    private static Node drops(Function<DropReason, @Nullable Long> lost) {
        Node own = new Node();
        Node dropped = new Node();
        for (DropReason reason : DropReason.values()) {
            if (reason.field().equals(reason.key())) {
                own.put(reason.key(), lost.apply(reason));
            } else if (reason.field().startsWith("dropped.")) {
                dropped.put(reason.key(), lost.apply(reason));
            }
        }
        return own.put("dropped", dropped);
    }

    public static String doctor(List<Finding> findings, DoctorSettings settings) {
        Node summary = new Node();
        for (FindingSeverity severity : FindingSeverity.values()) {
            summary.put(severity.text(), Doctor.count(findings, severity));
        }
        summary.put("rate", settings.rate()).put("rateAssumed", !settings.rateGiven());
        return new Node()
                .put("findings", Node.list(findings, Json::finding))
                .put("summary", summary)
                .json();
    }

    private static Node finding(Finding finding) {
        return new Node()
                .put("id", finding.id())
                .put("severity", finding.severity().text())
                .put("subject", finding.subject())
                .put("seen", finding.seen())
                .put("source", finding.source())
                .put("why", finding.diagnosis().why())
                .put("now", finding.remediation().now())
                .put("lasting", finding.remediation().lasting())
                .put("advice", finding.remediation().advice());
    }

    public static Node output(SinkStatus output) {
        Node refused = new Node();
        output.refused().forEach((reason, count) -> refused.put(reason.code(), count));
        Node adjusted = new Node();
        output.adjusted().forEach((reason, count) -> adjusted.put(reason.code(), count));
        return counts(output.counts())
                .put("pending", output.pending())
                .put("expired", output.expired())
                .put("pendingBytes", output.pendingBytes())
                .put("lagMs", TimeUnit.NANOSECONDS.toMillis(output.lagNs()))
                .put("inFlight", output.inFlightRecords())
                .put("retries", output.retries())
                .put("refused", refused)
                .put("adjusted", adjusted)
                .put("deadLettersDeleted", output.deadLettersDeleted())
                .put("filesDeleted", output.filesDeleted())
                .put("state", output.finished() ? "finished" : output.problem() == null ? "delivering" : "failing")
                .put("problem", output.problem());
    }

    private static Node counts(Positions.Counts counts) {
        return new Node()
                .put("acked", counts.acked())
                .put("filtered", counts.filtered())
                .put("deadLettered", counts.deadLettered())
                .put("missing", counts.missing());
    }

    public static String positions(Map<String, Positions> all, long[] ends) {
        Node outputs = new Node();
        all.forEach((name, positions) -> {
            Node output = counts(positions.counts());
            if (positions.range() != null) {
                output.put("finished", positions.isFinished());
            }
            List<Node> shards = IntStream.range(0, ends.length)
                    .mapToObj(shard -> new Node()
                            .put("shard", shard)
                            .put("next", positions.next(shard))
                            .put("end", positions.upTo(shard, ends[shard])))
                    .toList();
            outputs.put(name, output.put("shards", shards));
        });
        return outputs.json();
    }
}
