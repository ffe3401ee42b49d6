package io.millrace.app.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.collector.Collector;
import io.millrace.collector.Endpoint;
import io.millrace.collector.SocketCounters;
import io.millrace.collector.StreamCounter;
import io.millrace.collector.StreamCounters;
import io.millrace.collector.StreamInput;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The inputs of connections in {@code /api/status}. */
final class StreamsJson {
    private static final Pattern AFTER_UNDERSCORE = Pattern.compile("_(.)");

    private StreamsJson() {}

    static void write(JsonGenerator json, Collector collector) throws IOException {
        List<StreamInput> inputs = collector.settings().streams();
        List<Endpoint> endpoints = collector.endpoints();
        json.writeArrayFieldStart("streams");
        for (int i = 0; i < inputs.size(); i++) {
            json.writeStartObject();
            json.writeStringField("name", inputs.get(i).name());
            json.writeStringField("address", endpoints.get(i).toString());
            json.writeArrayFieldStart("shards");
            for (StreamCounters counters : collector.streams()) {
                if (counters.input().equals(inputs.get(i).name())) {
                    shard(json, counters);
                }
            }
            json.writeEndArray();
            json.writeArrayFieldStart("sockets");
            for (SocketCounters socket : collector.sockets()) {
                if (socket.input().equals(inputs.get(i).name())) {
                    StatusJson.socket(json, socket);
                }
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void shard(JsonGenerator json, StreamCounters counters) throws IOException {
        json.writeStartObject();
        json.writeNumberField("shard", counters.shard());
        json.writeNumberField("openConnections", counters.open());
        json.writeNumberField("pendingBytes", counters.pendingBytes());
        for (StreamCounter counter : StreamCounter.values()) {
            json.writeNumberField(key(counter), counters.get(counter));
        }
        json.writeEndObject();
    }

    /** {@code readBytes}, {@code closedPeer}. */
    private static String key(StreamCounter counter) {
        String name = counter.name().toLowerCase(Locale.ROOT);
        return AFTER_UNDERSCORE.matcher(name).replaceAll(it -> it.group(1).toUpperCase(Locale.ROOT));
    }
}
