package io.millrace.app.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.app.fault.Fault;
import io.millrace.app.report.Json;
import io.millrace.collector.Collector;
import io.millrace.collector.CollectorSettings;
import io.millrace.collector.Counter;
import io.millrace.collector.Distribution;
import io.millrace.collector.Distribution.Percentiles;
import io.millrace.collector.DropReason;
import io.millrace.collector.Ledger;
import io.millrace.collector.ShardCounters;
import io.millrace.collector.SocketCounters;
import io.millrace.internal.text.IpText;
import io.millrace.sink.SinkStatus;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Writer of {@code /api/status} and {@code /api/history}, which the page shows. Any thread. */
final class StatusJson {
    private static final Pattern AFTER_DOT = Pattern.compile("\\.(.)");

    private final Collector collector;
    private final History history;
    private final String version;

    StatusJson(Collector collector, History history, String version) {
        this.collector = collector;
        this.history = history;
        this.version = version;
    }

    /**
     * The current status.
     *
     * @param state {@code ready}, {@code notReady} or {@code stopping}
     * @param problems the reasons for not being ready
     * @param warnings what is wrong although it is ready
     * @param faults all that is wrong, the worst first
     */
    String status(String state, List<String> problems, List<String> warnings, List<Fault> faults) {
        return Json.object(json -> {
            Ledger ledger = collector.ledger();
            List<SinkStatus> outputs = collector.outputs();
            json.writeStringField("version", version);
            json.writeStringField("now", Instant.now().toString());
            json.writeStringField("startedAt", String.valueOf(ledger.startedAt()));
            json.writeStringField("state", state);
            Json.texts(json, "problems", problems);
            Json.texts(json, "warnings", warnings);
            faults(json, faults);
            json.writeStringField("transport", collector.transport());
            json.writeNumberField("receivers", collector.settings().receivers());
            json.writeStringField(
                    "threading",
                    collector.settings().get(CollectorSettings.THREADING).name().toLowerCase(Locale.ROOT));
            json.writeStringField(
                    "dataDirectory",
                    collector
                            .settings()
                            .dataDirectory()
                            .toAbsolutePath()
                            .normalize()
                            .toString());
            json.writeNumberField(
                    "freeBytes", collector.settings().dataDirectory().toFile().getUsableSpace());
            json.writeNumberField("received", ledger.received());
            json.writeNumberField("journaled", ledger.journaled());
            json.writeNumberField("merged", ledger.chunks().merged());
            json.writeNumberField("inFlight", ledger.inFlight());
            json.writeBooleanField("lastKilled", ledger.lastKilled());
            rates(json);
            path(json, ledger);
            inputs(json);
            StreamsJson.write(json, collector);
            shards(json);
            outputs(json, outputs);
            SourcesJson.write(json, collector.sources());
        });
    }

    private static void faults(JsonGenerator json, List<Fault> faults) throws IOException {
        json.writeStringField("level", Fault.worst(faults).word());
        json.writeArrayFieldStart("faults");
        for (Fault fault : faults) {
            json.writeStartObject();
            json.writeStringField("level", fault.level().word());
            json.writeStringField("kind", fault.kind().key());
            json.writeStringField("subject", fault.subject());
            json.writeStringField("text", fault.text());
            json.writeStringField("remedy", fault.remedy());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void rates(JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("perSecond");
        for (History.Measure measure : History.Measure.values()) {
            number(json, measure.name().toLowerCase(Locale.ROOT), history.rate(measure));
        }
        json.writeEndObject();
    }

    private void path(JsonGenerator json, Ledger ledger) throws IOException {
        json.writeArrayFieldStart("losses");
        for (DropReason place : DropReason.values()) {
            json.writeStartObject();
            json.writeStringField("place", place.key());
            json.writeStringField("title", place.title());
            json.writeStringField("stage", place.stage().name().toLowerCase(Locale.ROOT));
            json.writeStringField("remedy", place.remedy());
            json.writeBooleanField("ours", place.isOurs());
            json.writeBooleanField("policy", place.isByPolicy());
            json.writeStringField("source", place.source());
            Json.number(json, "sinceStart", place.now(ledger));
            Json.number(json, "lastHour", history.lostInHour(place));
            Json.number(json, "lastMinute", history.lostInMinute(place));
            Json.number(json, "lifetime", place.lifetime(ledger));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void inputs(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("inputs");
        List<CollectorSettings.Input> inputs = collector.settings().inputs();
        List<InetSocketAddress> addresses = collector.addresses();
        for (int i = 0; i < inputs.size(); i++) {
            json.writeStartObject();
            json.writeStringField("name", inputs.get(i).name());
            json.writeStringField("address", IpText.of(addresses.get(i)));
            json.writeArrayFieldStart("sockets");
            for (SocketCounters socket : collector.sockets()) {
                if (socket.input().equals(inputs.get(i).name())) {
                    socket(json, socket);
                }
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    static void socket(JsonGenerator json, SocketCounters socket) throws IOException {
        json.writeStartObject();
        json.writeNumberField("shard", socket.shard());
        json.writeNumberField("received", socket.received());
        json.writeNumberField("bytes", socket.bytes());
        json.writeNumberField("dropped", socket.dropped());
        json.writeNumberField("truncated", socket.truncated());
        json.writeNumberField("errors", socket.errors());
        Json.number(json, "queuedBytes", socket.queuedBytes());
        json.writeNumberField("bufferBytes", socket.bufferBytes());
        json.writeEndObject();
    }

    private void shards(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("shards");
        List<ShardCounters> shards = collector.shards();
        for (int i = 0; i < collector.settings().receivers(); i++) {
            ShardCounters shard = shards.get(i);
            json.writeStartObject();
            json.writeNumberField("shard", i);
            json.writeNumberField("received", shard.get(Counter.RECEIVED_DATAGRAMS));
            json.writeNumberField("journaled", shard.get(Counter.JOURNALED_DATAGRAMS));
            json.writeBooleanField("blocked", shard.get(Counter.JOURNAL_BLOCKED) != 0);
            json.writeNumberField("backPressureMs", TimeUnit.NANOSECONDS.toMillis(shard.get(Counter.BACK_PRESSURE_NS)));
            json.writeNumberField("stalls", shard.get(Counter.RECEIVER_STALLS) + shard.get(Counter.WRITER_STALLS));
            for (Distribution distribution : Distribution.values()) {
                percentiles(json, distribution, shard.percentiles(distribution));
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void percentiles(JsonGenerator json, Distribution distribution, Percentiles of) throws IOException {
        boolean isTime = distribution.unit() == Distribution.Unit.NANOSECONDS;
        double unit = isTime ? TimeUnit.MILLISECONDS.toNanos(1) : 1;
        json.writeObjectFieldStart(camel(distribution.metricName()) + (isTime ? "Ms" : ""));
        json.writeNumberField("p50", of.p50() / unit);
        json.writeNumberField("p90", of.p90() / unit);
        json.writeNumberField("p99", of.p99() / unit);
        json.writeNumberField("p999", of.p999() / unit);
        json.writeNumberField("max", of.max() / unit);
        json.writeEndObject();
    }

    private static String camel(String dotted) {
        return AFTER_DOT.matcher(dotted).replaceAll(it -> it.group(1).toUpperCase(Locale.ROOT));
    }

    private void outputs(JsonGenerator json, List<SinkStatus> outputs) throws IOException {
        json.writeArrayFieldStart("outputs");
        for (SinkStatus output : outputs) {
            json.writeStartObject();
            json.writeStringField("name", output.name());
            Json.output(json, output);
            OutputHistory.Lines lines = history.outputs().of(output.name());
            line(json, "perSecondLine", lines.perSecond());
            line(json, "lagMsLine", lines.lagMs());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void line(JsonGenerator json, String name, List<Long> values) throws IOException {
        json.writeArrayFieldStart(name);
        for (long value : values) {
            json.writeNumber(value);
        }
        json.writeEndArray();
    }

    /** The rates of a time up to now, the newest last. */
    String history(History.Span span) {
        return Json.object(json -> {
            json.writeNumberField("stepSeconds", span.step());
            json.writeStringField(
                    "newest", Instant.ofEpochMilli(history.newestMs(span)).toString());
            json.writeNumberField("lostCount", history.lost(span));
            for (History.Measure measure : History.Measure.values()) {
                json.writeArrayFieldStart(measure.name().toLowerCase(Locale.ROOT));
                for (double rate : history.rates(span, measure)) {
                    if (Double.isNaN(rate)) {
                        json.writeNull();
                    } else {
                        json.writeNumber(rounded(rate));
                    }
                }
                json.writeEndArray();
            }
        });
    }

    private static void number(JsonGenerator json, String name, double value) throws IOException {
        if (Double.isNaN(value)) {
            json.writeNullField(name);
        } else {
            json.writeNumberField(name, rounded(value));
        }
    }

    private static double rounded(double rate) {
        return Math.rint(rate * 10) / 10;
    }
}
