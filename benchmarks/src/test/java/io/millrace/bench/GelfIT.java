package io.millrace.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two client libraries of GELF, over UDP with and without compression and chunks, and over TCP. */
@Tag("calm")
@Timeout(240)
class GelfIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Pattern READY = Pattern.compile("udp \\S*?:(\\d+), tcp \\S*?:(\\d+), tcp \\S*?:(\\d+),");
    private static final int MESSAGES = 10;

    private static final String CLIENT = """
            import logging, sys, pygelf, graypy
            udp, tcp, auto = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
            def send(handler, name, text, **extra):
                logger = logging.getLogger(name)
                logger.propagate = False
                logger.addHandler(handler)
                logger.error(text, extra=extra)
                handler.close()
            long = ' '.join('%05d' % i for i in range(5000))
            host = '127.0.0.1'
            chunker = graypy.handler.GELFWarningChunker(chunk_size=500)
            send(pygelf.GelfUdpHandler(host, udp, compress=False, include_extra_fields=True), '0', 'plain', request_id=7)
            send(pygelf.GelfUdpHandler(host, udp, compress=True), '1', 'zlib')
            send(pygelf.GelfUdpHandler(host, udp, compress=False, chunk_size=1300), '2', 'chunks ' + long)
            send(pygelf.GelfUdpHandler(host, udp, compress=True, chunk_size=300), '3', 'zlib chunks ' + long)
            send(pygelf.GelfTcpHandler(host, tcp, include_extra_fields=True), '4', 'tcp \\u00e4 "q"', user='ann')
            send(graypy.GELFUDPHandler(host, udp, compress=False), '5', 'graypy plain')
            send(graypy.GELFUDPHandler(host, udp), '6', 'graypy zlib')
            send(graypy.GELFUDPHandler(host, udp, gelf_chunker=chunker, compress=False), '7', 'graypy chunks ' + long)
            send(graypy.GELFUDPHandler(host, udp, gelf_chunker=chunker), '8', 'graypy zlib chunks ' + long)
            send(graypy.GELFTCPHandler(host, auto), '9', 'graypy tcp')
            """;

    @TempDir
    private Path directory;

    @Test
    @Tag("once")
    @Tag("full")
    void messagesOfClientLibrariesArrive() throws Exception {
        Needs.program("python3");
        String python = python();
        Path config =
                Files.writeString(directory.resolve("millrace.yaml"), """
                inputs:
                  gelf: {listen: "127.0.0.1:0", gelfChunks: on}
                  gelf-tcp: {listen: "tcp://127.0.0.1:0", framing: nul}
                  gelf-auto: {listen: "tcp://127.0.0.1:0"}
                outputs:
                  all: {type: file, path: "%s", fields: on}
                """.formatted(directory.resolve("out.json")));
        Path client = Files.writeString(directory.resolve("client.py"), CLIENT);
        Path data = directory.resolve("data");
        try (Service service = Service.startWith(data, "--config", config.toString())) {
            Matcher ready = READY.matcher(service.readyLine());
            assertThat(ready.find()).as(service.readyLine()).isTrue();
            List<String> command = List.of(python, client.toString(), ready.group(1), ready.group(2), ready.group(3));
            try (Forked process = Forked.start(command)) {
                assertThat(process.awaitExit(SOON)).as("%s", process.err()).isZero();
            }
            await().atMost(SOON).until(() -> service.ledger().get("journaled").asLong() == MESSAGES);
            JsonNode ledger = service.ledger();
            assertThat(ledger.get("merged").asLong()).isGreaterThan(100);
            assertThat(ledger.get("received").asLong())
                    .isEqualTo(ledger.get("journaled").asLong()
                            + ledger.get("merged").asLong()
                            + ledger.get("duplicateChunks").asLong());
            service.stop();
        }
        Map<String, JsonNode> found = new HashMap<>();
        for (String line : Files.readAllLines(directory.resolve("out.json"))) {
            JsonNode json = new ObjectMapper().readTree(line);
            assertThat(json.get("parse").asText()).isEqualTo("gelf");
            assertThat(json.get("severity").asText()).isEqualTo("err");
            assertThat(json.has("hostname")).isTrue();
            found.put(json.get("message").asText().replaceFirst(" 00000 .* 04999$", " …"), json);
        }
        assertThat(found)
                .containsOnlyKeys(
                        "plain",
                        "zlib",
                        "chunks …",
                        "zlib chunks …",
                        "tcp ä \"q\"",
                        "graypy plain",
                        "graypy zlib",
                        "graypy chunks …",
                        "graypy zlib chunks …",
                        "graypy tcp");
        assertThat(found.get("plain").get("fields").get("request_id").asInt()).isEqualTo(7);
        assertThat(found.get("tcp ä \"q\"").get("fields").get("user").asText()).isEqualTo("ann");
    }

    @Test
    void chunksThatWaitAtAKillAreCountedAsCrash() throws Exception {
        Path config = Files.writeString(
                directory.resolve("millrace.yaml"), "inputs: {gelf: {listen: '127.0.0.1:0', gelfChunks: on}}\n");
        Path data = directory.resolve("data");
        byte[] chunk = {0x1e, 0x0f, 1, 2, 3, 4, 5, 6, 7, 8, 0, 3, '{'};
        try (Service service = Service.startWith(data, "--config", config.toString());
                DatagramSocket socket = new DatagramSocket()) {
            InetSocketAddress target = new InetSocketAddress(InetAddress.getLoopbackAddress(), service.port());
            socket.send(new DatagramPacket(chunk, chunk.length, target));
            socket.send(new DatagramPacket(chunk, chunk.length, target));
            chunk[10] = 2;
            socket.send(new DatagramPacket(chunk, chunk.length, target));
            await().atMost(SOON)
                    .until(() -> service.ledger().get("duplicateChunks").asLong() == 1
                            && service.ledger().get("inFlight").asLong() == 2);
            service.process().signal("KILL");
            service.process().awaitExit(SOON);
        }
        try (Service service = Service.startWith(data, "--config", config.toString())) {
            JsonNode lifetime = service.ledger().get("lifetime");
            assertThat(lifetime.get("received").asLong()).isEqualTo(3);
            assertThat(lifetime.get("duplicateChunks").asLong()).isEqualTo(1);
            // If the chunks had waited for five seconds before the kill, they would be journaled.
            assertThat(lifetime.get("crash").asLong()
                            + lifetime.get("journaled").asLong())
                    .isEqualTo(2);
            service.stop();
        }
    }

    /** 2,500 datagrams that expand to 1 MiB, as many to the limit, and five outputs in a heap that has no room for 240 of them. */
    @Test
    @Tag("full")
    void payloadsThatExpandDelayNoOutput() throws Exception {
        Path config = Files.writeString(directory.resolve("millrace.yaml"), """
                inputs: {gelf: {listen: "127.0.0.1:0"}}
                outputs:
                  first: {type: file, path: "%1$s/first"}
                  second: {type: file, path: "%1$s/second", fields: on}
                  third: {type: file, path: "%1$s/third", format: rfc5424}
                  raw: {type: file, path: "%1$s/raw", format: raw}
                  good: {type: file, path: "%1$s/good", where: 'message startswith "good"'}
                """.formatted(directory));
        byte[] tooLarge = gelf(1 << 20);
        byte[] large = gelf(64 << 10);
        int rounds = 2_500;
        try (Service service = Service.startWith(
                        List.of("env", "JDK_JAVA_OPTIONS=-Xmx96m"),
                        directory.resolve("data"),
                        "--config",
                        config.toString());
                DatagramSocket socket = new DatagramSocket()) {
            InetSocketAddress target = new InetSocketAddress(InetAddress.getLoopbackAddress(), service.port());
            for (int i = 0; i < rounds; i++) {
                byte[] good =
                        ("{\"version\":\"1.1\",\"host\":\"h\",\"short_message\":\"good " + i + "\"}").getBytes(UTF_8);
                for (byte[] payload : List.of(tooLarge, large, good)) {
                    socket.send(new DatagramPacket(payload, payload.length, target));
                }
                if (i % 10 == 0) {
                    Thread.sleep(30);
                }
            }
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> outputs(service).values().stream()
                            .noneMatch(output -> output.get("pending").asLong() > 0));
            JsonNode ledger = service.ledger();
            assertThat(ledger.get("received").asLong()).isEqualTo(3L * rounds);
            assertThat(ledger.get("journaled").asLong()).isEqualTo(3L * rounds);
            Map<String, JsonNode> outputs = outputs(service);
            for (String each : List.of("first", "second", "third")) {
                assertThat(outputs.get(each).get("acked").asLong()).isEqualTo(2L * rounds);
                assertThat(outputs.get(each).get("refused").get("too-long").asLong())
                        .isEqualTo(rounds);
            }
            assertThat(outputs.get("raw").get("acked").asLong()).isEqualTo(3L * rounds);
            assertThat(outputs.get("good").get("acked").asLong()).isEqualTo(rounds);
            assertThat(outputs.get("good").get("filtered").asLong()).isEqualTo(2L * rounds);
            service.stop();
            assertThat(service.process().err()).noneMatch(each -> each.contains("Java heap space"));
        }
        assertThat(Files.readAllLines(directory.resolve("good"))).hasSize(rounds);
    }

    private static Map<String, JsonNode> outputs(Service service) throws Exception {
        Map<String, JsonNode> outputs = new HashMap<>();
        for (JsonNode output :
                new ObjectMapper().readTree(service.get("/api/status").body()).get("outputs")) {
            outputs.put(output.get("name").asText(), output);
        }
        return outputs;
    }

    /** A payload of GELF above 1 KiB, which expands to so many bytes. */
    private static byte[] gelf(int expandedBytes) throws IOException {
        String random = new Random(1)
                .ints(1500, 'a', 'z' + 1)
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
        String begin = "{\"version\":\"1.1\",\"host\":\"h\",\"short_message\":\"" + random;
        String text = begin + "a".repeat(expandedBytes - begin.length() - 2) + "\"}";
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream stream = new GZIPOutputStream(out)) {
            stream.write(text.getBytes(UTF_8));
        }
        return out.toByteArray();
    }

    /** An environment of Python with both libraries; the test is skipped without them. */
    private String python() throws Exception {
        try (Forked process = Forked.start(List.of("python3", "-c", "import pygelf, graypy"))) {
            if (process.awaitExit(SOON) == 0) {
                return "python3";
            }
        }
        Path made = directory.resolve("venv");
        try (Forked process = Forked.start(List.of(
                "sh",
                "-c",
                "python3 -m venv " + made + " && " + made + "/bin/pip -q install pygelf==0.4.3 graypy==2.1.0"))) {
            boolean installed = process.awaitExit(Duration.ofMinutes(2)) == 0;
            Needs.that(installed, "Python's packages pygelf and graypy are not there, and cannot be installed");
        }
        return made.resolve("bin/python").toString();
    }
}
