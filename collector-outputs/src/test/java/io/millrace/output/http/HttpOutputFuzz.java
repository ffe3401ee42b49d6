package io.millrace.output.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.internal.deliver.TestBatch;
import io.millrace.internal.format.EcsFormat;
import io.millrace.internal.format.JsonFormat;
import io.millrace.internal.format.RawFormat;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.output.OutputFuzz;
import io.millrace.output.internal.http.HttpProtocol;
import io.millrace.output.internal.http.clickhouse.ClickHouseProtocol;
import io.millrace.output.internal.http.elasticsearch.BulkProtocol;
import io.millrace.output.internal.http.elasticsearch.IndexNames;
import io.millrace.output.internal.http.loki.LokiProtocol;
import io.millrace.output.internal.http.splunk.HecIndexes;
import io.millrace.output.internal.http.splunk.HecMetadata;
import io.millrace.output.internal.http.splunk.HecProtocol;
import io.millrace.output.internal.name.NameLimit;
import io.millrace.sink.SinkBatch;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/** Bodies of requests: each is JSON or lines of it, has each message once, and nothing that a message put between them. */
public final class HttpOutputFuzz extends OutputFuzz {
    private final ObjectMapper json = new ObjectMapper().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
    private final TestBatch batch = new TestBatch();

    /** Made by name. */
    public HttpOutputFuzz() {
        super("http-output");
    }

    @Override
    protected void take(byte[] bytes) throws IOException {
        int choice = choice(bytes);
        LineFormat format = (choice & 2) == 0 ? new JsonFormat() : JsonFormat.flat();
        if ((choice & 0x90) == 0x90) {
            clickHouse(new ClickHouseProtocol(format), message(bytes));
        } else if ((choice & 0x20) != 0) {
            LineFormat shown = (choice & 4) == 0 ? format : new RawFormat();
            hec(shown, (choice & 0x40) != 0, choice, message(bytes));
        } else if ((choice & 1) == 0) {
            bulk(new BulkProtocol((choice & 4) == 0 ? format : new EcsFormat(), indexes(choice)), message(bytes));
        } else {
            Map<String, String> labels = Map.of("job", "a \"b\"", "host", "{hostname}", "app", "{appname}");
            loki(new LokiProtocol((choice & 4) == 0 ? format : new RawFormat(), labels, limit(choice)), message(bytes));
        }
    }

    private static NameLimit limit(int choice) {
        return new NameLimit(choice >> 2 & 3, 3, System::nanoTime);
    }

    private static IndexNames indexes(int choice) {
        return new IndexNames(Objects.requireNonNull(IndexNames.parse("logs-{date}-{hostname}")), limit(choice));
    }

    private String body(HttpProtocol shape, byte[] message) {
        that(encode(shape, message) == 3, "every message can be sent like this");
        return written(shape);
    }

    /** Returns how many messages were not refused. */
    private int encode(HttpProtocol shape, byte[] message) {
        batch.clear();
        return fill(batch, message, shape::encode);
    }

    private String written(HttpProtocol shape) {
        LineBuffer body = new LineBuffer();
        SinkBatch filled = batch.batch();
        shape.write(filled, IntStream.range(0, 3).filter(filled::isOpen).toArray(), body);
        return text(body);
    }

    private void hec(LineFormat format, boolean raw, int choice, byte[] message) throws IOException {
        HecProtocol shape = raw
                ? new HecProtocol(format, true, Map.of(), null, null)
                : new HecProtocol(
                        format,
                        false,
                        Map.of("host", metadata("{hostname}"), "source", metadata("{appname}/{msgid}")),
                        new HecIndexes(
                                Objects.requireNonNull(HecIndexes.parse("net-{hostname}-{appname}")), limit(choice)),
                        null);
        int taken = encode(shape, message);
        that(taken == 3 || !format.isJson(), "every message can be sent like this");
        String body = written(shape);
        if (raw) {
            that(body.split("\n", -1).length == taken + 1, "lines of " + taken + " messages: " + body);
            return;
        }
        int events = 0;
        try (MappingIterator<JsonNode> all = json.readerFor(JsonNode.class).readValues(body)) {
            for (; all.hasNext(); events++) {
                JsonNode event = all.next();
                that(event.get("time").isNumber(), body);
                that(event.get("index").asText().matches("net-[a-z0-9_-]+"), body);
                that(!event.has("host") || event.get("host").asText().length() <= 255, body);
                that(
                        event.get("event").isObject()
                                || !event.get("event").asText().isEmpty(),
                        body);
            }
        }
        that(events == taken, events + " events of " + taken + " messages");
    }

    private void clickHouse(ClickHouseProtocol shape, byte[] message) throws IOException {
        String body = body(shape, message);
        List<String> rows = List.of(body.split("\n", -1));
        that(rows.size() == 4 && rows.get(3).isEmpty(), "rows of three messages: " + body);
        for (String row : rows.subList(0, 3)) {
            that(json.readTree(row).isObject(), row);
        }
        String token = shape.query(batch.batch(), new int[] {0, 1, 2});
        that(token.matches("insert_deduplication_token=[0-9a-f]{64}"), token);
        that(!token.equals(shape.query(batch.batch(), new int[] {0, 1})), "other records have another token");
    }

    private static HecMetadata metadata(String text) {
        return Objects.requireNonNull(HecMetadata.parse(text));
    }

    private void bulk(BulkProtocol shape, byte[] message) throws IOException {
        String body = body(shape, message);
        that(body.endsWith("\n"), body);
        List<String> lines = List.of(body.substring(0, body.length() - 1).split("\n", -1));
        that(lines.size() == 6, lines.size() + " lines of three messages: " + body);
        for (int i = 0; i < lines.size(); i += 2) {
            JsonNode action = new ObjectMapper().readTree(lines.get(i));
            that(action.get("create").get("_index").asText().matches("logs-[a-z0-9._@-]+"), lines.get(i));
            that(action.get("create").get("_id").asText().endsWith("-2-" + (1 + i / 2)), lines.get(i));
            that(json.readTree(lines.get(i + 1)).isObject(), lines.get(i + 1));
        }
    }

    private void loki(LokiProtocol shape, byte[] message) throws IOException {
        String body = body(shape, message);
        int values = 0;
        for (JsonNode stream : json.readTree(body).get("streams")) {
            that(stream.get("stream").get("job").asText().equals("a \"b\""), body);
            for (JsonNode label : stream.get("stream")) {
                that(label.isTextual() && label.asText().length() <= 1024, body);
            }
            for (JsonNode entry : stream.get("values")) {
                that(entry.size() == 2 && entry.get(1).isTextual(), body);
                values++;
            }
        }
        that(values == 3, values + " entries of three messages");
    }
}
