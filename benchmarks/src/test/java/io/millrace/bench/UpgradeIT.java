package io.millrace.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A data directory and a configuration of version 0.1.0: journal, positions, counters and dead letters are read by each later version.
 * {@code -Dmillrace.upgrade.write=true} writes the file again, which is only right for a new version, under a new name.
 */
@Tag("calm")
class UpgradeIT {
    private static final Path OLD = Path.of("src/test/resources/upgrade/0.1.0.zip");
    private static final int MESSAGES = 60;
    private static final Duration SOON = Duration.ofSeconds(30);

    private static final String CONFIGURATION = """
            data: @DIR@/data
            inputs:
              network: {listen: "127.0.0.1:0"}
              relays: {listen: "tcp://127.0.0.1:0", maxMessage: 8K}
            journal:
              sync: interval 1s
              retention: {age: 7d, freeSpace: 1G, unread: keep}
            policy:
              deny: [192.0.2.0/24]
              minimumSeverity: info
              perSource: {datagrams: 5k}
            filters:
              important: severity <= warning or hostname == "fw1"
            outputs:
              archive:
                type: file
                path: @DIR@/archive.ndjson
                format: json
                edit: [redact: {preset: secrets}]
              late:
                type: syslog
                host: 127.0.0.1
                port: 9
                transport: tcp
              rejects:
                type: http
                url: http://127.0.0.1:@PORT@/
                compression: none
              some:
                type: file
                path: @DIR@/{hostname}.log
                where: filter(important)
            alerts:
              outputLag: 5m
            sources:
              silentAfter: 10m
            """;

    @TempDir
    private Path directory;

    /** Of the destination that rejects; nothing listens on this one. */
    private int port = 9;

    private String configuration(String text) {
        return text.replace("@DIR@", directory.toString()).replace("@PORT@", String.valueOf(port));
    }

    private Service start(String configuration) throws Exception {
        Path file = Files.writeString(directory.resolve("used.yaml"), configuration(configuration));
        return Service.startWith(directory.resolve("data"), "--config", file.toString(), "--receivers", "1");
    }

    private static void send(Service service, int number) throws IOException {
        byte[] bytes = ("<14>1 2026-11-30T04:00:00Z fw1 app - - - number " + number).getBytes(UTF_8);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), service.port()));
        }
    }

    private List<String> lines(String file) throws IOException {
        Path path = directory.resolve(file);
        return Files.exists(path) ? Files.readAllLines(path) : List.of();
    }

    @Test
    void dataOfVersion010IsRead() throws Exception {
        unzip();
        try (Forked check = Forked.millrace(
                List.of(),
                "config",
                "check",
                "--no-files",
                Files.writeString(
                                directory.resolve("old.yaml"),
                                configuration(Files.readString(directory.resolve("millrace.yaml"))))
                        .toString())) {
            assertThat(check.awaitExit(SOON)).as("%s", check.err()).isZero();
        }
        String withFile = Files.readString(directory.resolve("millrace.yaml"))
                .replaceFirst(
                        "(?s)    type: syslog\n.*?transport: tcp\n",
                        "    type: file\n    path: @DIR@/late.ndjson\n    format: json\n");
        try (Service service = start(withFile)) {
            await().atMost(SOON).until(() -> lines("late.ndjson").size() == MESSAGES);
            send(service, MESSAGES);
            await().atMost(SOON).until(() -> lines("late.ndjson").size() == MESSAGES + 1);
            await().atMost(SOON).until(() -> lines("archive.ndjson").size() == 1);
            assertThat(lines("archive.ndjson").get(0)).contains("number " + MESSAGES, "\"sequence\":" + MESSAGES);
            JsonNode ledger = service.ledger();
            assertThat(ledger.at("/lifetime/received").asLong()).isEqualTo(MESSAGES + 1);
            assertThat(ledger.at("/lifetime/journaled").asLong()).isEqualTo(MESSAGES + 1);
            assertThat(ledger.at("/lifetime/kills").asLong()).isZero();
            assertThat(ledger.at("/delivered/archive/acked").asLong()).isEqualTo(MESSAGES + 1);
            service.stop();
        }
        assertThat(lines("late.ndjson"))
                .extracting(line -> line.replaceFirst(".*\"message\":\"([^\"]*)\".*", "$1"))
                .containsExactlyElementsOf(IntStream.rangeClosed(0, MESSAGES)
                        .mapToObj(i -> "number " + i)
                        .toList());
        assertThat(inData("dead-letters", "show", "rejects"))
                .singleElement()
                .asString()
                .contains("HTTP 400", "number 7");
        inData("journal", "verify");
    }

    /** What a command prints about the data directory. */
    private List<String> inData(String... command) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of("--data", directory.resolve("data").toString()));
        try (Forked forked = Forked.millrace(List.of(), arguments.toArray(String[]::new))) {
            assertThat(forked.awaitExit(SOON)).as("%s", forked.err()).isZero();
            return forked.out();
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "millrace.upgrade.write", matches = "true")
    void write() throws Exception {
        HttpServer rejects = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        rejects.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            exchange.sendResponseHeaders(body.contains("number 7\"") ? 400 : 200, -1);
            exchange.close();
        });
        rejects.start();
        port = rejects.getAddress().getPort();
        try (Service service = start(CONFIGURATION)) {
            for (int i = 0; i < MESSAGES; i++) {
                send(service, i);
            }
            await().atMost(SOON).until(() -> lines("archive.ndjson").size() == MESSAGES);
            await().atMost(SOON)
                    .until(() -> service.ledger().at("/delivered/rejects/acked").asLong() == MESSAGES - 1);
            service.stop();
        } finally {
            rejects.stop(0);
        }
        Files.createDirectories(OLD.getParent());
        try (OutputStream file = Files.newOutputStream(OLD);
                ZipOutputStream zip = new ZipOutputStream(file)) {
            add(zip, "millrace.yaml", CONFIGURATION.getBytes(UTF_8));
            Path data = directory.resolve("data");
            try (Stream<Path> walk = Files.walk(data)) {
                for (Path each : walk.filter(Files::isRegularFile).sorted().toList()) {
                    add(zip, "data/" + data.relativize(each), Files.readAllBytes(each));
                }
            }
        }
    }

    private static void add(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(bytes);
        zip.closeEntry();
    }

    private void unzip() throws IOException {
        try (InputStream file = Files.newInputStream(OLD);
                ZipInputStream zip = new ZipInputStream(file)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path target = directory.resolve(entry.getName());
                Files.createDirectories(target.getParent());
                Files.copy(zip, target);
            }
        }
    }
}
