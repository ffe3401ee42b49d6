package io.millrace.output.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.journal.Journal;
import io.millrace.output.TestServer;
import io.millrace.output.http.HttpReceiver.Reply;
import io.millrace.sink.Sink;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The bulk interface: a model of an index that knows documents by their ids, and answers item by item. */
class HttpBulkSinkTest extends HttpSinkContract {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, String> documents = new HashMap<>();
    private final HttpReceiver receiver = new HttpReceiver("/_bulk", this::index);
    private volatile int rejectEvery;
    private volatile int rejectStatus = 429;
    private int losesAnswers;
    private int seen;

    private Reply index(String body, List<String> received) throws IOException {
        if (body.isBlank()) {
            return Reply.of(
                    400, "{\"error\":{\"reason\":\"Validation Failed: 1: no requests added;\"},\"status\":400}");
        }
        List<String> lines = body.lines().toList();
        assertThat(lines.size() % 2).isZero();
        boolean errors = false;
        ArrayNode items = JSON.createArrayNode();
        for (int i = 0; i < lines.size(); i += 2) {
            JsonNode create = JSON.readTree(lines.get(i)).get("create");
            JSON.readTree(lines.get(i + 1));
            String id = create.get("_index").asText() + "/" + create.get("_id").asText();
            ObjectNode item = JSON.createObjectNode();
            item.put("_index", create.get("_index").asText());
            item.put("_id", create.get("_id").asText());
            seen++;
            if (rejectEvery > 0 && seen % rejectEvery == 0) {
                error(item, rejectStatus, "es_rejected_execution_exception", "queue is full");
            } else if (lines.get(i + 1).contains("refuse-me")) {
                error(item, 400, "mapper_parsing_exception", "failed to parse \"x\"");
            } else if (documents.containsKey(id)) {
                error(item, 409, "version_conflict_engine_exception", "document already exists");
            } else {
                documents.put(id, lines.get(i + 1));
                received.add(lines.get(i + 1));
                item.put("result", "created").put("status", 201);
                item.putObject("_shards").put("total", 1);
            }
            errors |= item.has("error");
            items.addObject().set("create", item);
        }
        if (losesAnswers > 0) {
            losesAnswers--;
            return Reply.of(502, "the index has it, but who knows");
        }
        ObjectNode answer = JSON.createObjectNode().put("took", 3).put("errors", errors);
        answer.set("items", items);
        return new Reply(200, Map.of("Content-Type", "application/json"), JSON.writeValueAsString(answer));
    }

    private static void error(ObjectNode item, int status, String type, String reason) {
        ObjectNode error = item.put("status", status).putObject("error");
        error.put("type", type);
        error.put("reason", reason);
        error.putObject("caused_by").put("type", "inner").put("reason", "x");
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
        return HttpSettings.builder()
                .url(receiver.uri())
                .shape(HttpSettings.Shape.BULK)
                .index("logs-{date}")
                .connectTimeout(Duration.ofSeconds(5))
                .timeout(Duration.ofSeconds(5))
                .build()
                .sink("out");
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
        return "400 mapper_parsing_exception: failed to parse \\\"x\\\"\"";
    }

    private void awaitEach(int count) {
        await().atMost(SOON).until(() -> status().pending() == 0);
        assertThat(arrived()).containsExactlyInAnyOrderElementsOf(numbers(0, count));
    }

    @Test
    void documentIdIsThePositionInTheJournal() throws IOException {
        LocalDate before = LocalDate.now(ZoneOffset.UTC);
        send(0, 3);
        awaitEach(3);
        String journal = String.format(
                "%016x", Journal.open(directory.resolve("data")).meta().journalId());
        assertThat(documents.keySet())
                .allMatch(id -> id.matches("logs-\\d{4}\\.\\d\\d\\.\\d\\d/" + journal + "-0-[012]"))
                .anyMatch(id -> id.startsWith("logs-" + before.toString().replace('-', '.')));
    }

    @Test
    void documentIdOfASplitMessageEndsInItsPart() throws Exception {
        splitLines();
        send(List.of("n=0;\nn=1;".getBytes(UTF_8), "n=2;\n".getBytes(UTF_8)));
        awaitEach(3);
        assertThat(documents.keySet().stream().map(id -> id.replaceFirst(".*/\\w+-", "")))
                .containsExactlyInAnyOrder("0-0-0", "0-0-1", "0-1");
    }

    @Test
    void resendsOnlyItemsRejectedTemporarily() throws IOException {
        rejectEvery = 7;
        send(0, 300);
        awaitEach(300);
        assertThat(status().retries()).isPositive();
        assertThat(status().counts().acked()).isEqualTo(300);
        assertThat(documents).hasSize(300);
        assertThat(seen).as("nothing that was taken is sent again").isLessThan(300 + 300 / 6 + 10);
    }

    @Test
    void conflictAfterALostResponseCountsAsDelivered() throws IOException {
        losesAnswers = 2;
        send(0, 100);
        awaitEach(100);
        assertThat(status().retries()).isEqualTo(2);
        assertThat(status().counts().acked()).isEqualTo(100);
        assertThat(status().counts().deadLettered()).isZero();
    }

    @Test
    void waitsForAMissingIndex() throws IOException {
        rejectStatus = 404;
        rejectEvery = 1;
        send(0, 10);
        await().atMost(SOON).until(() -> status().problem() != null);
        assertThat(status().problem())
                .matches(receiver.uri() + "/_bulk: (\\d+) of \\1 records were not taken: 404"
                        + " es_rejected_execution_exception: queue is full: x");
        rejectEvery = 0;
        awaitEach(10);
        assertThat(status().counts().deadLettered()).isZero();
    }

    @Test
    void rejectsAnInvalidResponse() throws IOException {
        receiver.script(Reply.of(200, "<html>"));
        receiver.script(Reply.of(200, "{\"errors\":true,\"items\":[]}"));
        receiver.script(Reply.of(200, ""));
        receiver.script(Reply.of(200, "{\"errors\":true,\"items\":[{\"create\":{}},{\"create\":{\"status\":201"));
        send(0, 10);
        awaitEach(10);
        assertThat(status().retries()).isEqualTo(4);
        assertThat(status().counts().acked()).isEqualTo(10);
    }

    @Test
    void responseWithTooManyItemsIsNotBelieved() throws IOException {
        receiver.script(Reply.of(
                200, "{\"errors\":false,\"items\":[{\"create\":{\"status\":201}},{\"create\":{\"status\":201}}]}"));
        send(0, 1);
        await().atMost(SOON).until(() -> status().counts().acked() == 1);
        assertThat(status().retries()).isEqualTo(1);
        assertThat(documents).hasSize(1);
    }

    @Test
    void responseWithoutErrorsNeedsNoItems() throws IOException {
        receiver.script(Reply.of(200, "{\"took\":1,\"errors\":false}"));
        send(0, 1);
        await().atMost(SOON).until(() -> status().counts().acked() == 1);
        assertThat(status().retries()).isZero();
    }
}
