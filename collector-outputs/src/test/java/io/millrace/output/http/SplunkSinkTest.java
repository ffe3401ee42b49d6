package io.millrace.output.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.message.LineFormat;
import io.millrace.output.Compression;
import io.millrace.output.TestServer;
import io.millrace.output.http.HttpReceiver.Reply;
import io.millrace.output.internal.http.HttpSink;
import io.millrace.sink.Adjustment;
import io.millrace.sink.Sink;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Events of the HTTP Event Collector, without acknowledgement. The index is chosen by messages, and most do not exist. */
class SplunkSinkTest extends HttpSinkContract {
    private final SplunkReceiver splunk = new SplunkReceiver(false, "net-app");
    private UnaryOperator<SplunkSettings.Builder> settings = it -> it.index("net-{appname}");

    @Override
    HttpReceiver http() {
        return splunk.http();
    }

    @Override
    protected TestServer newServer() {
        return splunk;
    }

    private SplunkSettings.Builder base() {
        return SplunkSettings.builder()
                .url(splunk.uri())
                .token(SplunkReceiver.TOKEN)
                .connectTimeout(Duration.ofSeconds(5))
                .timeout(Duration.ofSeconds(5));
    }

    @Override
    protected Sink newSink() {
        return settings.apply(base()).build().sink(HttpSink.DOUBT, HttpSink.SEARCH);
    }

    /** Begins again with other settings. */
    private void with(UnaryOperator<SplunkSettings.Builder> change) throws Exception {
        close();
        settings = change;
        open();
    }

    @Override
    protected boolean isAcknowledged() {
        return true;
    }

    @Override
    protected byte[] refusedPayload() {
        return "<34>1 - host nowhere - - - x".getBytes(UTF_8);
    }

    @Override
    protected String refusal() {
        return "HTTP 400: {\\\"text\\\":\\\"Incorrect index\\\",\\\"code\\\":7";
    }

    private JsonNode only() {
        await().atMost(SOON).until(() -> status().pending() == 0);
        assertThat(splunk.events()).hasSize(1);
        return splunk.events().get(0);
    }

    private void awaitProblem(String text) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(status().problem()).isNotNull().contains(text));
    }

    private void sendText(String message) throws IOException {
        send(List.of(message.getBytes(UTF_8)));
    }

    @Test
    void eventHasTimeAndMetadata() throws Exception {
        with(it -> it.index("net-{appname}").source("syslog:{input}"));
        sendText("<34>1 2026-11-21T10:00:00.123456789Z fw1 app - - - say \"hi\"\u0001");
        JsonNode event = only();
        assertThat(event.get("time").toString()).startsWith("1795255200.123456");
        assertThat(event.get("host").asText()).isEqualTo("fw1");
        assertThat(event.get("source").asText()).isEqualTo("syslog:sys \"log]");
        assertThat(event.get("sourcetype").asText()).isEqualTo("syslog");
        assertThat(event.get("index").asText()).isEqualTo("net-app");
        assertThat(event.get("event").get("message").asText()).isEqualTo("say \"hi\"\u0001");
        assertThat(splunk.http().bodies().get(0)).startsWith("{\"time\":1795255200.123456789,\"host\":\"fw1\"");
    }

    @Test
    void absentValuesAreLeftToSplunk() throws Exception {
        with(it -> it.source("{msgid}").sourcetype("{#procid}p{/procid}"));
        sendText("no header");
        assertThat(only().properties()).extracting(Map.Entry::getKey).containsExactly("time", "event");
    }

    @Test
    void metadataIsEscapedAndTruncated() throws Exception {
        with(it -> it.host("{hostname}"));
        sendText("<34>1 - " + "\"\u00e4".repeat(300) + " app - - - x");
        assertThat(only().get("host").asText()).hasSizeBetween(80, 255).startsWith("\"\u00e4\"");
    }

    @Test
    void textFormatMakesAString() throws Exception {
        with(it -> it.format(LineFormat.of("{severity}: {message}")));
        sendText("<34>1 - h app - - - say \"hi\"");
        assertThat(only().get("event").asText()).isEqualTo("crit: say \"hi\"");
    }

    @Test
    void blankEventBecomesADeadLetter() throws Exception {
        with(it -> it.format(LineFormat.of("{message|}")));
        send(List.of("<34>1 - h app - - -".getBytes(UTF_8), numbered(0)));
        awaitAll(1);
        assertThat(status().counts().deadLettered()).isEqualTo(1);
        assertThat(Files.readString(directory.resolve("data/dead-letters/out.ndjson")))
                .contains("Splunk accepts no blank event");
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            App.Name:1,   net-app_name_1
            KVSTORE,      net-other
            -_x,          net--_x
            """)
    void indexNameIsValid(String appname, String index) throws Exception {
        splunk.create(index);
        sendText("<34>1 - h " + appname + " - - - x");
        assertThat(only().get("index").asText()).isEqualTo(index);
    }

    @Test
    void numberOfIndexesIsLimited() throws Exception {
        splunk.create("net-other");
        with(it -> it.index("net-{appname}").maxNames(3).maxNewNames(3));
        IntStream.range(0, 3).forEach(i -> splunk.create("net-app" + i));
        send(IntStream.range(0, 50)
                .mapToObj(i -> ("<34>1 - h app" + i + " - - - n=" + i + ";").getBytes(UTF_8))
                .toList());
        awaitAll(50);
        assertThat(splunk.events().stream().map(it -> it.get("index").asText()).distinct())
                .containsExactly("net-app0", "net-app1", "net-app2", "net-other");
        assertThat(status().adjusted()).containsEntry(Adjustment.RENAMED, 47L);
    }

    @Test
    void waitsForAFixedIndex() throws Exception {
        with(it -> it.index("later"));
        send(0, 10);
        awaitProblem("Incorrect index");
        assertThat(status().problem()).contains("(create the index, and allow it for the token)");
        splunk.create("later");
        awaitAll(10);
        assertThat(status().counts().deadLettered()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"wrong-token-of-a-test, Invalid token", "'', -"})
    void waitsForTheToken(String token, String text) throws Exception {
        if (token.isEmpty()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> SplunkSettings.builder().url(splunk.uri()).build())
                    .withMessage("token is missing");
            return;
        }
        with(it -> it.token(token));
        send(0, 1);
        awaitProblem(text);
        assertThat(status().problem()).doesNotContain(token);
        assertThat(status().counts().deadLettered()).isZero();
    }

    static Stream<OutputPage.Row> errors() throws IOException {
        return OutputPage.rows("splunk");
    }

    /** Each code of the documented table. */
    @ParameterizedTest
    @MethodSource("errors")
    void codeHasTheDocumentedResult(OutputPage.Row row) throws Exception {
        with(it -> it.index("main"));
        splunk.reject(event -> event.contains("reject-me"), 400, row.code());
        sendText("<34>1 - h app - - - reject-me n=0;");
        if (row.result().equals("dead letter")) {
            await().atMost(SOON).until(() -> status().counts().deadLettered() == 1);
        } else {
            awaitProblem("\"code\":" + row.code());
            assertThat(status().counts().deadLettered()).isZero();
            splunk.reject(event -> false, 400, 0);
            awaitAll(1);
        }
    }

    @Test
    void answerThatIsNotOfSplunkIsNoSuccess() throws Exception {
        splunk.http().script(Reply.of(200, "<html>Sign in</html>"));
        splunk.http().script(Reply.of(200, "{\"text\":\"?\"}"));
        splunk.http().script(Reply.of(200, "{\"code\":\"0\"}"));
        send(0, 1);
        awaitAll(1);
        assertThat(status().retries()).isEqualTo(3);
    }

    @Test
    void codeOfAFullQueueWithSuccessIsSuccess() throws Exception {
        splunk.http().script(Reply.of(200, "{\"text\":\"HEC queue approaching capacity\",\"code\":24}"));
        send(0, 1);
        await().atMost(SOON).until(() -> status().counts().acked() == 1);
        assertThat(status().retries()).isZero();
    }

    @Test
    void tooLongRequestsAreHalved() throws Exception {
        splunk.http().script(Reply.of(413, "<html>Content-Length too large</html>"));
        send(0, 50);
        awaitAll(50);
        assertThat(status().counts().deadLettered()).isZero();
    }

    @Test
    void probeChecksTheToken() throws Exception {
        assertThat(base().build().connect("out", Duration.ofSeconds(5)))
                .isEqualTo(splunk.uri()
                        + "/services/collector/event answers HTTP 400 to a request without messages, as it should");
        assertThatThrownBy(() -> base().token("wrong-token-of-a-test").build().connect("out", Duration.ofSeconds(5)))
                .hasMessageContaining("Invalid token");
        assertThat(base().endpoint(SplunkSettings.Endpoint.RAW).build().connect("out", Duration.ofSeconds(5)))
                .contains("/services/collector/raw answers HTTP 400");
        assertThatThrownBy(() -> base().acknowledge(true)
                        .url(splunk.uri().resolve("/other"))
                        .build()
                        .connect("out", Duration.ofSeconds(5)))
                .hasMessageContaining("404");
        assertThat(splunk.received()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            http://h,                              http://h/services/collector/event
            http://h/splunk/,                      http://h/splunk/services/collector/event
            http://h/services/collector,           http://h/services/collector/event
            http://h/services/collector/raw?x=y,   http://h/services/collector/event?x=y
            """)
    void urlMayHaveThePath(String url, String target) {
        assertThat(base().url(URI.create(url)).build().target()).hasToString(target);
    }

    @Test
    void rejectsInvalidSettings() {
        SplunkSettings.Builder raw = base().endpoint(SplunkSettings.Endpoint.RAW);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> base().endpoint(SplunkSettings.Endpoint.RAW)
                        .host("{hostname}")
                        .build())
                .withMessage("host accepts a text without fields with 'endpoint: raw', not {hostname}");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> raw.index("net-{hostname}").build());
        assertThatIllegalArgumentException().isThrownBy(() -> base().index("_internal"));
        assertThatIllegalArgumentException().isThrownBy(() -> base().index("{hostname}"));
        assertThatIllegalArgumentException().isThrownBy(() -> base().index("Main"));
        assertThatIllegalArgumentException().isThrownBy(() -> base().index("x-kvstore"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> base().compression(Compression.ZSTD).build())
                .withMessageContaining("Splunk reads no zstd");
        assertThat(base().source("%fromhost%").build().warnings(1))
                .singleElement()
                .asString()
                .contains("%fromhost%");
    }
}
