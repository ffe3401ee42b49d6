package io.millrace.output.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.output.TestServer;
import io.millrace.output.http.HttpReceiver.Reply;
import io.millrace.output.http.HttpReceiver.Request;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A model of Splunk's HTTP Event Collector. Each rule names its source: FORMAT is "Format events for HTTP Event Collector", ERRORS is "Troubleshoot
 * HTTP Event Collector", ACK is "About HTTP Event Collector Indexer Acknowledgment", REST is {@code services/collector} of the "REST API Reference
 * Manual", and CONF is indexes.conf.spec.
 */
final class SplunkReceiver implements TestServer {
    static final String TOKEN = "11111111-2222-4333-8444-555555555555";

    private static final String GUID = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";
    private static final Set<String> KEYS = Set.of("time", "host", "source", "sourcetype", "index", "event", "fields");

    private final ObjectMapper json = new ObjectMapper()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    private final HttpReceiver receiver = new HttpReceiver(this::answer);
    private final Map<String, Channel> channels = new HashMap<>();
    private final Set<String> indexes = new HashSet<>(Set.of("main"));
    private final boolean acknowledges;

    /** The event that is rejected, the status and the code. */
    private volatile Predicate<String> rejected = event -> false;

    private volatile int rejectedStatus = 400;
    private volatile int rejectedCode = 6;

    /** How often it answers a query before something is indexed. */
    volatile int pollsUntilIndexed = 1;

    volatile boolean indexesNothing;
    volatile boolean losesAnswersToQueries;
    private final AtomicInteger queries = new AtomicInteger();
    private volatile Map<String, String> queryOfRaw = Map.of();
    private final List<JsonNode> events = new CopyOnWriteArrayList<>();
    private final Set<String> seenChannels = ConcurrentHashMap.newKeySet();

    /** ACK: requests of a channel are numbered from 0. */
    private static final class Channel {
        private int next;
        private final Map<Integer, Integer> pollsLeft = new HashMap<>();
    }

    SplunkReceiver(boolean acknowledges, String... indexes) {
        this.acknowledges = acknowledges;
        this.indexes.addAll(List.of(indexes));
    }

    void reject(Predicate<String> event, int status, int code) {
        rejectedStatus = status;
        rejectedCode = code;
        rejected = event;
    }

    void create(String index) {
        synchronized (channels) {
            indexes.add(index);
        }
    }

    HttpReceiver http() {
        return receiver;
    }

    URI uri() {
        return receiver.uri();
    }

    /** The events as they came, with their metadata. */
    List<JsonNode> events() {
        return List.copyOf(events);
    }

    /** The parameters of the last raw request. */
    Map<String, String> queryOfRaw() {
        return queryOfRaw;
    }

    /** The number of queries for acknowledgements. */
    int queries() {
        return queries.get();
    }

    Set<String> seenChannels() {
        return seenChannels;
    }

    private Reply answer(Request request, List<String> received) throws IOException {
        synchronized (channels) {
            Reply refused = authorize(request);
            if (refused != null) {
                return refused;
            }
            return switch (request.path()) {
                case "/services/collector/event" -> events(request, received);
                case "/services/collector/raw" -> raw(request, received);
                case "/services/collector/ack" -> acks(request);
                default ->
                    // REST: other paths are answered with 404 in JSON.
                    Reply.of(404, "{\"text\":\"The requested URL was not found on this server.\",\"code\":404}");
            };
        }
    }

    private @Nullable Reply authorize(Request request) {
        String authorization = request.headers().getFirst("Authorization");
        String encoding = request.headers().getFirst("Content-Encoding");
        if (!request.method().equals("POST")) {
            // REST: data is sent with POST.
            return Reply.of(405, "");
        }
        if (request.query().containsKey("token")) {
            // ERRORS: code 16, unless inputs.conf allows it.
            return code(400, 16, "Query string authorization is not enabled", null);
        }
        if (authorization == null) {
            return code(401, 2, "Token is required", null);
        }
        if (!authorization.startsWith("Splunk ")) {
            // FORMAT: the scheme is the word Splunk.
            return code(401, 3, "Invalid authorization", null);
        }
        if (!authorization.equals("Splunk " + TOKEN)) {
            return code(403, 4, "Invalid token", null);
        }
        if (encoding != null && !encoding.equals("gzip")) {
            // Splunk knows gzip only, and answers 415 in HTML.
            return Reply.of(415, "<html>Unsupported Media Type</html>");
        }
        return null;
    }

    private static Reply code(int status, int code, String text, @Nullable Integer event) {
        String number = event == null ? "" : ",\"invalid-event-number\":" + event;
        return new Reply(
                status,
                Map.of("Content-Type", "application/json; charset=UTF-8"),
                "{\"text\":\"" + text + "\",\"code\":" + code + number + "}");
    }

    /** ACK: with acknowledgement each request names its channel, a GUID. FORMAT: requests to raw always do. */
    private @Nullable Reply checkChannel(Request request, boolean required) {
        String channel = channel(request);
        if (channel == null) {
            return required ? code(400, 10, "Data channel is missing", null) : null;
        }
        seenChannels.add(channel);
        return channel.matches(GUID) ? null : code(400, 11, "Invalid data channel", null);
    }

    /** ACK: in a header or in the query. */
    private static @Nullable String channel(Request request) {
        String header = request.headers().getFirst("X-Splunk-Request-Channel");
        return header == null ? request.query().get("channel") : header;
    }

    private Reply success(Request request) {
        String channel = channel(request);
        if (!acknowledges || channel == null) {
            return code(200, 0, "Success", null);
        }
        Channel of = channels.computeIfAbsent(channel, id -> new Channel());
        int id = of.next++;
        of.pollsLeft.put(id, pollsUntilIndexed);
        return Reply.of(200, "{\"text\":\"Success\",\"code\":0,\"ackId\":" + id + "}");
    }

    private Reply events(Request request, List<String> received) throws IOException {
        Reply refused = checkChannel(request, acknowledges);
        if (refused != null) {
            return refused;
        }
        if (request.body().isBlank()) {
            return code(400, 5, "No data", null);
        }
        int number = 0;
        // FORMAT: events are JSON objects one after the other, not a list.
        try (MappingIterator<JsonNode> all = json.readerFor(JsonNode.class).readValues(request.body())) {
            while (all.hasNext()) {
                JsonNode event = all.next();
                Reply invalid = check(event, number);
                if (invalid != null) {
                    // Whether it keeps the events before is not documented. The model does, which makes more
                    // duplicates.
                    return invalid;
                }
                received.add(event.get("event").toString());
                events.add(event);
                number++;
            }
        } catch (JsonProcessingException | RuntimeException e) {
            return code(400, 6, "Invalid data format", number);
        }
        return success(request);
    }

    private @Nullable Reply check(JsonNode event, int number) {
        if (!(event instanceof ObjectNode object)) {
            return code(400, 6, "Invalid data format", number);
        }
        for (Map.Entry<String, JsonNode> each : object.properties()) {
            boolean text = Set.of("host", "source", "sourcetype", "index").contains(each.getKey());
            // FORMAT: metadata are strings; the time is a number, or a string with one.
            if (!KEYS.contains(each.getKey()) || (text && !each.getValue().isTextual())) {
                return code(400, 6, "Invalid data format", number);
            }
        }
        JsonNode time = event.get("time");
        if (time != null && !time.asText().matches("\\d{1,10}(\\.\\d{1,9})?")) {
            return code(400, 6, "Invalid data format", number);
        }
        JsonNode data = event.get("event");
        if (data == null || data.isNull()) {
            return code(400, 12, "Event field is required", number);
        }
        if (data.isTextual() && data.asText().isBlank()) {
            return code(400, 13, "Event field cannot be blank", number);
        }
        if (event.has("index") && !takes(event.get("index").asText())) {
            return code(400, 7, "Incorrect index", number);
        }
        if (rejected.test(data.toString())) {
            return code(rejectedStatus, rejectedCode, "as the test says", number);
        }
        return null;
    }

    /** CONF: an invalid name cannot exist. */
    private boolean takes(String index) {
        return indexes.contains(index) && index.matches("[a-z0-9][a-z0-9_-]*") && !index.contains("kvstore");
    }

    /** FORMAT: lines, with the metadata in the query. Blank lines are no events. */
    private Reply raw(Request request, List<String> received) {
        Reply refused = checkChannel(request, true);
        if (refused != null) {
            return refused;
        }
        queryOfRaw = request.query();
        String index = request.query().get("index");
        if (index != null && !takes(index)) {
            return code(400, 7, "Incorrect index", null);
        }
        List<String> lines =
                request.body().lines().filter(line -> !line.isBlank()).toList();
        if (lines.isEmpty()) {
            return code(400, 5, "No data", null);
        }
        received.addAll(lines);
        return success(request);
    }

    /** ACK: {@code {"acks":[0,1]}} is answered with what is indexed. What was answered with true is forgotten, unknown is false. */
    private Reply acks(Request request) throws IOException {
        queries.incrementAndGet();
        if (!acknowledges) {
            return code(400, 14, "ACK is disabled", null);
        }
        Reply refused = checkChannel(request, true);
        if (refused != null) {
            return refused;
        }
        JsonNode asked = json.readTree(request.body()).get("acks");
        if (asked == null || !asked.isArray()) {
            return code(400, 6, "Invalid data format", null);
        }
        Channel channel = channels.get(channel(request));
        ObjectNode acks = json.createObjectNode();
        for (JsonNode id : asked) {
            boolean indexed = false;
            Integer left = channel == null ? null : channel.pollsLeft.get(id.asInt());
            if (left != null && !indexesNothing) {
                indexed = left <= 1;
                if (indexed) {
                    channel.pollsLeft.remove(id.asInt());
                } else {
                    channel.pollsLeft.put(id.asInt(), left - 1);
                }
            }
            acks.put(id.asText(), indexed);
        }
        return losesAnswersToQueries
                ? Reply.of(502, "the answer is lost")
                : Reply.of(200, json.createObjectNode().set("acks", acks).toString());
    }

    /** A restart forgets channels and numbers. */
    @Override
    public void start() throws IOException {
        synchronized (channels) {
            channels.clear();
        }
        receiver.start();
    }

    /** Forgets channels and numbers, as a restart that nobody notices. */
    void forgetChannels() {
        synchronized (channels) {
            channels.clear();
        }
    }

    @Override
    public void close() {
        receiver.close();
    }

    @Override
    public List<String> received() {
        return receiver.received();
    }

    @Override
    public void delay(long ms) {
        receiver.delay(ms);
    }
}
