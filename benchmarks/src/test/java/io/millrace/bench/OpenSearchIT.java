package io.millrace.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The output {@code opensearch} in front of a real server, with the index template that Millrace prints. How many messages is set with {@code
 * -Dmillrace.it.messages=100000}.
 */
@Tag("calm")
@Tag("once")
@Tag("full")
@Timeout(300)
class OpenSearchIT {
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final int MESSAGES = Integer.getInteger("millrace.it.messages", 20_000);

    @TempDir
    private static Path home;

    private static OpenSearchNode server;

    @TempDir
    private Path directory;

    @BeforeAll
    static void startServer() throws Exception {
        server = OpenSearchNode.start(home);
        try (Forked template = Forked.millrace(List.of(), "config", "template", "opensearch")) {
            assertThat(template.awaitExit(SOON)).isZero();
            server.ask("PUT", "/_index_template/logs-syslog", String.join("\n", template.out()));
        }
    }

    @AfterAll
    static void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    private Service service(String index, String... settings) throws Exception {
        Path file = Files.write(
                directory.resolve("millrace.yaml"),
                List.of(
                        "outputs:",
                        "  search:",
                        "    type: opensearch",
                        "    url: " + server.url(),
                        "    index: " + index,
                        "    timeout: 10s",
                        "    " + String.join("\n    ", settings)));
        return Service.start(List.of(), directory.resolve("data"), "--config", file.toString());
    }

    private static void send(Service service, String... messages) throws Exception {
        try (DatagramSocket socket = new DatagramSocket()) {
            for (String message : messages) {
                byte[] bytes = message.getBytes(UTF_8);
                socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), service.port()));
            }
        }
    }

    private static void send(Service service, int count) throws Exception {
        try (Forked sender =
                Forked.load("--to", service.target(), "--rate", "20k", "--count", Integer.toString(count))) {
            assertThat(sender.awaitExit(SOON)).as("%s", sender.err()).isZero();
        }
    }

    private static JsonNode delivered(Service service) throws Exception {
        return service.ledger().at("/delivered/search");
    }

    private static void awaitSettled(Service service, long count) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(delivered(service).get("acked").asLong()
                                + delivered(service).get("deadLettered").asLong())
                        .as("%s", service.get("/api/status").body())
                        .isEqualTo(count));
    }

    private static void awaitProblem(Service service, String part) {
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(delivered(service).get("problem").asText())
                                .as("%s", service.get("/api/status").body())
                                .contains(part));
    }

    @Test
    void dataStreamHasEachMessageOnceWithItsTime() throws Exception {
        String stream = "logs-syslog-once";
        try (Service service = service(stream)) {
            service.needsItsReceiveBuffer();
            send(service, "<13>1 2026-11-21T10:00:00.123456789Z fw1 app 7 ID [a@1 x=\"1\"] first");
            send(service, MESSAGES);
            awaitSettled(service, MESSAGES + 1);
            assertThat(delivered(service).get("deadLettered").asLong()).isZero();
            service.stop();
        }
        assertThat(server.ask("GET", "/_data_stream/" + stream, "")
                        .at("/data_streams/0/name")
                        .asText())
                .isEqualTo(stream);
        assertThat(server.count(stream)).isEqualTo(MESSAGES + 1);
        JsonNode first = server.ask(
                        "GET", "/" + stream + "/_search?q=log.syslog.msgid:ID&docvalue_fields=@timestamp", "")
                .at("/hits/hits/0");
        assertThat(first.at("/_source/@timestamp").asText()).isEqualTo("2026-11-21T10:00:00.123456789Z");
        assertThat(first.at("/fields/@timestamp/0").asText()).isEqualTo("2026-11-21T10:00:00.123Z");
        assertThat(first.at("/_source/host/hostname").asText()).isEqualTo("fw1");
        assertThat(server.ask("GET", "/" + stream + "/_search?q=log.syslog.structured_data.a@1.x:1", "")
                        .at("/hits/total/value")
                        .asInt())
                .isEqualTo(1);
        // A second run of the same positions.
        try (Forked positions = Forked.millrace(
                List.of(),
                "journal",
                "positions",
                "--data",
                directory.resolve("data").toString(),
                "--set",
                "search=begin")) {
            assertThat(positions.awaitExit(SOON)).as("%s", positions.err()).isZero();
        }
        try (Service service = service(stream)) {
            await().atMost(SOON)
                    .until(() -> delivered(service).get("pending").asLong() == 0
                            && delivered(service).get("acked").asLong() > 0);
            service.stop();
        }
        assertThat(server.count(stream)).isEqualTo(MESSAGES + 1);
    }

    /** Each fault of an index makes the output wait, and is gone when somebody has removed its reason. */
    @Test
    void waitsWhileTheIndexIsAtFault() throws Exception {
        try (Service service = service("plain-index", "format: json")) {
            send(service, "one");
            awaitSettled(service, 1);
            server.ask("PUT", "/plain-index/_settings", "{\"index.blocks.write\":true}");
            send(service, "two");
            awaitProblem(service, "cluster_block_exception");
            server.ask("PUT", "/plain-index/_settings", "{\"index.blocks.write\":false}");
            awaitSettled(service, 2);
            server.ask("POST", "/plain-index/_close", "");
            send(service, "three");
            awaitProblem(service, "index_closed_exception");
            server.ask("POST", "/plain-index/_open", "");
            awaitSettled(service, 3);
            server.ask("PUT", "/plain-index/_settings", "{\"index.default_pipeline\":\"absent\"}");
            send(service, "four");
            awaitProblem(service, "pipeline with id [absent] does not exist");
            server.ask("PUT", "/plain-index/_settings", "{\"index.default_pipeline\":\"_none\"}");
            awaitSettled(service, 4);
            assertThat(delivered(service).get("deadLettered").asLong()).isZero();
            assertThat(server.count("plain-index")).isEqualTo(4);
        }
    }

    @Test
    void waitsForMissingIndexesFieldsShardsAndAliases() throws Exception {
        server.ask("PUT", "/narrow", "{\"settings\":{\"index.mapping.total_fields.limit\":5}}");
        server.ask("PUT", "/alias-a", "{\"aliases\":{\"no-write\":{}}}");
        server.ask("PUT", "/alias-b", "{\"aliases\":{\"no-write\":{}}}");
        waits("narrow", "Limit of total fields", "/narrow/_settings", "{\"index.mapping.total_fields.limit\":500}");
        waits(
                "no-write",
                "no write index is defined for alias",
                "/alias-a/_alias/no-write",
                "{\"is_write_index\":true}");
        server.ask("PUT", "/_cluster/settings", "{\"persistent\":{\"cluster.max_shards_per_node\":1}}");
        waits(
                "one-too-many",
                "shards open",
                "/_cluster/settings",
                "{\"persistent\":{\"cluster.max_shards_per_node\":1000}}");
        server.ask("PUT", "/_cluster/settings", "{\"persistent\":{\"action.auto_create_index\":\"false\"}}");
        waits("absent-index", "index_not_found_exception", "/absent-index", "{}");
        server.ask("PUT", "/_cluster/settings", "{\"persistent\":{\"action.auto_create_index\":null}}");
        // A data stream, and documents without @timestamp: only another format helps.
        try (Service service = service("logs-syslog-json", "format: json")) {
            long before = journaled(service);
            send(service, "x");
            awaitProblem(service, "single-valued timestamp field '@timestamp'");
            assertThat(delivered(service).get("deadLettered").asLong()).isZero();
            assertThat(journaled(service)).isEqualTo(before + 1);
        }
    }

    private static long journaled(Service service) throws Exception {
        return delivered(service).get("pending").asLong()
                + delivered(service).get("acked").asLong();
    }

    private void waits(String index, String problem, String path, String remedy) throws Exception {
        try (Service service = service(index, "format: json", "from: end")) {
            send(service, "<13>1 - h app 1 ID [a@1 x=\"1\"] " + index);
            awaitProblem(service, problem);
            server.ask("PUT", path, remedy);
            await().atMost(SOON).until(() -> delivered(service).get("pending").asLong() == 0);
            assertThat(delivered(service).get("deadLettered").asLong()).isZero();
            assertThat(server.count(index)).isPositive();
            service.stop();
        }
        Files.delete(directory.resolve("data/positions/search"));
    }

    /** A document that does not fit is a dead letter, and the others are stored. */
    @Test
    void onlyTheDocumentThatDoesNotFitIsADeadLetter() throws Exception {
        server.ask(
                "PUT",
                "/typed",
                "{\"mappings\":{\"properties\":{\"fields\":{\"properties\":{\"n\":{\"type\":\"long\"}}}}}}");
        try (Service service = service("typed", "format: json", "fields: on")) {
            send(service, "<13>app: n=1", "<13>app: n=many", "<13>app: n=3");
            awaitSettled(service, 3);
            assertThat(delivered(service).get("deadLettered").asLong()).isEqualTo(1);
            assertThat(server.count("typed")).isEqualTo(2);
            assertThat(directory.resolve("data/dead-letters/search.ndjson"))
                    .content()
                    .contains("400 mapper_parsing_exception: failed to parse field [fields.n] of type [long]");
        }
    }

    /** A killed server, and a killed collector: each document is there once. */
    @Test
    void killsMakeNoSecondDocument() throws Exception {
        String stream = "logs-syslog-kills";
        long sent = 0;
        for (int round = 0; round < 2; round++) {
            try (Service service = service(stream)) {
                service.needsItsReceiveBuffer();
                send(service, MESSAGES / 2);
                server.kill();
                send(service, MESSAGES / 2);
                server.start();
                sent += 2L * (MESSAGES / 2);
                TimeUnit.MILLISECONDS.sleep(500);
                service.process().signal("KILL");
                assertThat(service.process().awaitExit(SOON)).isNotZero();
            }
        }
        try (Service service = service(stream)) {
            await().atMost(SOON).until(() -> delivered(service).get("pending").asLong() == 0);
            assertThat(delivered(service).get("deadLettered").asLong()).isZero();
            service.stop();
        }
        assertThat(server.count(stream)).isEqualTo(sent);
    }
}
