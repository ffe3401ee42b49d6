package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The configuration read again by a service under load: nothing is lost by it, and a wrong file changes nothing. */
@Timeout(120)
@Tag("calm")
@Tag("once")
class ReloadIT {
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private Path config;

    @BeforeEach
    void prepare() {
        config = directory.resolve("millrace.yaml");
    }

    private Service start(String... lines) throws Exception {
        write(lines);
        return Service.startWith(directory.resolve("data"), "--config", config.toString());
    }

    private void write(String... lines) throws IOException {
        String head = "inputs: {hosts: {listen: '127.0.0.1:0'}}\n";
        Files.writeString(config, head + String.join("\n", lines).replace("DIR", directory.toString()) + "\n");
    }

    private static HttpResponse<String> reload(Service service, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(service.adminUrl() + "/api/reload"))
                .timeout(SOON)
                .POST(HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void reloadsOutputsAndPolicyUnderLoadWithoutLoss() throws Exception {
        try (Service service = start(
                "outputs:",
                "  one: {type: file, path: DIR/one, format: raw}",
                "  two: {type: file, path: DIR/two-a}")) {
            service.needsItsReceiveBuffer();
            Forked sender = Forked.load("--to", service.target(), "--rate", "10k", "--count", "50k");
            await().atMost(SOON).until(() -> Files.exists(directory.resolve("two-a")));
            String[] files = {"two-b", "two-c", "two-d"};
            for (String file : files) {
                write(
                        "outputs:",
                        "  two: {type: file, path: DIR/" + file + "}",
                        "  one: {type: file, path: DIR/one, format: raw}",
                        "policy: {deny: 127.0.0.9}");
                service.process().signal("HUP");
                await().atMost(SOON).until(() -> Files.exists(directory.resolve(file)));
            }
            write(
                    "outputs:",
                    "  three: {type: file, path: DIR/three}",
                    "  one: {type: file, path: DIR/one, format: raw}");
            HttpResponse<String> answer = reload(service);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            JsonNode report = new ObjectMapper().readTree(answer.body());
            assertThat(report.toString())
                    .isEqualTo("{\"begun\":[\"three\"],\"changed\":[],\"ended\":[\"two\"],\"policyChanged\":true,"
                            + "\"takesRestart\":[],\"alertsChanged\":false,\"warnings\":[]}");
            assertThat(service.get("/metrics").body())
                    .contains("output=\"three\"", "output=\"one\"")
                    .doesNotContain("output=\"two\"");
            assertThat(sender.awaitExit(SOON)).isZero();
            await().atMost(SOON)
                    .until(() -> service.ledger().at("/delivered/three/acked").asLong() == 50_000);
            service.stop();
            assertThat(service.process().err())
                    .anyMatch(line ->
                            line.contains("Configuration read again: outputs that changed: two; the policy changed"))
                    .anyMatch(line -> line.contains("received 50000 = journaled 50000"));
            assertThat(Files.readAllLines(directory.resolve("one"))).hasSize(50_000);
            Set<String> sequences = new HashSet<>();
            long lines = 0;
            for (String file : List.of("two-a", "two-b", "two-c", "two-d")) {
                for (String line : Files.readAllLines(directory.resolve(file))) {
                    JsonNode message = new ObjectMapper().readTree(line);
                    sequences.add(message.get("shard") + ":" + message.get("sequence"));
                    lines++;
                }
            }
            // One after the other, each goes on where the last ended: nothing twice.
            assertThat((long) sequences.size()).isEqualTo(lines);
        }
    }

    @Test
    void invalidFileChangesNothing() throws Exception {
        try (Service service = start("outputs: {one: {type: file, path: DIR/one}}")) {
            write("outputs: {one: {type: file, path: DIR/other, format: jsn}}", "policy: {deny: 10.1.2.3/8}");
            HttpResponse<String> answer = reload(service);
            assertThat(answer.statusCode()).isEqualTo(422);
            assertThat(answer.body())
                    .contains(
                            "the service continues with the previous configuration",
                            "millrace.yaml:2:",
                            "jsn",
                            "millrace.yaml:3:");
            service.process().signal("HUP");
            service.process().awaitErr("Configuration reload failed", SOON);
            assertThat(service.get("/readyz").statusCode()).isEqualTo(200);
            assertThat(reload(service, "Origin", "http://127.0.0.1").statusCode())
                    .isEqualTo(403);
            assertThat(service.get("/api/reload").statusCode()).isEqualTo(405);

            write(
                    "outputs: {one: {type: file, path: DIR/one}, two: {type: file, path: DIR/%Y}}",
                    "receive: {receivers: 3}", "admin: {listen: '127.0.0.1:1'}");
            assertThat(reload(service).body())
                    .contains("\"takesRestart\":[\"receive\"]", "/%Y' %Y is text, not a time; did you mean {year}?\"]");
            service.stop();
        }
    }

    private static void send(Service service, String... messages) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            for (String message : messages) {
                byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
                socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), service.port()));
            }
        }
    }

    private static void awaitFiltered(Service service, String output, long acked, long filtered) {
        await().atMost(SOON).until(() -> {
            JsonNode counts = service.ledger().at("/delivered/" + output);
            return counts.get("acked").asLong() == acked
                    && counts.get("filtered").asLong() == filtered;
        });
    }

    @Test
    void changedFilterOrListChangesWhatAnOutputTakes() throws Exception {
        Path hosts = Files.writeString(directory.resolve("hosts.txt"), "web1\n");
        String outputs =
                "outputs: {one: {type: file, path: DIR/one, format: '{hostname} {message}', where: filter(wanted)},"
                        + " rest: {type: file, path: DIR/rest, format: '{hostname} {message}', otherwise: one}}";
        String listed =
                "filters: {listed: 'hostname in file(\"DIR/hosts.txt\")', wanted: 'filter(listed) and severity <= ";
        try (Service service = start(listed + "err'}", outputs)) {
            send(service, "<11>Nov 21 10:00:00 web1 a: 1", "<13>Nov 21 10:00:00 web1 a: 2");
            awaitFiltered(service, "one", 1, 1);
            write(listed + "notice'}", outputs);
            HttpResponse<String> answer = reload(service);
            assertThat(answer.body()).contains("\"changed\":[\"one\",\"rest\"]", "\"takesRestart\":[]");
            send(service, "<13>Nov 21 10:00:00 web1 a: 3", "<13>Nov 21 10:00:00 web2 a: 4");
            awaitFiltered(service, "one", 2, 2);
            Path next = Files.writeString(directory.resolve("next"), "web2\n");
            Files.move(next, hosts, StandardCopyOption.ATOMIC_MOVE);
            int sent = 4;
            // The list is checked when a message is filtered, and once per second at most.
            while (!Files.readString(directory.resolve("one")).contains("web2")) {
                assertThat(sent).as("messages until the list is read").isLessThan(1000);
                send(service, "<13>Nov 21 10:00:00 web2 a: 5");
                sent++;
                int all = sent;
                await().atMost(SOON).until(() -> {
                    JsonNode counts = service.ledger().at("/delivered/one");
                    return counts.get("acked").asLong() + counts.get("filtered").asLong() == all;
                });
            }
            write(outputs);
            assertThat(reload(service).body()).contains("there is no filter wanted");
            service.stop();
            int journaled = sent;
            assertThat(service.process().err())
                    .anyMatch(line -> line.contains("Filter list") && line.contains("was read again"))
                    .anyMatch(line -> line.contains("received " + journaled + " = journaled " + journaled));
            assertThat(Files.readAllLines(directory.resolve("one"))).hasSize(3).startsWith("web1 1", "web1 3");
        }
    }

    @Test
    void rangeOfAnOldJournalIsReplayedToANewFile() throws Exception {
        String live = "  live: {type: file, path: DIR/live, format: raw}";
        try (Service service = start("outputs:", live)) {
            List<String> times = new ArrayList<>();
            int sent = 0;
            for (String message : new String[] {"before", "first", "second", "after"}) {
                times.add(Instant.now().toString());
                send(service, message + " 1", message + " 2");
                sent += 2;
                awaitFiltered(service, "live", sent, 0);
            }
            write("outputs:", live, "  replay: {type: file, path: DIR/replay, format: raw, to: 2999-01-01T00:00:00Z}");
            assertThat(reload(service).body()).contains("outputs.replay.to accepts a time that has passed");
            write(
                    "outputs:",
                    live,
                    "  replay: {type: file, path: DIR/replay, format: raw, from: '" + times.get(1) + "', to: '"
                            + times.get(3) + "'}");
            assertThat(reload(service).body()).contains("\"begun\":[\"replay\"]");
            await().atMost(SOON)
                    .until(() -> service.ledger()
                            .at("/delivered/replay/state")
                            .asText()
                            .equals("finished"));
            send(service, "later");
            awaitFiltered(service, "live", sent + 1, 0);
            JsonNode replay = service.ledger().at("/delivered/replay");
            assertThat(replay.get("acked").asLong()).isEqualTo(4);
            assertThat(replay.get("pending").asLong()).isZero();
            assertThat(service.get("/metrics").body())
                    .contains(
                            "millrace_output_finished{output=\"live\"} 0.0",
                            "millrace_output_finished{output=\"replay\"} 1.0");
            service.stop();
        }
        assertThat(Files.readAllLines(directory.resolve("replay")))
                .containsExactly("first 1", "first 2", "second 1", "second 2");
    }
}
