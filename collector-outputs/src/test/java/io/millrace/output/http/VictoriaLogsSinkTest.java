package io.millrace.output.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.message.LineFormat;
import io.millrace.output.TestServer;
import io.millrace.output.http.HttpReceiver.Reply;
import io.millrace.output.internal.http.HttpSink;
import io.millrace.sink.Refusal;
import io.millrace.sink.Sink;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** VictoriaLogs: a model that answers 200 whatever it is sent, and leaves out what the server leaves out. */
@Tag("once")
class VictoriaLogsSinkTest extends HttpSinkContract {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpReceiver receiver = new HttpReceiver("/insert/jsonline", this::insert);
    private volatile boolean isAnother;
    private final AtomicInteger leftOut = new AtomicInteger();

    private Reply insert(String body, List<String> received) throws IOException {
        if (isAnother) {
            return Reply.of(400, "unsupported path requested: /foo");
        }
        for (String line : body.lines().toList()) {
            JsonNode entry = JSON.readTree(line);
            Instant time = Instant.parse(entry.get("receive_time").asText());
            boolean kept = line.length() <= 256 << 10
                    && fields(entry) <= 2_000
                    && time.isAfter(Instant.now().minus(Duration.ofDays(7)));
            if (kept) {
                received.add(line);
            } else {
                leftOut.incrementAndGet();
            }
        }
        return Reply.of(200, "");
    }

    private static int fields(JsonNode node) {
        int count = 0;
        for (JsonNode each : node) {
            count += each.isObject() ? fields(each) : 1;
        }
        return count;
    }

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
        return VictoriaLogsSettings.builder()
                .url(receiver.uri())
                .connectTimeout(Duration.ofSeconds(5))
                .timeout(Duration.ofSeconds(5))
                .build()
                .sink(Duration.ofMillis(200), HttpSink.SEARCH);
    }

    @Override
    protected boolean isAcknowledged() {
        return true;
    }

    /** Control characters take six bytes in JSON. */
    @Override
    protected byte[] refusedPayload() {
        return ("<13>app: " + "\u0001".repeat(50_000)).getBytes(UTF_8);
    }

    @Override
    protected String refusal() {
        return "its line has ";
    }

    @Test
    void tooLongLineIsADeadLetter() throws IOException {
        send(List.of(refusedPayload(), numbered(0)));
        awaitAll(1);
        assertThat(status().refused()).containsEntry(Refusal.TOO_LONG, 1L);
        assertThat(leftOut.get()).isZero();
    }

    @Test
    void manyFieldsBecomeAList() throws IOException {
        String parameters =
                IntStream.range(0, 3_000).mapToObj(i -> " p" + i + "=\"v\"").collect(Collectors.joining());
        send(List.of(("<13>1 - h a - - [id" + parameters + "] n=0;").getBytes(UTF_8)));
        await().atMost(SOON).until(() -> status().pending() == 0);
        assertThat(leftOut.get()).isZero();
        assertThat(arrived()).containsExactly(0);
        assertThat(JSON.readTree(receiver.received().get(0)).get("structured_data"))
                .hasSize(3_000);
    }

    @Test
    void urlNamesTheFields() {
        VictoriaLogsSettings.Builder builder = VictoriaLogsSettings.builder().url(URI.create("http://h:9428/vl/?a=b"));
        assertThat(builder.build().target())
                .hasToString("http://h:9428/vl/insert/jsonline?a=b&_stream_fields=hostname,appname"
                        + "&_msg_field=message&_time_field=receive_time");
        assertThat(builder.streamFields(List.of("input"))
                        .time(VictoriaLogsSettings.Time.TIMESTAMP)
                        .build()
                        .target())
                .hasToString("http://h:9428/vl/insert/jsonline?a=b&_stream_fields=input"
                        + "&_msg_field=message&_time_field=timestamp");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.format(LineFormat.of("raw")).build())
                .withMessage("format accepts json or json-flat for this type");
        assertThatIllegalArgumentException().isThrownBy(() -> builder.streamFields(List.of("a&b")));
    }

    @Test
    void pageIsNoAcknowledgement() throws Exception {
        receiver.script(new Reply(200, Map.of("Content-Type", "text/html; charset=utf-8"), "<html>It works</html>"));
        send(0, 10);
        awaitAll(10);
        assertThat(status().retries()).isEqualTo(1);
    }

    /** So answers VictoriaLogs to a wrong path: no message becomes a dead letter, however long that lasts. */
    @Test
    void waitsAtAWrongPath() throws Exception {
        isAnother = true;
        send(0, 50);
        await().atMost(SOON).until(() -> status().retries() > 30);
        assertThat(status().problem()).contains("HTTP 400: unsupported path requested: /foo (is the URL right?");
        assertThat(status().counts().deadLettered()).isZero();
        isAnother = false;
        awaitAll(50);
        assertThat(status().counts().deadLettered()).isZero();
    }
}
