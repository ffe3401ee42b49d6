package io.millrace.output.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.internal.format.RawFormat;
import io.millrace.output.TestServer;
import io.millrace.output.http.HttpReceiver.Reply;
import io.millrace.sink.Adjustment;
import io.millrace.sink.Sink;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The push interface of Loki: a model that wants streams with labels, and entries in the order of their times. */
@Tag("once")
class HttpLokiSinkTest extends HttpSinkContract {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, Long> lastTimes = new HashMap<>();
    private final HttpReceiver receiver = new HttpReceiver("/loki/api/v1/push", this::push);

    private Reply push(String body, List<String> received) throws IOException {
        boolean rejected = false;
        for (JsonNode stream : JSON.readTree(body).get("streams")) {
            String labels = stream.get("stream").toString();
            if (!lastTimes.containsKey(labels) && lastTimes.size() >= maxStreams) {
                return Reply.of(429, "Maximum active stream limit exceeded");
            }
            assertThat(stream.get("stream")).isNotEmpty();
            long last = 0;
            for (JsonNode entry : stream.get("values")) {
                long timeNs = Long.parseLong(entry.get(0).textValue());
                assertThat(timeNs).isGreaterThanOrEqualTo(last);
                last = timeNs;
                String line = entry.get(1).textValue();
                boolean tooLong = line.length() > MAX_LINE || line.contains("refuse-me");
                rejected |= tooLong;
                // Of a request it takes what is valid, and what it has already it takes for the same.
                if (!tooLong && entries.add(labels + timeNs + line)) {
                    received.add(line);
                }
            }
            lastTimes.put(labels, last);
        }
        return rejected ? Reply.of(400, "max entry size exceeded") : Reply.of(204, "");
    }

    private static final int MAX_STREAMS = 20;
    private static final int MAX_LINE = 10_000;

    private final Set<String> entries = ConcurrentHashMap.newKeySet();

    private volatile int maxStreams = 5000;

    @Override
    HttpReceiver http() {
        return receiver;
    }

    @Override
    protected TestServer newServer() {
        return receiver;
    }

    @Override
    protected Sink newSink() {
        return HttpSettings.builder()
                .url(receiver.uri())
                .shape(HttpSettings.Shape.LOKI)
                .format(new RawFormat())
                .connectTimeout(Duration.ofSeconds(5))
                .timeout(Duration.ofSeconds(5))
                .labels(Map.of("job", "a \"b\"", "host", "{hostname}", "input", "{input}"))
                .maxNames(MAX_STREAMS)
                .maxNewNames(MAX_STREAMS)
                .build()
                .sink("out");
    }

    @Override
    protected boolean isAcknowledged() {
        return true;
    }

    @Override
    protected byte[] refusedPayload() {
        return "refuse-me".getBytes(UTF_8);
    }

    @Override
    protected String refusal() {
        return "HTTP 400: max entry size exceeded\"";
    }

    @Test
    void groupsStreamsByLabels() throws IOException {
        send(List.of(
                "<34>1 - one - - - - n=0; \"\n".getBytes(UTF_8),
                "<34>1 - two - - - - n=1;".getBytes(UTF_8),
                "<34>1 - one - - - - n=2; \u00e4".getBytes(UTF_8),
                "n=3;".getBytes(UTF_8)));
        await().atMost(SOON).until(() -> status().pending() == 0);
        assertThat(receiver.received())
                .containsExactlyInAnyOrder(
                        "<34>1 - one - - - - n=0; \"",
                        "<34>1 - two - - - - n=1;",
                        "<34>1 - one - - - - n=2; \u00e4",
                        "n=3;");
        String common = "\"input\":\"sys \\\"log]\",\"job\":\"a \\\"b\\\"\"}";
        assertThat(lastTimes)
                .containsOnlyKeys("{\"host\":\"one\"," + common, "{\"host\":\"two\"," + common, "{" + common);
    }

    /** As Loki does: beyond its limit it answers 429 to everything that has a new stream, for as long as it takes. */
    @Test
    void limitsStreamsOfForgedHostNames() throws IOException {
        maxStreams = MAX_STREAMS + 1;
        send(IntStream.range(0, 300)
                .mapToObj(i -> ("<34>1 - evil" + i + " app - - - n=" + i + ";").getBytes(UTF_8))
                .toList());
        await().atMost(SOON).until(() -> status().pending() == 0);
        assertThat(lastTimes)
                .hasSize(MAX_STREAMS + 1)
                .anySatisfy((labels, time) ->
                        assertThat(labels).contains("\"host\":\"@other\",\"input\":\"@other\",\"job\":\"a"));
        assertThat(receiver.received()).hasSize(300);
        assertThat(status().adjusted()).containsEntry(Adjustment.RENAMED, 300L - MAX_STREAMS);
    }

    @Test
    void truncatesLabels() throws IOException {
        send(List.of(("<34>1 - " + "\u00e4".repeat(3000) + " app - - - n=0;").getBytes(UTF_8)));
        await().atMost(SOON).until(() -> status().pending() == 0);
        assertThat(lastTimes.keySet()).singleElement().asString().hasSizeLessThan(1500);
    }

    @Test
    void oversizedLinesBecomeDeadLettersAndOthersArrive() throws IOException {
        receiver.close();
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < 580; i++) {
            boolean tooLong = i >= 20 && i < 80;
            String mark = tooLong ? "long " + "x".repeat(2 * MAX_LINE) : "n=" + (i < 20 ? i : i - 60) + ";";
            payloads.add(("<34>1 - host app - - - " + mark).getBytes(UTF_8));
        }
        send(payloads);
        receiver.start();
        await().atMost(SOON).until(() -> status().pending() == 0);
        assertThat(status().counts().deadLettered()).isEqualTo(60);
        assertThat(arrived()).containsExactlyInAnyOrderElementsOf(numbers(0, 520));
    }

    @Test
    void pageIsNoAcknowledgement() throws Exception {
        receiver.script(new Reply(200, Map.of("Content-Type", "text/html; charset=utf-8"), "<html>It works</html>"));
        send(0, 10);
        awaitAll(10);
        assertThat(status().retries()).isEqualTo(1);
    }
}
