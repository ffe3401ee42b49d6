package io.millrace.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.FreePort;
import io.millrace.bench.check.RunCheck;
import io.millrace.journal.DatagramView;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Inputs on TCP and Unix sockets with real senders, and with hostile ones. */
@Timeout(180)
@Tag("calm")
class StreamIT {
    private static final Duration SOON = Duration.ofSeconds(40);
    private static final Pattern PORT = Pattern.compile("tcp \\S*:(\\d+)[ ,]");

    @TempDir
    private Path directory;

    private Path data() {
        return directory.resolve("data");
    }

    private static int port(Service service) {
        Matcher matcher = PORT.matcher(service.readyLine());
        assertThat(matcher.find()).as(service.readyLine()).isTrue();
        return Integer.parseInt(matcher.group(1));
    }

    private static Socket connect(Service service) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port(service));
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(US_ASCII));
    }

    private static void send(SocketChannel socket, String text) throws IOException {
        socket.write(ByteBuffer.wrap(text.getBytes(US_ASCII)));
    }

    private static void run(String... command) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    private static void awaitJournaled(Service service, long count) {
        await().atMost(SOON).until(() -> service.ledger().get("journaled").asLong() >= count);
    }

    private List<DatagramView> journaled() throws IOException {
        List<DatagramView> found = new ArrayList<>();
        try (JournalCursor cursor = Journal.open(data()).cursor().open()) {
            while (cursor.poll((datagram, position) -> found.add(datagram.copy())) > 0) {
                // All of it.
            }
        }
        return found;
    }

    private List<String> texts() throws IOException {
        return journaled().stream().map(DatagramView::payloadText).toList();
    }

    private static void assertLedgerCloses(JsonNode ledger) {
        assertThat(ledger.get("received").asLong())
                .isEqualTo(ledger.get("journaled").asLong()
                        + ledger.get("inFlight").asLong());
        JsonNode bytes = ledger.get("streams");
        assertThat(bytes.get("readBytes").asLong())
                .isEqualTo(bytes.get("payloadBytes").asLong()
                        + bytes.get("framingBytes").asLong()
                        + bytes.get("skippedBytes").asLong()
                        + bytes.get("pendingBytes").asLong());
    }

    @Test
    void journalsWhatLoggerSends() throws Exception {
        Needs.program("logger");
        Path stream = directory.resolve("s.sock");
        Path datagrams = directory.resolve("d.sock");
        try (Service service = Service.start(
                List.of(),
                data(),
                "--listen",
                "tcp://127.0.0.1:0",
                "--listen",
                "unix://" + stream,
                "--listen",
                "unixgram://" + datagrams)) {
            // That is of UDP.
            assertThat(service.readyLine()).doesNotContain("receive buffer");
            String port = Integer.toString(port(service));
            run("logger", "-T", "-n", "127.0.0.1", "-P", port, "by line");
            run("logger", "-T", "-n", "127.0.0.1", "-P", port, "--octet-count", "by count");
            run("logger", "-u", datagrams.toString(), "by datagram");
            run("logger", "-u", stream.toString(), "by local stream");
            awaitJournaled(service, 4);
            assertLedgerCloses(service.ledger());
            service.stop();
        }
        assertThat(texts())
                .hasSize(4)
                .allMatch(it -> it.startsWith("<13>"))
                .anyMatch(it -> it.endsWith(" by line"))
                .anyMatch(it -> it.endsWith(" by count"))
                .anyMatch(it -> it.endsWith(" by datagram"))
                .anyMatch(it -> it.endsWith(" by local stream"));
        assertThat(journaled()).filteredOn(DatagramView::isLocal).hasSize(2).allMatch(DatagramView::hasCredentials);
        assertThat(stream).doesNotExist();
        assertThat(datagrams).doesNotExist();
    }

    /** Each run of a program that logs may be a connection. The receiver must not sleep between the accepts of two. */
    @Test
    void manyShortConnectionsBesideUdpAreReadAtOnce() throws Exception {
        int count = 500;
        try (Service service =
                Service.start(List.of(), data(), "--listen", "udp://127.0.0.1:0", "--listen", "tcp://127.0.0.1:0")) {
            // With a smaller buffer all sleeps are short.
            service.needsItsReceiveBuffer();
            long startNs = System.nanoTime();
            for (int i = 0; i < count; i++) {
                try (Socket socket = connect(service)) {
                    send(socket, "<14>short " + i + "\n");
                }
            }
            awaitJournaled(service, count);
            assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(Duration.ofSeconds(5));
            service.stop();
        }
        assertThat(journaled()).hasSize(count);
    }

    @Test
    @Tag("once")
    void journalsWhatRsyslogForwardsInBothFramings() throws Exception {
        Needs.program("rsyslogd");
        try (Service service = Service.start(List.of(), data(), "--listen", "tcp://127.0.0.1:0")) {
            Path config = directory.resolve("rsyslog.conf");
            Path in = directory.resolve("in.sock");
            Files.writeString(config, """
                    module(load="imuxsock" SysSock.Use="off")
                    input(type="imuxsock" Socket="%s" CreatePath="on")
                    action(type="omfwd" target="127.0.0.1" port="%d" protocol="tcp" TCP_Framing="traditional")
                    action(type="omfwd" target="127.0.0.1" port="%d" protocol="tcp" TCP_Framing="octet-counted")
                    """.formatted(in, port(service), port(service)));
            try (Forked rsyslog = Forked.rsyslog(config)) {
                await().atMost(SOON).until(() -> Files.exists(in) || !rsyslog.isAlive());
                for (int i = 0; i < 10; i++) {
                    run("logger", "-u", in.toString(), "-t", "unit", "message " + i + " of rsyslog");
                }
                await().atMost(SOON)
                        .until(() -> texts().stream()
                                        .filter(it -> it.contains("of rsyslog"))
                                        .count()
                                >= 20);
            }
            service.stop();
        }
        for (int i = 0; i < 10; i++) {
            String message = "message " + i + " of rsyslog";
            assertThat(texts()).filteredOn(it -> it.endsWith(message)).hasSize(2);
        }
    }

    /** {@code network()} ends messages with line feeds, and {@code syslog()} counts octets. */
    @Test
    @Tag("once")
    void journalsWhatSyslogNgForwardsInBothFramings() throws Exception {
        Needs.program("syslog-ng");
        try (Service service = Service.start(List.of(), data(), "--listen", "tcp://127.0.0.1:0")) {
            Path in = directory.resolve("in.sock");
            Path config = Files.writeString(
                    directory.resolve("syslog-ng.conf"), """
                    @version: 3.38
                    source s { unix-dgram("%s"); };
                    destination lines { network("127.0.0.1" port(%d) transport("tcp")); };
                    destination counted { syslog("127.0.0.1" port(%d) transport("tcp") persist-name("counted")); };
                    log { source(s); destination(lines); destination(counted); };
                    """.formatted(in, port(service), port(service)));
            try (Forked syslogNg = Forked.syslogNg(config)) {
                await().atMost(SOON).until(() -> Files.exists(in) || !syslogNg.isAlive());
                run("logger", "-u", in.toString(), "-t", "unit", "message of syslog-ng");
                await().atMost(SOON)
                        .until(() -> texts().stream()
                                        .filter(it -> it.contains("message of syslog-ng"))
                                        .count()
                                == 2);
            }
            service.stop();
        }
        assertThat(texts())
                .filteredOn(it -> it.contains("message of syslog-ng"))
                .anyMatch(it -> it.startsWith("<13>1 "))
                .anyMatch(it -> !it.startsWith("<13>1 "));
    }

    @Test
    @Tag("once")
    void journalsWhatPythonSends() throws Exception {
        Needs.program("python3");
        Path socket = directory.resolve("d.sock");
        Path config = Files.writeString(directory.resolve("millrace.yaml"), """
                inputs:
                  python: {listen: "tcp://127.0.0.1:0"}
                  log: {listen: "unixgram://%s"}
                """.formatted(socket));
        try (Service service = Service.startWith(data(), "--config", config.toString())) {
            Path script = Files.writeString(directory.resolve("send.py"), """
                    import logging, logging.handlers, socket
                    log = logging.getLogger()
                    tcp = ('127.0.0.1', %d)
                    log.addHandler(logging.handlers.SysLogHandler(address=tcp, socktype=socket.SOCK_STREAM))
                    log.addHandler(logging.handlers.SysLogHandler(address='%s'))
                    log.error('one')
                    log.error('two')
                    """.formatted(port(service), socket));
            run("python3", script.toString());
            awaitJournaled(service, 4);
            service.stop();
        }
        assertThat(texts()).containsExactlyInAnyOrder("<11>one", "<11>two", "<11>one\0", "<11>two\0");
    }

    @Test
    @Tag("once")
    @Tag("full")
    void hostileSendersDisturbNobody() throws Exception {
        try (Service service = Service.start(List.of(), data(), "--listen", "tcp://127.0.0.1:0");
                Socket waits = connect(service)) {
            send(waits, "50 <13>half a frame");
            try (Socket endless = connect(service)) {
                OutputStream out = endless.getOutputStream();
                byte[] mebibyte = "x".repeat(1 << 20).getBytes(US_ASCII);
                for (int i = 0; i < 1024; i++) {
                    out.write(mebibyte);
                }
                send(endless, "\n<13>after a gibibyte\n");
            }
            try (Socket huge = connect(service)) {
                send(huge, "99999999999 <13>a\n<13>b\n");
            }
            List<Socket> many = new ArrayList<>();
            for (int i = 0; i < 5000; i++) {
                many.add(connect(service));
            }
            for (Socket socket : many) {
                socket.setSoLinger(true, 0);
                socket.close();
            }
            try (Socket good = connect(service)) {
                send(good, "<13>still there\n");
                awaitJournaled(service, 5);
            }
            JsonNode streams = new ObjectMapper()
                    .readTree(service.get("/api/status").body())
                    .get("streams")
                    .get(0)
                    .get("shards")
                    .get(0);
            assertThat(streams.get("truncated").asLong()).isEqualTo(1);
            assertThat(streams.get("framingErrors").asLong()).isEqualTo(1);
            waits.shutdownOutput();
            awaitJournaled(service, 6);
            await().atMost(SOON)
                    .until(() -> service.get("/metrics")
                            .body()
                            .contains("open_connections{input=\"tcp://127.0.0.1:0\"," + "shard=\"0\"} 0.0"));
            assertLedgerCloses(service.ledger());
            service.stop();
        }
        assertThat(texts())
                .hasSize(6)
                .contains(
                        "x".repeat(64 << 10),
                        "<13>after a gibibyte",
                        "99999999999 <13>a",
                        "<13>b",
                        "<13>still there",
                        "<13>half a frame");
    }

    @Test
    void journalsWhatTheSenderSendsOnConnections() throws Exception {
        Path socket = directory.resolve("s.sock");
        Path datagrams = directory.resolve("d.sock");
        try (Service service = Service.start(
                List.of(),
                data(),
                "--listen",
                "tcp://127.0.0.1:0",
                "--listen",
                "unix://" + socket,
                "--listen",
                "unixgram://" + datagrams)) {
            String tcp = "tcp://127.0.0.1:" + port(service);
            send("--to", tcp, "--sources", "5", "--run", "a");
            send("--to", tcp, "--framing", "octet-counting", "--pattern", "rfc5424", "--run", "b");
            send("--to", "unix://" + socket, "--run", "c");
            send("--to", "unixgram://" + datagrams, "--run", "e");
            awaitJournaled(service, 80_000);
            assertLedgerCloses(service.ledger());
            service.stop();
        }
        for (int run : new int[] {0xa, 0xb, 0xc, 0xe}) {
            RunCheck check = RunCheck.of(Journal.open(data()), run);
            assertThat(check.distinct()).isEqualTo(20_000);
            assertThat(check.duplicated()).isZero();
        }
    }

    private static void send(String... options) throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of("--rate", "20k", "--count", "20000"));
        try (Forked sender = Forked.load(arguments.toArray(String[]::new))) {
            assertThat(sender.awaitExit(SOON)).as("%s", sender.err()).isZero();
        }
    }

    @Test
    @Tag("full")
    void hotRestartContinuesConnections() throws Exception {
        String listen = "tcp://127.0.0.1:" + FreePort.next();
        Path stream = directory.resolve("s.sock");
        Path datagrams = directory.resolve("d.sock");
        String[] options = {"--listen", listen, "--listen", "unix://" + stream, "--listen", "unixgram://" + datagrams};
        try (Service first = Service.start(List.of(), data(), options);
                Socket connection = connect(first);
                SocketChannel local = SocketChannel.open(UnixDomainSocketAddress.of(stream))) {
            send(connection, "before\nhalf a line, ");
            send(local, "19 <13>counted,");
            awaitJournaled(first, 1);
            List<String> again = new ArrayList<>(List.of(options));
            again.add("--hot-restart");
            try (Service second = Service.start(List.of(), data(), again.toArray(String[]::new))) {
                assertThat(first.process().awaitExit(SOON)).isZero();
                send(connection, "and its end\n");
                send(local, " in two");
                try (Socket another = connect(second);
                        SocketChannel anotherLocal = SocketChannel.open(UnixDomainSocketAddress.of(stream))) {
                    send(another, "after\n");
                    send(anotherLocal, "after, local\n");
                    run("logger", "-u", datagrams.toString(), "datagram");
                    awaitJournaled(second, 5);
                }
                assertLedgerCloses(second.ledger());
                second.stop();
            }
        }
        assertThat(texts())
                .hasSize(6)
                .contains("before", "half a line, and its end", "<13>counted, in two", "after", "after, local")
                .anyMatch(text -> text.endsWith(": datagram"));
        assertThat(stream).doesNotExist();
    }

    @Test
    void hotRestartIsRefusedWithTooFewDescriptorsForTheConnections() throws Exception {
        Needs.program("prlimit");
        String listen = "tcp://127.0.0.1:" + FreePort.next();
        List<Socket> connections = new ArrayList<>();
        try (Service first = Service.start(List.of(), data(), "--listen", listen)) {
            for (int i = 0; i < 500; i++) {
                connections.add(connect(first));
            }
            try (Forked second = Forked.millrace(
                    List.of("prlimit", "--nofile=600:600"),
                    "run",
                    "--hot-restart",
                    "--data",
                    data().toString(),
                    "--listen",
                    listen)) {
                assertThat(second.awaitExit(SOON)).as("%s", second.err()).isEqualTo(2);
                assertThat(second.err())
                        .anyMatch(line -> line.contains("500 open connections, and this process may open 600 files"));
            }
            send(connections.get(499), "continues\n");
            awaitJournaled(first, 1);
            first.stop();
        } finally {
            for (Socket socket : connections) {
                socket.close();
            }
        }
    }

    /** Senders that number their messages notice nothing of a hot restart. */
    @Test
    @Tag("once")
    @Tag("full")
    void hotRestartLosesNothingOfBusyConnections() throws Exception {
        String listen = "tcp://127.0.0.1:" + FreePort.next();
        try (Service first = Service.start(List.of(), data(), "--listen", listen);
                Forked sender = Forked.load(
                        "--to",
                        listen,
                        "--sources",
                        "100",
                        "--rate",
                        "25k",
                        "--count",
                        "600000",
                        "--size",
                        "60-600",
                        "--run",
                        "d")) {
            awaitJournaled(first, 50_000);
            try (Service second = Service.start(List.of(), data(), "--listen", listen, "--hot-restart")) {
                assertThat(first.process().awaitExit(SOON)).isZero();
                assertThat(first.process().err()).asString().contains("100 connections handed off");
                assertThat(sender.awaitExit(SOON)).as("%s", sender.err()).isZero();
                await().atMost(SOON)
                        .until(() ->
                                second.ledger().get("lifetime").get("journaled").asLong() >= 600_000);
                assertLedgerCloses(second.ledger());
                second.stop();
            }
        }
        RunCheck check = RunCheck.of(Journal.open(data()), 0xd);
        assertThat(check.distinct()).isEqualTo(600_000);
        assertThat(check.duplicated()).isZero();
        assertThat(check.reordered()).isZero();
    }

    /** What is journaled of a connection is the beginning of what was sent, without a gap and once. */
    @Test
    void killedServiceHasTheBeginningOfEachConnection() throws Exception {
        endsUnderLoad("KILL");
    }

    @Test
    void stoppedServiceHasTheBeginningOfEachConnection() throws Exception {
        endsUnderLoad("TERM");
    }

    private void endsUnderLoad(String signal) throws Exception {
        try (Service service = Service.start(List.of(), data(), "--listen", "tcp://127.0.0.1:0");
                Socket socket = connect(service)) {
            Thread sender = new Thread(() -> {
                try {
                    for (int i = 0; i < 10_000_000; i++) {
                        send(socket, i + " message with a number\n");
                    }
                } catch (SocketException killed) {
                    // As it should be.
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            sender.start();
            awaitJournaled(service, 10_000);
            service.process().signal(signal);
            sender.join();
            var unused = service.process().awaitExit(SOON);
        }
        try (Service service = Service.start(List.of(), data(), "--listen", "tcp://127.0.0.1:0")) {
            JsonNode lifetime = service.ledger().get("lifetime");
            assertThat(lifetime.get("received").asLong())
                    .isEqualTo(lifetime.get("journaled").asLong()
                            + lifetime.get("crash").asLong());
            if (signal.equals("TERM")) {
                assertThat(lifetime.get("crash").asLong()).isZero();
            }
            service.stop();
        }
        List<String> texts = texts();
        assertThat(texts.size()).isGreaterThanOrEqualTo(10_000);
        int last = texts.size() - 1;
        for (int i = 0; i < last; i++) {
            assertThat(texts.get(i)).isEqualTo(i + " message with a number");
        }
        // The connection may end within a message, which is journaled as far as it came.
        assertThat(last + " message with a number").startsWith(texts.get(last));
    }
}
