package io.millrace.app;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.counters.HostCounters;
import io.millrace.counters.Ledger;
import io.millrace.deliver.Positions;
import io.millrace.deliver.SinkStatus;
import io.millrace.journal.JournalScanner;
import io.millrace.journal.JournalSummary;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The JSON of commands and of admin HTTP. Null is "unavailable". */
final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();

    /** Something that writes fields. */
    interface Body {
        void write(JsonGenerator json) throws IOException;
    }

    private Json() {}

    static String object(Body body) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.writeStartObject();
            body.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    static String ledger(Ledger ledger, List<SinkStatus> outputs) {
        return object(json -> {
            json.writeNumberField("received", ledger.received());
            json.writeNumberField("journaled", ledger.journaled());
            json.writeNumberField("inFlight", ledger.inFlight());
            json.writeNumberField("crash", ledger.crash());
            number(json, "afterStop", ledger.afterStop());
            dropped(json, ledger.dropped());
            hostWide(json, ledger.hostWide());
            json.writeNumberField("truncated", ledger.truncated());
            json.writeNumberField("expiredUnread", ledger.expiredUnread());
            json.writeObjectFieldStart("delivered");
            for (SinkStatus output : outputs) {
                delivered(json, output);
            }
            json.writeEndObject();
            json.writeObjectFieldStart("lifetime");
            json.writeNumberField("received", ledger.lifetime().received());
            json.writeNumberField("journaled", ledger.lifetime().journaled());
            json.writeNumberField("crash", ledger.lifetime().crash());
            dropped(json, ledger.lifetime().dropped());
            json.writeEndObject();
        });
    }

    private static void delivered(JsonGenerator json, SinkStatus output) throws IOException {
        json.writeObjectFieldStart(output.name());
        json.writeNumberField("acked", output.counts().acked());
        json.writeNumberField("filtered", output.counts().filtered());
        json.writeNumberField("deadLettered", output.counts().deadLettered());
        json.writeNumberField("missing", output.counts().missing());
        json.writeNumberField("pending", output.pending());
        json.writeNumberField("pendingBytes", output.pendingBytes());
        json.writeNumberField("lagMs", TimeUnit.NANOSECONDS.toMillis(output.lagNs()));
        json.writeNumberField("retries", output.retries());
        json.writeStringField("problem", output.problem());
        json.writeEndObject();
    }

    private static void dropped(JsonGenerator json, Ledger.Dropped dropped) throws IOException {
        json.writeObjectFieldStart("dropped");
        number(json, "socketBuffer", dropped.socketBuffer());
        json.writeNumberField("journalFull", dropped.journalFull());
        json.writeNumberField("denied", dropped.denied());
        json.writeNumberField("rateLimited", dropped.rateLimited());
        json.writeEndObject();
    }

    private static void hostWide(JsonGenerator json, HostCounters host) throws IOException {
        json.writeObjectFieldStart("hostWide");
        number(json, "nic", host.nic());
        number(json, "softnetBacklog", host.softnetBacklog());
        number(json, "udpReceiveBuffer", host.udpReceiveBuffer());
        number(json, "udpMemory", host.udpMemory());
        number(json, "checksum", host.checksum());
        json.writeEndObject();
    }

    private static void number(JsonGenerator json, String name, @Nullable Long value) throws IOException {
        if (value == null) {
            json.writeNullField(name);
        } else {
            json.writeNumberField(name, value);
        }
    }

    static String summary(JournalSummary summary, @Nullable List<JournalScanner.Problem> problems) {
        return object(json -> {
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
            if (problems != null) {
                json.writeBooleanField("clean", problems.isEmpty());
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
        });
    }

    static String positions(Map<String, Positions> all, long[] ends) {
        return object(json -> {
            for (Map.Entry<String, Positions> each : all.entrySet()) {
                Positions positions = each.getValue();
                json.writeObjectFieldStart(each.getKey());
                json.writeNumberField("acked", positions.counts().acked());
                json.writeNumberField("filtered", positions.counts().filtered());
                json.writeNumberField("deadLettered", positions.counts().deadLettered());
                json.writeNumberField("missing", positions.counts().missing());
                json.writeArrayFieldStart("shards");
                for (int shard = 0; shard < ends.length; shard++) {
                    json.writeStartObject();
                    json.writeNumberField("shard", shard);
                    json.writeNumberField("next", positions.next(shard));
                    json.writeNumberField("end", ends[shard]);
                    json.writeEndObject();
                }
                json.writeEndArray();
                json.writeEndObject();
            }
        });
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
}
