package io.millrace.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.FreePort;
import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * RELP between Millrace and rsyslog, in both directions: nothing is lost, whoever is killed. How often is set with
 * {@code -Dmillrace.it.kills=10}, the moments with {@code -Dmillrace.it.seed=…}.
 */
@Tag("calm")
@Timeout(900)
class RelpIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Path MODULES = Path.of("/usr/lib/x86_64-linux-gnu/rsyslog");
    /** Messages for each kill: more than are journaled until the kill, so that the sender is at full speed then. */
    private static final int PER_KILL = 30_000;

    @TempDir
    private Path directory;

    private final long seed = Long.getLong("millrace.it.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final int kills = Integer.getInteger("millrace.it.kills", 3);

    @BeforeEach
    void needsRsyslog() {
        Needs.program("rsyslogd");
        Needs.that(
                Files.exists(MODULES.resolve("omrelp.so")) || !Files.exists(MODULES), "rsyslog-relp is not installed");
    }

    private Path file(String name) {
        return directory.resolve(name);
    }

    private static String numbered(int number) {
        return "n=" + number + "; a message of about a hundred bytes " + "x".repeat(60 + number % 20);
    }

    /** A file with lines n=0 to n=count-1, for rsyslog to read. */
    private Path numberedFile(int count) throws IOException {
        Path lines = file("lines");
        try (BufferedWriter out = Files.newBufferedWriter(lines)) {
            for (int i = 0; i < count; i++) {
                out.write(numbered(i));
                out.write('\n');
            }
        }
        return lines;
    }

    /**
     * rsyslog reads a file and forwards each line over RELP. It waits for a server that is away, and loses nothing itself. With larger
     * batches than its window, librelp keeps the last messages back for 200 ms (TCP_CORK), because a window is less than a segment of the
     * loopback.
     */
    private Forked sendFile(Path lines, int port, String tls) throws IOException {
        Path config = Files.writeString(file("sender.conf"), """
                global(workDirectory="%s")
                main_queue(queue.size="10000" queue.timeoutEnqueue="600000" queue.dequeueBatchSize="128")
                module(load="imfile" mode="inotify")
                module(load="omrelp")
                template(name="line" type="string" string="%%msg%%")
                input(type="imfile" file="%s" tag="t" maxSubmitAtOnce="1024")
                action(type="omrelp" target="127.0.0.1" port="%d" template="line" %s
                       action.resumeRetryCount="-1" action.resumeInterval="1" action.resumeIntervalMax="1")
                """.formatted(directory, lines, port, tls));
        return Forked.rsyslog(config);
    }

    private Service listen(int port, String... more) throws InterruptedException {
        List<String> options = new ArrayList<>(List.of("--listen", "relp://127.0.0.1:" + port, "--receivers", "1"));
        options.addAll(List.of(more));
        return Service.startWith(file("data"), options.toArray(String[]::new));
    }

    private static long journaled(Service service) throws IOException, InterruptedException {
        return service.ledger().get("lifetime").get("journaled").asLong();
    }

    private void forEachMessage(Consumer<String> consumer) throws IOException {
        try (JournalCursor cursor = Journal.open(file("data")).cursor().open()) {
            while (cursor.poll((datagram, position) -> {
                        byte[] bytes = new byte[datagram.payloadLength()];
                        datagram.copyPayload(bytes, 0);
                        consumer.accept(new String(bytes, ISO_8859_1));
                    })
                    > 0) {
                // All of it.
            }
        }
    }

    private static int number(String message) {
        return Integer.parseInt(message.substring(message.indexOf("n=") + 2, message.indexOf(';')));
    }

    /** Every number is journaled; a duplicate has a sequence of its own. Returns how many there are. */
    private long assertNoneIsMissing(int count) throws IOException {
        BitSet found = new BitSet(count);
        long[] records = {0};
        forEachMessage(message -> {
            assertThat(message).isEqualTo(numbered(number(message)));
            found.set(number(message));
            records[0]++;
        });
        assertThat(found.nextClearBit(0)).as("first number that is missing").isEqualTo(count);
        assertThat(Service.counter(file("data"), Counter.JOURNALED_DATAGRAMS))
                .as("a sequence for each record")
                .isEqualTo(records[0]);
        return records[0] - count;
    }

    private boolean hasAll(int count) throws IOException {
        BitSet found = new BitSet(count);
        forEachMessage(message -> found.set(number(message)));
        return found.cardinality() == count;
    }

    private void awaitStreams(Service service, String key, long atLeast) {
        await().atMost(SOON).until(() -> stream(service).get(key).asLong() >= atLeast);
    }

    private static JsonNode stream(Service service) throws IOException, InterruptedException {
        return new com.fasterxml.jackson.databind.ObjectMapper()
                .readTree(service.get("/api/status").body())
                .get("streams")
                .get(0)
                .get("shards")
                .get(0);
    }

    @Test
    void journalsWhatRsyslogSends() throws Exception {
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[1 + random.nextInt(i % 100 == 0 ? 7000 : 300)];
            random.nextBytes(bytes);
            sent.add(("m" + i + " " + new String(bytes, ISO_8859_1))
                    .replace('\n', 'x')
                    .replace('\0', 'y'));
        }
        Path lines = Files.write(file("lines"), (String.join("\n", sent) + "\n").getBytes(ISO_8859_1));
        int port = FreePort.next();
        try (Service service = listen(port);
                Forked rsyslog = sendFile(lines, port, "")) {
            await().atMost(LONG).until(() -> journaled(service) >= sent.size());
            rsyslog.signal("TERM");
            assertThat(rsyslog.awaitExit(SOON)).isZero();
            awaitStreams(service, "closedPeer", 1);
            assertThat(stream(service).get("acknowledged").asLong()).isEqualTo(sent.size());
            service.stop();
        }
        List<String> found = new ArrayList<>();
        forEachMessage(found::add);
        assertThat(found).isEqualTo(sent);
    }

    @ParameterizedTest
    @ValueSource(strings = {"interval 1s", "batch"})
    @Tag("full")
    void rsyslogLosesNothingWhenMillraceIsKilled(String sync) throws Exception {
        System.err.println("RelpIT: " + kills + " kills, sync " + sync + ", seed " + seed);
        Path config = Files.writeString(file("millrace.yaml"), "journal:\n  sync: " + sync + "\n");
        int port = FreePort.next();
        int count = (kills + 1) * PER_KILL;
        Path lines = numberedFile(count);
        try (Forked rsyslog = sendFile(lines, port, "")) {
            for (int kill = 0; kill < kills; kill++) {
                String threading = kill % 2 == 0 ? "shared" : "dedicated";
                try (Service service = listen(port, "--config", config.toString(), "--threading", threading)) {
                    long enough = journaled(service) + 1000 + random.nextInt(PER_KILL / 2);
                    await().atMost(LONG).pollInterval(Duration.ofMillis(2)).until(() -> journaled(service) >= enough);
                    service.process().signal("KILL");
                    service.process().awaitExit(SOON);
                }
                assertThat(rsyslog.isAlive()).as("rsyslog goes on").isTrue();
            }
            try (Service service = listen(port, "--config", config.toString())) {
                await().atMost(LONG)
                        .pollInterval(Duration.ofMillis(500))
                        .until(() -> journaled(service) >= count && hasAll(count));
                service.stop();
            }
        }
        long duplicates = assertNoneIsMissing(count);
        long crash = Service.counter(file("data"), DropReason.CRASH.counter());
        assertThat(Service.counter(file("data"), Counter.RECEIVED_DATAGRAMS)).isEqualTo(count + duplicates + crash);
        System.err.printf(
                "RelpIT: %d kills, sync %s: none of %,d messages is missing; %,d arrived twice, %,d were received and not"
                        + " journaled%n",
                kills, sync, count, duplicates, crash);
        assertThat(duplicates).as("only what had no answer is sent again").isLessThanOrEqualTo(kills * 2048L);
    }

    @Test
    @Tag("full")
    void hotRestartLosesNothing() throws Exception {
        int port = FreePort.next();
        int count = 4 * PER_KILL;
        Path lines = numberedFile(count);
        try (Service first = listen(port);
                Forked rsyslog = sendFile(lines, port, "")) {
            await().atMost(LONG).pollInterval(Duration.ofMillis(2)).until(() -> journaled(first) >= 5000);
            assertThat(journaled(first)).as("there is more to come").isLessThan(count / 2);
            try (Service second = listen(port, "--hot-restart")) {
                assertThat(first.process().awaitExit(SOON)).isZero();
                assertThat(first.process().err()).asString().contains("1 connections closed for the hot restart");
                await().atMost(LONG)
                        .pollInterval(Duration.ofMillis(500))
                        .until(() -> journaled(second) >= count && hasAll(count));
                second.stop();
            }
            assertThat(rsyslog.isAlive()).isTrue();
        }
        long duplicates = assertNoneIsMissing(count);
        System.err.printf("RelpIT: hot restart: %,d of %,d messages arrived twice%n", duplicates, count);
    }

    @Test
    @Tag("once")
    @Tag("full")
    void journalsWhatRsyslogSendsOverTls() throws Exception {
        Needs.program("openssl");
        Certificates certificates = new Certificates(directory);
        certificates.authority("ca");
        certificates.certificate("server", "ca", "IP:127.0.0.1,DNS:localhost");
        certificates.certificate("client", "ca", "DNS:web1.example.com");
        int port = FreePort.next();
        Path config = Files.writeString(
                file("millrace.yaml"), """
                inputs:
                  relp:
                    listen: "relp://127.0.0.1:%d"
                    tls:
                      certificateFile: %s
                      keyFile: %s
                      clientAuth: required
                      clientCaFile: %s
                      allowedPeers: [web1.example.com]
                """.formatted(port, file("server.pem"), file("server.key"), file("ca.pem")));
        int count = 5000;
        Path lines = numberedFile(count);
        String tls = "tls=\"on\" tls.cacert=\"%s\" tls.mycert=\"%s\" tls.myprivkey=\"%s\" tls.authmode=\"certvalid\""
                .formatted(file("ca.pem"), file("client.pem"), file("client.key"));
        try (Service service = Service.startWith(file("data"), "--config", config.toString());
                Forked rsyslog = sendFile(lines, port, tls)) {
            await().atMost(LONG).until(() -> journaled(service) >= count);
            try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), port)) {
                plain.getOutputStream().write("1 open 14 relp_version=0\n".getBytes(UTF_8));
                awaitStreams(service, "closedTlsPlainText", 1);
            }
            assertThat(rsyslog.isAlive()).isTrue();
            service.stop();
        }
        assertThat(assertNoneIsMissing(count)).isZero();
        try (JournalCursor cursor = Journal.open(file("data")).cursor().open()) {
            cursor.poll((datagram, position) ->
                    assertThat(new String(datagram.tlsPeer(), UTF_8)).isEqualTo("web1.example.com"));
        }
    }

    /** The configurations of {@code docs/start/migrating.md}, with other addresses and a socket for messages. */
    @Test
    void documentedConfigurationsWorkTogether() throws Exception {
        List<MarkdownPage.Block> blocks =
                MarkdownPage.read(Path.of("../docs/start/migrating.md")).blocks();
        int relp = 0;
        while (!blocks.get(relp).text().contains("omrelp")) {
            relp++;
        }
        int port = FreePort.next();
        Path yaml = Files.writeString(
                file("millrace.yaml"), blocks.get(relp + 1).text().replace("[::]:2514", "127.0.0.1:" + port));
        Path in = file("in.sock");
        Path sender = Files.writeString(
                file("sender.conf"),
                """
                module(load="imuxsock" SysSock.Use="off")
                input(type="imuxsock" Socket="%s" CreatePath="on")
                """.formatted(in)
                        + blocks.get(relp)
                                .text()
                                .replace("/var/spool/rsyslog", directory.toString())
                                .replace("millrace.example.com", "127.0.0.1")
                                .replace("2514", Integer.toString(port)));
        try (Forked rsyslog = Forked.rsyslog(sender)) {
            await().atMost(SOON).until(() -> Files.exists(in) || !rsyslog.isAlive());
            log(in, "before");
            try (Service service = Service.startWith(file("data"), "--config", yaml.toString())) {
                log(in, "after");
                List<String> arrived = new ArrayList<>();
                await().atMost(SOON).until(() -> {
                    arrived.clear();
                    forEachMessage(arrived::add);
                    return arrived.stream().anyMatch(it -> it.endsWith("after"));
                });
                awaitStreams(service, "acknowledged", arrived.size());
                service.stop();
            }
        }
        List<String> found = new ArrayList<>();
        forEachMessage(found::add);
        // Among messages of rsyslog about itself.
        assertThat(found).anyMatch(it -> it.endsWith("before")).anyMatch(it -> it.endsWith("after"));
    }

    private static void log(Path socket, String message) throws IOException, InterruptedException {
        Process logger = new ProcessBuilder("logger", "-u", socket.toString(), message)
                .inheritIO()
                .start();
        assertThat(logger.waitFor()).isZero();
    }

    /** rsyslog without a queue in memory: it has written a message to its file when it answers. */
    private Forked receiveInto(Path out, int port) throws IOException {
        Path config = Files.writeString(file("receiver.conf"), """
                global(workDirectory="%s")
                main_queue(queue.type="Direct")
                module(load="imrelp")
                input(type="imrelp" port="%d" address="127.0.0.1")
                template(name="line" type="string" string="%%msg%%\\n")
                action(type="omfile" file="%s" template="line" asyncWriting="off" flushOnTXEnd="on")
                """.formatted(directory, port, out));
        return Forked.rsyslog(config);
    }

    @Test
    @Tag("full")
    void nothingIsLostWhenTheReceivingRsyslogIsKilled() throws Exception {
        System.err.println("RelpIT: rsyslog killed " + kills + " times, seed " + seed);
        int port = FreePort.next();
        Path out = file("received");
        Path config = Files.writeString(file("millrace.yaml"), """
                inputs:
                  udp: {listen: "127.0.0.1:0"}
                outputs:
                  rsyslog:
                    type: relp
                    host: 127.0.0.1
                    port: %d
                """.formatted(port));
        int count = kills * 10_000;
        try (Service service = Service.startWith(file("data"), "--config", config.toString())) {
            sendOverUdp(service, count);
            for (int kill = 0; kill <= kills; kill++) {
                try (Forked rsyslog = receiveInto(out, port)) {
                    long enough = kill < kills ? Math.min(count - 1, lines(out) + 100 + random.nextInt(5_000)) : count;
                    await().atMost(LONG)
                            .pollInterval(Duration.ofMillis(50))
                            .until(() -> lines(out) >= enough && (enough < count || acknowledged(service) == count));
                    rsyslog.signal("KILL");
                    rsyslog.awaitExit(SOON);
                }
            }
            service.stop();
        }
        BitSet found = new BitSet(count);
        List<String> received = Files.readAllLines(out, ISO_8859_1);
        for (String line : received) {
            // The line that rsyslog was writing when it was killed is sent again.
            if (line.contains("n=") && line.indexOf(';') > 0 && line.endsWith(numbered(number(line)))) {
                found.set(number(line));
            }
        }
        assertThat(found.nextClearBit(0)).as("first number that is missing").isEqualTo(count);
        System.err.printf("RelpIT: none of %,d messages is missing; %,d lines%n", count, received.size());
    }

    private static long acknowledged(Service service) throws IOException, InterruptedException {
        return service.ledger().get("delivered").get("rsyslog").get("acked").asLong();
    }

    private static long lines(Path file) throws IOException {
        if (!Files.exists(file)) {
            return 0;
        }
        try (var lines = Files.lines(file, ISO_8859_1)) {
            return lines.count();
        }
    }

    private static void sendOverUdp(Service service, int count) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            InetAddress to = InetAddress.getLoopbackAddress();
            for (int i = 0; i < count; i++) {
                byte[] payload = ("<13>Nov 25 10:00:00 host app: " + numbered(i)).getBytes(UTF_8);
                socket.send(new DatagramPacket(payload, payload.length, to, service.port()));
                if (i % 500 == 499) {
                    int sent = i + 1;
                    await().atMost(SOON).pollInterval(Duration.ofMillis(2)).until(() -> journaled(service) == sent);
                }
            }
        }
    }
}
