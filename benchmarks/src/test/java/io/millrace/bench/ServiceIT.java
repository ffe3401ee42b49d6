package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.bench.check.RunCheck;
import io.millrace.bench.host.Programs;
import io.millrace.collector.Counter;
import io.millrace.journal.Journal;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The service as an operator meets it: real senders, real files, real mistakes. */
@Timeout(180)
@Tag("calm")
class ServiceIT {
    private static final Duration SOON = Duration.ofSeconds(40);

    @TempDir
    private Path directory;

    private Path data() {
        return directory.resolve("data");
    }

    @Test
    void journalsWhatLoggerSendsAndPrintsItWhileItRuns() throws Exception {
        Needs.program("logger");
        try (Service service = Service.start(List.of(), data())) {
            run("logger", "-d", "-n", "127.0.0.1", "-P", Integer.toString(service.port()), "hello millrace");
            awaitJournaled(service, 1);
            assertThat(read("--from", "begin", "--limit", "1", "--format", "raw"))
                    .singleElement()
                    .asString()
                    .endsWith("hello millrace");
            JsonNode json = new ObjectMapper().readTree(read("--format", "json").get(0));
            assertThat(json.get("message").asText()).endsWith("hello millrace");
            assertThat(json.get("source_ip").asText()).isEqualTo("127.0.0.1");
            assertThat(json.get("sequence").asLong()).isZero();
            service.stop();
        }
    }

    @Test
    @Tag("once")
    void journalsWhatRsyslogForwards() throws Exception {
        Needs.program("rsyslogd");
        try (Service service = Service.start(List.of(), data())) {
            Path config = directory.resolve("rsyslog.conf");
            Files.writeString(config, """
                    module(load="imuxsock" SysSock.Use="off")
                    input(type="imuxsock" Socket="%s/in.sock" CreatePath="on")
                    action(type="omfwd" target="127.0.0.1" port="%d" protocol="udp")
                    """.formatted(directory, service.port()));
            try (Forked rsyslog = Forked.rsyslog(config)) {
                forwardOver(directory.resolve("in.sock"), service, rsyslog);
            }
        }
    }

    @Test
    @Tag("once")
    void journalsWhatSyslogNgForwards() throws Exception {
        Needs.program("syslog-ng");
        try (Service service = Service.start(List.of(), data())) {
            Path config = directory.resolve("syslog-ng.conf");
            Files.writeString(config, """
                    @version: 3.38
                    source s { unix-dgram("%s/in.sock"); };
                    destination d { network("127.0.0.1" port(%d) transport("udp")); };
                    log { source(s); destination(d); };
                    """.formatted(directory, service.port()));
            try (Forked syslogNg = Forked.syslogNg(config)) {
                forwardOver(directory.resolve("in.sock"), service, syslogNg);
            }
        }
    }

    private void forwardOver(Path socket, Service service, Forked forwarder) throws Exception {
        await().atMost(SOON).until(() -> Files.exists(socket) || !forwarder.isAlive());
        run("logger", "-u", socket.toString(), "-t", "unit", "forwarded to millrace");
        await().atMost(SOON)
                .until(() -> read("--format", "raw").stream()
                        .anyMatch(line -> line.contains("unit") && line.contains("forwarded to millrace")));
        service.stop();
    }

    @Test
    @Tag("once")
    @Tag("full")
    void everyTransportIsAnOption() throws Exception {
        List<String> options = new ArrayList<>(List.of(
                "--receivers",
                "2",
                "--steering",
                "spread",
                "--busy-poll",
                "on",
                "--receiver-cpus",
                "0",
                "--writer-cpus",
                "0",
                "--threading",
                "dedicated",
                "--gro"));
        options.add(Programs.hasNativeLibrary() ? "on" : "off");
        try (Service service = Service.start(List.of(), data(), options.toArray(String[]::new))) {
            try (Forked sender =
                    Forked.send(List.of(), "--to", service.target(), "--rate", "1k", "--count", "1000", "--run", "b")) {
                assertThat(sender.awaitExit(Duration.ofSeconds(30))).isIn(0, 1);
            }
            service.stop();
        }
        assertThat(RunCheck.of(Journal.open(data()), 0xb).distinct()).isEqualTo(1000);
        assertThat(read("--order", "time", "--format", "raw")).hasSize(1000);
    }

    @ParameterizedTest
    @Tag("once")
    @ValueSource(strings = {"epoll", "nio"})
    @Tag("full")
    void unusualDatagramsAreCounted(String transport) throws Exception {
        Needs.ipv6();
        try (Service service = Service.start(
                List.of(), data(), "--listen", "[::]:0", "--max-datagram", "8192", "--transport", transport)) {
            Random random = new Random(1);
            try (DatagramSocket v4 = new DatagramSocket();
                    DatagramSocket v6 = new DatagramSocket()) {
                for (int size : new int[] {0, 1, 8192, 9000, 65_507}) {
                    byte[] garbage = new byte[size];
                    random.nextBytes(garbage);
                    send(v4, "127.0.0.1", service.port(), garbage);
                    send(v6, "::1", service.port(), garbage);
                }
            }
            awaitJournaled(service, 10);
            JsonNode ledger = service.ledger();
            assertThat(ledger.get("received").asLong()).isEqualTo(10);
            assertThat(ledger.get("truncated").asLong()).isEqualTo(4);
            assertThat(ledger.get("inFlight").asLong()).isZero();
            assertThat(read("--format", "json").stream().filter(line -> line.contains("\"truncated\":true")))
                    .hasSize(4);
            assertThat(read("--format", "json").stream().filter(line -> line.contains("\"source_ip\":\"127.0.0.1\"")))
                    .hasSize(5);
            service.stop();
        }
        assertThat(millrace("journal", "verify", "--data", data().toString())).startsWith("clean: 10 datagrams");
    }

    @Test
    void adminHttpAnswers() throws Exception {
        try (Service service = Service.start(List.of(), data())) {
            assertThat(service.get("/healthz").statusCode()).isEqualTo(200);
            assertThat(service.get("/readyz").statusCode()).isEqualTo(200);
            assertThat(service.get("/nothing").statusCode()).isEqualTo(404);
            String metrics = service.get("/metrics").body();
            for (Counter counter : Counter.values()) {
                assertThat(metrics).contains("millrace_" + counter.metricName().replace('.', '_'));
            }
            List<String> names = List.of(
                    "startedAt",
                    "stoppedAt",
                    "received",
                    "journaled",
                    "merged",
                    "duplicateChunks",
                    "inFlight",
                    "crash",
                    "powerFailure",
                    "afterStop",
                    "dropped",
                    "hostWide",
                    "truncated",
                    "expiredUnread",
                    "streams",
                    "delivered",
                    "lastKilled",
                    "lifetime");
            assertThat(service.ledger().fieldNames()).toIterable().containsExactlyElementsOf(names);
            service.stop();
        }
    }

    @Test
    @Tag("once")
    @Tag("full")
    void secondInstanceReportsTheOwnersOfDirectoryAndPort() throws Exception {
        try (Service service = Service.start(List.of(), data())) {
            assertFails(
                    1,
                    "is in use by another Millrace (process "
                            + service.process().pid() + ")",
                    "run",
                    "--data",
                    data().toString(),
                    "--listen",
                    "127.0.0.1:0",
                    "--admin",
                    "off");
            assertFails(
                    1,
                    "cannot listen on " + service.target() + ": address already in use",
                    "run",
                    "--data",
                    directory.resolve("other").toString(),
                    "--listen",
                    service.target(),
                    "--receivers",
                    "2",
                    "--admin",
                    "off");
            service.stop();
        }
    }

    @ParameterizedTest
    @Tag("once")
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | Unknown option: '--nonsense' | --nonsense",
                "2 | Unknown option: '--thread'; did you mean --threading? | --thread dedicated",
                "2 | Unknown option: '--recieve-buffer'; did you mean --receive-buffer? | --recieve-buffer 64M",
                "2 | Unknown option: '-f'; did you mean --config millrace.yaml? | -f millrace.yaml",
                "2 | --receivers accepts auto or a number from 1 to 256, not '0' | --receivers 0",
                "2 | --listen accepts HOST:PORT | --listen 5514",
                "2 | --receive-buffer accepts a size such as 64M | --receive-buffer much",
                "2 | --transport accepts auto, native, epoll or nio, not 'tcp' | --transport tcp",
                "2 | --max-datagram accepts a size such as 8K, from 1 byte to 65527 bytes, not '0' | --max-datagram 0",
                "1 | 9.9.9.9:5514: cannot assign requested address | --listen 9.9.9.9:5514",
                "1 | is a file | --data /proc/version",
                "1 | cannot be | --data /proc/nothing",
            })
    @Tag("full")
    void mistakeIsOneClearLine(int exitCode, String message, String options) throws Exception {
        List<String> args = new ArrayList<>(List.of("run"));
        if (!options.contains("--data")) {
            args.addAll(List.of("--data", data().toString()));
        }
        args.addAll(Arrays.asList(options.split(" ", -1)));
        assertFails(exitCode, message, args.toArray(String[]::new));
    }

    private static void assertFails(int exitCode, String message, String... args) throws Exception {
        try (Forked process = Forked.millrace(List.of(), args)) {
            assertThat(process.awaitExit(SOON)).describedAs("%s", process.err()).isEqualTo(exitCode);
            assertThat(process.out()).isEmpty();
            // Said first, where the native module is not built.
            List<String> said = process.err().stream()
                    .filter(line -> !line.contains("Transport native does not work here"))
                    .toList();
            assertThat(said.get(0)).contains(message);
            assertThat(said).hasSizeLessThanOrEqualTo(2).noneMatch(line -> line.startsWith("\tat "));
        }
    }

    private static void send(DatagramSocket socket, String host, int port, byte[] payload) throws IOException {
        socket.send(
                new DatagramPacket(payload, payload.length, new InetSocketAddress(InetAddress.getByName(host), port)));
    }

    private static void awaitJournaled(Service service, long count) {
        await().atMost(SOON).until(() -> service.ledger().get("journaled").asLong() >= count);
    }

    private List<String> read(String... options) throws InterruptedException {
        String[] args = new String[3 + options.length];
        System.arraycopy(new String[] {"read", "--data", data().toString()}, 0, args, 0, 3);
        System.arraycopy(options, 0, args, 3, options.length);
        return millrace(args).lines().toList();
    }

    private static String millrace(String... args) throws InterruptedException {
        try (Forked process = Forked.millrace(List.of(), args)) {
            assertThat(process.awaitExit(SOON)).describedAs("%s", process.err()).isZero();
            return String.join("\n", process.out());
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }
}
