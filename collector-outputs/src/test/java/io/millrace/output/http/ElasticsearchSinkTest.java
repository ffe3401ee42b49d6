package io.millrace.output.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.message.LineFormat;
import io.millrace.output.TestServer;
import io.millrace.output.http.HttpReceiver.Reply;
import io.millrace.sink.Adjustment;
import io.millrace.sink.Sink;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Elasticsearch: a model of data streams, which want a time, and answer item by item. */
@Tag("once")
class ElasticsearchSinkTest extends HttpSinkContract {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpReceiver receiver = new HttpReceiver("/_bulk", this::bulk);
    private final Set<String> identities = new HashSet<>();
    private final Set<String> streams = new TreeSet<>();
    private final List<JsonNode> documents = new ArrayList<>();
    private volatile @Nullable Reply error;
    private volatile @Nullable String tooManyFields;
    private UnaryOperator<ElasticsearchSettings.Builder> settings = it -> it;

    private Reply bulk(String body, List<String> received) throws IOException {
        ArrayNode items = JSON.createArrayNode();
        boolean errors = false;
        List<String> lines = body.lines().toList();
        for (int i = 0; i + 1 < lines.size(); i += 2) {
            JsonNode create = JSON.readTree(lines.get(i)).get("create");
            JsonNode document = JSON.readTree(lines.get(i + 1));
            ObjectNode item = items.addObject().putObject("create");
            String stream = create.get("_index").asText();
            Reply fault = error;
            if (fault != null) {
                refuse(item, fault.status(), fault.body(), "in the way of all");
            } else if (tooManyFields != null && lines.get(i + 1).contains(tooManyFields)) {
                refuse(item, 400, "illegal_argument_exception", "Limit of total fields [1000] has been exceeded");
            } else if (!document.has("@timestamp")) {
                refuse(item, 400, "document_parsing_exception", "data stream timestamp field [@timestamp] is missing");
            } else if (document.path("message").asText().contains("refuse-me")) {
                refuse(item, 400, "document_parsing_exception", "failed to parse");
            } else if (stream.contains("absent")) {
                refuse(item, 404, "index_not_found_exception", "no such index");
            } else if (!identities.add(stream + create.get("_id").asText())) {
                refuse(item, 409, "version_conflict_engine_exception", "document already exists");
            } else {
                item.put("status", 201);
                streams.add(stream);
                documents.add(document);
                received.add(lines.get(i + 1));
            }
            errors |= item.has("error");
        }
        ObjectNode answer = JSON.createObjectNode().put("took", 1).put("errors", errors);
        answer.set("items", items);
        return items.isEmpty()
                ? new Reply(400, Map.of("Content-Type", "application/json"), "{}")
                : new Reply(200, Map.of("Content-Type", "application/json"), answer.toString());
    }

    private static void refuse(ObjectNode item, int status, String type, String reason) {
        item.put("status", status).putObject("error").put("type", type).put("reason", reason);
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
        return settings.apply(ElasticsearchSettings.builder()
                        .url(receiver.uri())
                        .connectTimeout(Duration.ofSeconds(5))
                        .timeout(Duration.ofSeconds(5)))
                .build()
                .sink(Duration.ofMillis(300), Duration.ofSeconds(5));
    }

    @Override
    protected boolean isAcknowledged() {
        return true;
    }

    @Override
    protected boolean isOnce() {
        return true;
    }

    @Override
    protected byte[] refusedPayload() {
        return "refuse-me".getBytes(UTF_8);
    }

    @Override
    protected String refusal() {
        return "400 document_parsing_exception: failed to parse\"";
    }

    private void with(UnaryOperator<ElasticsearchSettings.Builder> change) throws Exception {
        close();
        settings = change;
        open();
    }

    @Test
    void documentHasTheTimeOfTheMessage() throws IOException {
        send(0, 1);
        awaitAll(1);
        assertThat(streams).containsExactly("logs-syslog-default");
        assertThat(documents.get(0).get("@timestamp").asText()).isEqualTo("2026-11-21T10:00:00.123Z");
        assertThat(documents.get(0).has("fields")).isFalse();
        assertThat(documents.get(0).at("/event/original").isMissingNode()).isTrue();
        assertThat(documents.get(0).at("/event/sequence").asLong()).isZero();
    }

    @Test
    void originalIsKeptIfWanted() throws Exception {
        with(it -> it.original(true));
        send(0, 1);
        awaitAll(1);
        assertThat(documents.get(0).at("/event/original").asText()).startsWith("<34>1 2026-11-21T10:00:00.123Z host");
    }

    @Test
    void fieldsChooseADataStreamInSmallLetters() throws Exception {
        with(it -> it.index("logs-{hostname}-{date}").maxNames(2).maxNewNames(2));
        send(List.of(
                "<13>1 - Web-1:a app - - - n=0;".getBytes(UTF_8),
                "<13>1 - ../../x app - - - n=1;".getBytes(UTF_8),
                "<13>1 - third app - - - n=2;".getBytes(UTF_8)));
        awaitAll(3);
        assertThat(streams)
                .hasSize(3)
                .anyMatch(each -> each.matches("logs-web-1_a-\\d{4}\\.\\d\\d\\.\\d\\d"))
                .anyMatch(each -> each.matches("logs-_\\._\\.\\._x-.*|logs-_._.._x-.*|logs-_\\._\\.\\._.*"))
                .anyMatch(each -> each.startsWith("logs-@other-"));
        assertThat(status().adjusted()).containsEntry(Adjustment.RENAMED, 1L);
    }

    /** One message must not stop the others by naming what does not exist. */
    @Test
    void indexThatAMessageNamesIsItsFault() throws Exception {
        with(it -> it.index("logs-{hostname}"));
        send(List.of(
                "<13>1 - web app - - - n=0;".getBytes(UTF_8),
                "<13>1 - absent app - - - bad".getBytes(UTF_8),
                "<13>1 - web app - - - n=1;".getBytes(UTF_8)));
        awaitAll(2);
        assertThat(status().counts().deadLettered()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "400,index_closed_exception",
        "403,cluster_block_exception",
        "404,index_not_found_exception",
        "429,es_rejected_execution_exception",
        "503,unavailable_shards_exception"
    })
    void waitsWhileTheIndexIsAtFault(int status, String type) throws Exception {
        error = Reply.of(status, type);
        send(0, 20);
        await().atMost(SOON).until(() -> status().problem() != null);
        assertThat(status().problem()).contains("records were not taken: " + status + " " + type);
        error = null;
        awaitAll(20);
        assertThat(status().counts().deadLettered()).isZero();
    }

    /** A template with another type of a field, for example: nine messages at most are dead letters before somebody looks. */
    @Test
    void waitsWhenAllAreRejectedAlike() throws Exception {
        with(it -> it);
        receiver.close();
        send(0, 40);
        error = Reply.of(400, "document_parsing_exception");
        receiver.start();
        await().atMost(SOON)
                .until(() -> status().problem() != null
                        && String.valueOf(status().problem()).contains("whatever it is sent"));
        assertThat(status().problem()).contains("it answers 400 document_parsing_exception: in the way of all");
        error = null;
        await().atMost(SOON).until(() -> status().pending() == 0);
        assertThat(status().counts().acked()).isGreaterThan(30);
    }

    /** One message with new fields must not stop the others for good; somebody has a minute to raise the limit. */
    @Test
    void waitsForALimitOfFieldsAndThenGoesOn() throws Exception {
        with(it -> it);
        tooManyFields = "n=3;";
        send(3, 4);
        await().atMost(SOON).until(() -> status().problem() != null);
        assertThat(status().problem()).contains("Limit of total fields", "raise index.mapping.total_fields.limit");
        assertThat(status().counts().deadLettered()).isZero();
        // The time of doubt in this test is 300 ms.
        await().atMost(SOON).until(() -> status().counts().deadLettered() == 1);
        receiver.close();
        send(List.of(numbered(0), numbered(3), numbered(1)));
        receiver.start();
        awaitAll(2);
        assertThat(status().counts().deadLettered()).isEqualTo(2);
    }

    @Test
    void rejectsFewAlikeAtOnce() throws Exception {
        send(List.of(refusedPayload(), refusedPayload(), refusedPayload()));
        await().atMost(SOON).until(() -> status().pending() == 0);
        assertThat(status().counts().deadLettered()).isEqualTo(3);
        assertThat(status().retries()).isZero();
    }

    @Test
    void urlMayEndInTheInterface() {
        ElasticsearchSettings.Builder good = ElasticsearchSettings.builder();
        assertThat(good.url(URI.create("https://h:9200")).build().target()).hasToString("https://h:9200/_bulk");
        assertThat(good.url(URI.create("https://h:9200/")).build().target()).hasToString("https://h:9200/_bulk");
        assertThat(good.url(URI.create("https://h/es/_bulk?pipeline=p")).build().target())
                .hasToString("https://h/es/_bulk?pipeline=p");
        assertThat(good.url(URI.create("https://h/es?pipeline=p")).build().target())
                .hasToString("https://h/es/_bulk?pipeline=p");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> good.index("{hostname}"))
                .withMessageContaining("begins with a text");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> good.index("Logs"))
                .withMessageStartingWith("index accepts the name of an index or data stream in small letters");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> good.format(LineFormat.of("raw")).build())
                .withMessage("format accepts ecs, json or json-flat for this type");
    }

    @Test
    void apiKeyIsSent() throws Exception {
        with(it -> it.apiKey("a2V5OnNlY3JldA=="));
        send(0, 1);
        awaitAll(1);
        assertThat(receiver.requests().get(0).getFirst("Authorization")).isEqualTo("ApiKey a2V5OnNlY3JldA==");
    }
}
