package io.millrace.app.admin;

import io.millrace.app.fault.Fault;
import io.millrace.app.report.Json;
import io.millrace.app.report.Node;
import io.millrace.collector.Collector;
import io.millrace.collector.CollectorSettings;
import io.millrace.collector.Counter;
import io.millrace.collector.Distribution;
import io.millrace.collector.Distribution.Percentiles;
import io.millrace.collector.DropReason;
import io.millrace.collector.Endpoint;
import io.millrace.collector.JournalStatus;
import io.millrace.collector.Ledger;
import io.millrace.collector.ShardCounters;
import io.millrace.collector.SocketCounters;
import io.millrace.collector.StreamCounter;
import io.millrace.collector.StreamCounters;
import io.millrace.internal.text.IpText;
import io.millrace.sink.SinkStatus;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** JSON of {@code /api/status} and {@code /api/history}, which the page shows. Any thread. */
final class StatusJson {
    private static final Pattern WORD_END = Pattern.compile("[._](.)");

    private final Collector collector;
    private final History history;
    private final String version;
    private final String host;

    StatusJson(Collector collector, History history, String version, String host) {
        this.collector = collector;
        this.history = history;
        this.version = version;
        this.host = host;
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
        Ledger ledger = collector.ledger();
        List<SinkStatus> outputs = collector.outputs();
        CollectorSettings settings = collector.settings();
        Path data = settings.dataDirectory();
        Node perSecond = new Node();
        for (History.Measure measure : History.Measure.values()) {
            perSecond.put(lower(measure), rounded(history.rate(measure)));
        }
        return new Node()
                .put("version", version)
                .put("host", host)
                .put("now", Instant.now())
                .put("startedAt", String.valueOf(ledger.startedAt()))
                .put("state", state)
                .put("problems", problems)
                .put("warnings", warnings)
                .put("level", Fault.worst(faults).word())
                .put("faults", Node.list(faults, StatusJson::fault))
                .put("transport", collector.transport())
                .put("receivers", settings.receivers())
                .put("threading", lower(settings.get(CollectorSettings.THREADING)))
                .put("dataDirectory", data.toAbsolutePath().normalize())
                .put("freeBytes", data.toFile().getUsableSpace())
                .put("received", ledger.received())
                .put("journaled", ledger.journaled())
                .put("journal", journal())
                .put("merged", ledger.chunks().merged())
                .put("inFlight", ledger.inFlight())
                .put("lastKilled", ledger.lastKilled())
                .put("perSecond", perSecond)
                .put("losses", Node.list(List.of(DropReason.values()), place -> loss(place, ledger)))
                .put("inputs", inputs())
                .put("streams", streams())
                .put("shards", shards())
                .put("outputs", Node.list(outputs, this::output))
                .put("sources", SourcesJson.of(collector.sources()))
                .json();
    }

    private Node journal() {
        JournalStatus files = collector.files();
        Long oldest = files.oldestNs();
        return new Node()
                .put("files", files.files())
                .put("bytes", files.bytes())
                .put("oldest", oldest == null ? null : String.valueOf(Instant.ofEpochSecond(0, oldest)));
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static Node fault(Fault fault) {
        return new Node()
                .put("level", fault.level().word())
                .put("kind", fault.kind().key())
                .put("subject", fault.subject())
                .put("text", fault.text())
                .put("remedy", fault.remedy())
                .put("page", fault.page());
    }

    private Node loss(DropReason place, Ledger ledger) {
        return new Node()
                .put("place", place.key())
                .put("title", place.title())
                .put("stage", lower(place.stage()))
                .put("remedy", place.remedy())
                .put("page", Fault.pageOf(place))
                .put("ours", place.isOurs())
                .put("policy", place.isByPolicy())
                .put("source", place.source())
                .put("sinceStart", place.now(ledger))
                .put("lastHour", history.lostInHour(place))
                .put("lastMinute", history.lostInMinute(place))
                .put("lifetime", place.lifetime(ledger));
    }

    private List<Node> inputs() {
        List<CollectorSettings.Input> inputs = collector.settings().inputs();
        return IntStream.range(0, inputs.size())
                .mapToObj(i -> new Node()
                        .put("name", inputs.get(i).name())
                        .put("address", IpText.of(collector.addresses().get(i)))
                        .put("sockets", sockets(inputs.get(i).name())))
                .toList();
    }

    private List<Node> streams() {
        List<Endpoint> endpoints = collector.endpoints();
        return IntStream.range(0, endpoints.size())
                .mapToObj(i -> {
                    String name = collector.settings().streams().get(i).name();
                    List<Node> shards = collector.streams().stream()
                            .filter(counters -> counters.input().equals(name))
                            .map(StatusJson::connections)
                            .toList();
                    return new Node()
                            .put("name", name)
                            .put("address", endpoints.get(i))
                            .put("shards", shards)
                            .put("sockets", sockets(name));
                })
                .toList();
    }

    private List<Node> sockets(String input) {
        return collector.sockets().stream()
                .filter(socket -> socket.input().equals(input))
                .map(StatusJson::socket)
                .toList();
    }

    private static Node socket(SocketCounters socket) {
        return new Node()
                .put("shard", socket.shard())
                .put("received", socket.received())
                .put("bytes", socket.bytes())
                .put("dropped", socket.dropped())
                .put("truncated", socket.truncated())
                .put("errors", socket.errors())
                .put("queuedBytes", socket.queuedBytes())
                .put("bufferBytes", socket.bufferBytes());
    }

    private static Node connections(StreamCounters counters) {
        Node node = new Node()
                .put("shard", counters.shard())
                .put("openConnections", counters.open())
                .put("pendingBytes", counters.pendingBytes());
        for (StreamCounter counter : StreamCounter.values()) {
            node.put(camel(lower(counter)), counters.get(counter));
        }
        return node;
    }

    private List<Node> shards() {
        List<ShardCounters> shards = collector.shards();
        return IntStream.range(0, collector.settings().receivers())
                .mapToObj(i -> shard(i, shards.get(i)))
                .toList();
    }

    private static Node shard(int number, ShardCounters shard) {
        Node node = new Node()
                .put("shard", number)
                .put("received", shard.get(Counter.RECEIVED_DATAGRAMS))
                .put("journaled", shard.get(Counter.JOURNALED_DATAGRAMS))
                .put("blocked", shard.get(Counter.JOURNAL_BLOCKED) != 0)
                .put("backPressureMs", TimeUnit.NANOSECONDS.toMillis(shard.get(Counter.BACK_PRESSURE_NS)))
                .put("stalls", shard.get(Counter.RECEIVER_STALLS) + shard.get(Counter.WRITER_STALLS));
        for (Distribution distribution : Distribution.values()) {
            boolean isTime = distribution.unit() == Distribution.Unit.NANOSECONDS;
            double unit = isTime ? TimeUnit.MILLISECONDS.toNanos(1) : 1;
            Percentiles of = shard.percentiles(distribution);
            node.put(
                    camel(distribution.metricName()) + (isTime ? "Ms" : ""),
                    new Node()
                            .put("p50", of.p50() / unit)
                            .put("p90", of.p90() / unit)
                            .put("p99", of.p99() / unit)
                            .put("p999", of.p999() / unit)
                            .put("max", of.max() / unit));
        }
        return node;
    }

    /** {@code readBytes} for {@code read_bytes} and for {@code read.bytes}. */
    private static String camel(String words) {
        return WORD_END.matcher(words).replaceAll(it -> it.group(1).toUpperCase(Locale.ROOT));
    }

    private Node output(SinkStatus output) {
        OutputHistory.Lines lines = history.outputs().of(output.name());
        return new Node()
                .put("name", output.name())
                .with(Json.output(output))
                .put("perSecondLine", lines.perSecond())
                .put("lagMsLine", lines.lagMs());
    }

    /** The rates of a time up to now, the newest last. */
    String history(History.Span span) {
        Node node = new Node()
                .put("stepSeconds", span.step())
                .put("newest", Instant.ofEpochMilli(history.newestMs(span)))
                .put("lostCount", history.lost(span));
        for (History.Measure measure : History.Measure.values()) {
            List<Double> rates = Arrays.stream(history.rates(span, measure))
                    .map(StatusJson::rounded)
                    .boxed()
                    .toList();
            node.put(lower(measure), rates);
        }
        return node.json();
    }

    static double rounded(double rate) {
        return Math.rint(rate * 10) / 10;
    }
}
