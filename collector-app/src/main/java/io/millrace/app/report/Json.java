package io.millrace.app.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;
import io.millrace.app.doctor.Doctor;
import io.millrace.app.doctor.DoctorSettings;
import io.millrace.app.doctor.Finding;
import io.millrace.app.doctor.FindingSeverity;
import io.millrace.collector.DropReason;
import io.millrace.collector.HostCounter;
import io.millrace.collector.Ledger;
import io.millrace.output.internal.secret.Secrets;
import io.millrace.sink.Adjustment;
import io.millrace.sink.Positions;
import io.millrace.sink.Refusal;
import io.millrace.sink.SinkStatus;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** JSON of commands and of admin HTTP. Null means unavailable. */
public final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();

    /** Writer of the fields of an object. */
    public interface Body {
        void write(JsonGenerator json) throws IOException;
    }

    private Json() {}

    /** Generator that redacts the secrets of the configuration. */
    private static final class RedactedGenerator extends JsonGeneratorDelegate {
        RedactedGenerator(JsonGenerator json) {
            super(json);
        }

        @Override
        public void writeString(String text) throws IOException {
            super.writeString(text == null ? null : Secrets.known().redact(text));
        }
    }

    public static String object(Body body) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new RedactedGenerator(FACTORY.createGenerator(text))) {
            json.writeStartObject();
            body.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** The ledger of a running service, with the state of each output. */
    public static String ledgerOf(Ledger ledger, List<SinkStatus> outputs) {
        return ledger(ledger, json -> {
            for (SinkStatus output : outputs) {
                json.writeObjectFieldStart(output.name());
                output(json, output);
                json.writeEndObject();
            }
        });
    }

    /** The ledger of a data directory, with the stored positions of outputs. */
    public static String ledger(Ledger ledger, List<LedgerText.Delivered> outputs) {
        return ledger(ledger, json -> {
            for (LedgerText.Delivered output : outputs) {
                json.writeObjectFieldStart(output.name());
                delivered(json, output.counts(), output.pending(), output.expired());
                json.writeEndObject();
            }
        });
    }

    private static String ledger(Ledger ledger, Body delivered) {
        return object(json -> {
            time(json, "startedAt", ledger.startedAt());
            time(json, "stoppedAt", ledger.stoppedAt());
            json.writeNumberField("received", ledger.received());
            json.writeNumberField("journaled", ledger.journaled());
            chunks(json, ledger.chunks());
            json.writeNumberField("inFlight", ledger.inFlight());
            drops(json, ledger::dropped);
            json.writeObjectFieldStart("hostWide");
            for (HostCounter counter : HostCounter.values()) {
                number(json, counter.key(), ledger.hostWide().get(counter));
            }
            json.writeEndObject();
            json.writeNumberField("truncated", ledger.truncated());
            json.writeNumberField("expiredUnread", ledger.expiredUnread());
            json.writeObjectFieldStart("streams");
            json.writeNumberField("readBytes", ledger.streams().read());
            json.writeNumberField("payloadBytes", ledger.streams().payload());
            json.writeNumberField("framingBytes", ledger.streams().framing());
            json.writeNumberField("skippedBytes", ledger.streams().skipped());
            json.writeNumberField("pendingBytes", ledger.streams().pending());
            json.writeNumberField("afterStopBytes", ledger.streams().afterStop());
            json.writeEndObject();
            json.writeObjectFieldStart("delivered");
            delivered.write(json);
            json.writeEndObject();
            json.writeBooleanField("lastKilled", ledger.lastKilled());
            json.writeObjectFieldStart("lifetime");
            json.writeNumberField("received", ledger.lifetime().received());
            json.writeNumberField("journaled", ledger.lifetime().journaled());
            chunks(json, ledger.lifetime().chunks());
            drops(json, ledger.lifetime()::dropped);
            json.writeNumberField("expiredUnread", ledger.lifetime().expiredUnread());
            json.writeNumberField("kills", ledger.lifetime().kills());
            json.writeEndObject();
        });
    }

    private static void chunks(JsonGenerator json, Ledger.Chunks chunks) throws IOException {
        json.writeNumberField("merged", chunks.merged());
        json.writeNumberField("duplicateChunks", chunks.duplicates());
    }

    public static String doctor(List<Finding> findings, DoctorSettings settings) {
        return object(json -> {
            json.writeArrayFieldStart("findings");
            for (Finding finding : findings) {
                json.writeStartObject();
                json.writeStringField("id", finding.id());
                json.writeStringField("severity", finding.severity().text());
                json.writeStringField("subject", finding.subject());
                json.writeStringField("seen", finding.seen());
                json.writeStringField("source", finding.source());
                json.writeStringField("why", finding.diagnosis().why());
                texts(json, "now", finding.remediation().now());
                texts(json, "lasting", finding.remediation().lasting());
                json.writeStringField("advice", finding.remediation().advice());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeObjectFieldStart("summary");
            for (FindingSeverity severity : FindingSeverity.values()) {
                json.writeNumberField(severity.text(), Doctor.count(findings, severity));
            }
            json.writeNumberField("rate", settings.rate());
            json.writeBooleanField("rateAssumed", !settings.rateGiven());
            json.writeEndObject();
        });
    }

    /** Writes an array of texts. */
    public static void texts(JsonGenerator json, String name, List<String> texts) throws IOException {
        json.writeArrayFieldStart(name);
        for (String text : texts) {
            json.writeString(text);
        }
        json.writeEndArray();
    }

    /** Writes the fields of an output's state. */
    public static void output(JsonGenerator json, SinkStatus output) throws IOException {
        delivered(json, output.counts(), output.pending(), output.expired());
        json.writeNumberField("pendingBytes", output.pendingBytes());
        json.writeNumberField("lagMs", TimeUnit.NANOSECONDS.toMillis(output.lagNs()));
        json.writeNumberField("inFlight", output.inFlightRecords());
        json.writeNumberField("retries", output.retries());
        json.writeObjectFieldStart("refused");
        for (Map.Entry<Refusal, Long> each : output.refused().entrySet()) {
            json.writeNumberField(each.getKey().code(), each.getValue());
        }
        json.writeEndObject();
        json.writeObjectFieldStart("adjusted");
        for (Map.Entry<Adjustment, Long> each : output.adjusted().entrySet()) {
            json.writeNumberField(each.getKey().code(), each.getValue());
        }
        json.writeEndObject();
        json.writeNumberField("deadLettersDeleted", output.deadLettersDeleted());
        json.writeNumberField("filesDeleted", output.filesDeleted());
        json.writeStringField(
                "state", output.finished() ? "finished" : output.problem() == null ? "delivering" : "failing");
        json.writeStringField("problem", output.problem());
    }

    private static void delivered(JsonGenerator json, Positions.Counts counts, long pending, long expired)
            throws IOException {
        json.writeNumberField("acked", counts.acked());
        json.writeNumberField("filtered", counts.filtered());
        json.writeNumberField("deadLettered", counts.deadLettered());
        json.writeNumberField("missing", counts.missing());
        json.writeNumberField("pending", pending);
        json.writeNumberField("expired", expired);
    }

    /** The reasons with a field of their own, and then those of the object {@code dropped}. */
    private static void drops(JsonGenerator json, Function<DropReason, @Nullable Long> lost) throws IOException {
        for (DropReason reason : DropReason.values()) {
            if (reason.field().equals(reason.key())) {
                number(json, reason.key(), lost.apply(reason));
            }
        }
        json.writeObjectFieldStart("dropped");
        for (DropReason reason : DropReason.values()) {
            if (reason.field().startsWith("dropped.")) {
                number(json, reason.key(), lost.apply(reason));
            }
        }
        json.writeEndObject();
    }

    private static void time(JsonGenerator json, String name, @Nullable Instant time) throws IOException {
        json.writeStringField(name, time == null ? null : time.toString());
    }

    /** Writes a number, or null if it is unavailable. */
    public static void number(JsonGenerator json, String name, @Nullable Long value) throws IOException {
        if (value == null) {
            json.writeNullField(name);
        } else {
            json.writeNumberField(name, value);
        }
    }

    /** The positions of outputs. */
    public static String positions(Map<String, Positions> all, long[] ends) {
        return object(json -> {
            for (Map.Entry<String, Positions> each : all.entrySet()) {
                Positions positions = each.getValue();
                json.writeObjectFieldStart(each.getKey());
                json.writeNumberField("acked", positions.counts().acked());
                json.writeNumberField("filtered", positions.counts().filtered());
                json.writeNumberField("deadLettered", positions.counts().deadLettered());
                json.writeNumberField("missing", positions.counts().missing());
                if (positions.range() != null) {
                    json.writeBooleanField("finished", positions.isFinished());
                }
                json.writeArrayFieldStart("shards");
                for (int shard = 0; shard < ends.length; shard++) {
                    json.writeStartObject();
                    json.writeNumberField("shard", shard);
                    json.writeNumberField("next", positions.next(shard));
                    json.writeNumberField("end", positions.upTo(shard, ends[shard]));
                    json.writeEndObject();
                }
                json.writeEndArray();
                json.writeEndObject();
            }
        });
    }
}
