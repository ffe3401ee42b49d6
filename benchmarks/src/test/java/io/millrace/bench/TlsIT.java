package io.millrace.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.FreePort;
import io.millrace.journal.DatagramView;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Inputs on TLS with real senders: those that are taken, and those that are refused. */
@Tag("calm")
@Timeout(180)
class TlsIT {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Pattern PORT = Pattern.compile("tls \\S*:(\\d+)[ ,]");

    @TempDir
    private Path directory;

    @BeforeEach
    void makeCertificates() throws Exception {
        Needs.program("openssl");
        authority("ca");
        authority("other-ca");
        certificate("server", "ca", "IP:127.0.0.1,DNS:localhost");
        certificate("client", "ca", "DNS:web1.example.com");
        certificate("stranger", "other-ca", "DNS:web1.example.com");
    }

    private Path file(String name) {
        return directory.resolve(name);
    }

    private void authority(String name) throws Exception {
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30")
                .with("-subj", "/CN=" + name)
                .with("-keyout", file(name + ".key"))
                .with("-out", file(name + ".pem"))
                .run();
    }

    private void certificate(String name, String authority, String names) throws Exception {
        Path request = file(name + ".csr");
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
                .with("-subj", "/CN=" + name)
                .with("-keyout", file(name + ".key"))
                .with("-out", request)
                .run();
        Path extensions = Files.writeString(file(name + ".ext"), "subjectAltName=" + names + "\n");
        openssl("x509", "-req", "-days", "30", "-CAcreateserial")
                .with("-in", request)
                .with("-CA", file(authority + ".pem"))
                .with("-CAkey", file(authority + ".key"))
                .with("-extfile", extensions)
                .with("-out", file(name + ".pem"))
                .run();
    }

    private OpenSsl openssl(String... arguments) {
        return new OpenSsl(arguments);
    }

    /** A command of openssl; its output goes to a file, which failures show. */
    private final class OpenSsl {
        private final List<String> command = new ArrayList<>(List.of("openssl"));

        OpenSsl(String... arguments) {
            command.addAll(List.of(arguments));
        }

        OpenSsl with(String option, Object value) {
            command.add(option);
            command.add(value.toString());
            return this;
        }

        OpenSsl and(String... arguments) {
            command.addAll(List.of(arguments));
            return this;
        }

        void run() throws IOException, InterruptedException {
            assertThat(exit("")).as(() -> output()).isZero();
        }

        int exit(String input) throws IOException, InterruptedException {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(file("openssl.log").toFile())
                    .start();
            try (var in = process.getOutputStream()) {
                in.write(input.getBytes(UTF_8));
            } catch (IOException e) {
                // It has ended: its exit code says why.
            }
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            return process.exitValue();
        }

        private String output() {
            try {
                return Files.readString(file("openssl.log"));
            } catch (IOException e) {
                return e.toString();
            }
        }
    }

    /** {@code openssl s_client}, which ends with its input. */
    private OpenSsl client(Service service, String... arguments) {
        return openssl("s_client", "-quiet", "-no_ign_eof", "-verify_return_error")
                .with("-connect", "127.0.0.1:" + port(service))
                .with("-CAfile", file("ca.pem"))
                .and(arguments);
    }

    private Service start(String more) throws Exception {
        Path config = Files.writeString(
                file("millrace.yaml"), """
                inputs:
                  secure:
                    listen: "tls://127.0.0.1:0"
                    tls:
                      certificateFile: %s
                      keyFile: %s
                %s
                """.formatted(file("server.pem"), file("server.key"), more.indent(6)));
        return Service.startWith(file("data"), "--config", config.toString());
    }

    private String clientsRequired() {
        return """
                clientAuth: required
                clientCaFile: %s
                allowedPeers: ["*.example.com"]
                """.formatted(file("ca.pem"));
    }

    private static int port(Service service) {
        Matcher matcher = PORT.matcher(service.readyLine());
        assertThat(matcher.find()).as(service.readyLine()).isTrue();
        return Integer.parseInt(matcher.group(1));
    }

    private List<DatagramView> journaled() throws IOException {
        List<DatagramView> found = new ArrayList<>();
        try (JournalCursor cursor = Journal.open(file("data")).cursor().open()) {
            while (cursor.poll((datagram, position) -> found.add(datagram.copy())) > 0) {
                // All of it.
            }
        }
        return found;
    }

    private void awaitMessages(int count) {
        await().atMost(SOON).until(() -> journaled().size() >= count);
    }

    private static void awaitClosed(Service service, String reason, long count) {
        await().atMost(SOON).untilAsserted(() -> {
            JsonNode shard = new ObjectMapper()
                    .readTree(service.get("/api/status").body())
                    .get("streams")
                    .get(0)
                    .get("shards")
                    .get(0);
            assertThat(shard.get("closedTls" + reason).asLong())
                    .as(shard::toString)
                    .isEqualTo(count);
        });
    }

    @Test
    void journalsWhatOpenSslSends() throws Exception {
        try (Service service = start("")) {
            assertThat(client(service, "-tls1_3").exit("<13>by TLS 1.3\n")).isZero();
            assertThat(client(service, "-tls1_2").exit("<13>by TLS 1.2\n")).isZero();
            awaitMessages(2);
            service.stop();
        }
        assertThat(journaled())
                .extracting(DatagramView::payloadText)
                .containsExactly("<13>by TLS 1.3", "<13>by TLS 1.2");
    }

    /** The client selects a group, and with it the cost of the handshake. */
    @Test
    void refusesSlowGroups() throws Exception {
        try (Service service = start("")) {
            for (String group : List.of("ffdhe2048", "ffdhe8192", "P-521", "X448")) {
                assertThat(client(service, "-groups", group).exit("")).as(group).isNotZero();
            }
            for (String group : List.of("X25519", "P-256", "P-384")) {
                assertThat(client(service, "-groups", group).exit("")).as(group).isZero();
            }
            service.stop();
        }
    }

    /** As other clients do: Python waits for the answer to its close_notify. */
    @Test
    void answersTheCloseOfPython() throws Exception {
        Needs.program("python3");
        Path script = Files.writeString(file("close.py"), """
                import socket, ssl, sys
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
                context.check_hostname = False
                context.verify_mode = ssl.CERT_NONE
                context.maximum_version = getattr(ssl.TLSVersion, sys.argv[2])
                tls = context.wrap_socket(socket.create_connection(("127.0.0.1", int(sys.argv[1])), 10))
                tls.sendall(b"<13>python says goodbye\\n")
                tcp = tls.unwrap()
                tcp.settimeout(10)
                assert tcp.recv(1) == b""
                """);
        try (Service service = start("")) {
            for (String version : List.of("TLSv1_2", "TLSv1_3")) {
                Process python = new ProcessBuilder(
                                "python3", script.toString(), Integer.toString(port(service)), version)
                        .inheritIO()
                        .start();
                assertThat(python.waitFor(30, TimeUnit.SECONDS)).isTrue();
                assertThat(python.exitValue()).as(version).isZero();
            }
            awaitMessages(2);
            service.stop();
        }
    }

    @Test
    void refusesWhoMayNotConnectAndSaysWhatToDo() throws Exception {
        try (Service service = start(clientsRequired())) {
            client(service, "-cert", file("client.pem") + "", "-key", file("client.key") + "")
                    .exit("<13>taken\n");
            awaitMessages(1);

            client(service).exit("<13>no certificate\n");
            awaitClosed(service, "NoCertificate", 1);
            client(service, "-cert", file("stranger.pem") + "", "-key", file("stranger.key") + "")
                    .exit("<13>another authority\n");
            awaitClosed(service, "Untrusted", 1);
            client(service, "-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0").exit("<13>TLS 1.1\n");
            awaitClosed(service, "Version", 1);
            openssl(
                            "s_client",
                            "-quiet",
                            "-no_ign_eof",
                            "-verify_return_error",
                            "-connect",
                            "127.0.0.1:" + port(service))
                    .with("-CAfile", file("other-ca.pem"))
                    .exit("<13>does not trust the server\n");
            awaitClosed(service, "Rejected", 1);
            try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), port(service))) {
                plain.getOutputStream().write("<13>plain text\n".getBytes(UTF_8));
                awaitClosed(service, "PlainText", 1);
            }
            assertThat(journaled()).hasSize(1);
            for (String advice : List.of(
                    "it shows no certificate: configure a client certificate there",
                    "its certificate is signed by nobody in tls.clientCaFile",
                    "configure TLS 1.2 or 1.3 there",
                    "it rejects this server's certificate",
                    "it does not speak TLS: let it send to a tcp:// input")) {
                var unused = service.process().awaitErr(advice, SOON);
            }
        }
        assertThat(journaled())
                .singleElement()
                .satisfies(it -> assertThat(new String(it.tlsPeer(), UTF_8)).isEqualTo("web1.example.com"));
    }

    @Test
    @Tag("once")
    void journalsWhatRsyslogForwardsWithEitherLibrary() throws Exception {
        Needs.program("rsyslogd");
        for (String driver : List.of("ossl", "gtls")) {
            Path module = Path.of("/usr/lib/x86_64-linux-gnu/rsyslog/lmnsd_" + driver + ".so");
            Needs.that(Files.exists(module), "rsyslog's driver " + driver + " is not installed");
            try (Service service = start(clientsRequired())) {
                Path in = file(driver + ".sock");
                Path config = Files.writeString(file(driver + ".conf"), """
                        global(DefaultNetstreamDriverCAFile="%s" DefaultNetstreamDriverCertFile="%s"
                               DefaultNetstreamDriverKeyFile="%s")
                        module(load="imuxsock" SysSock.Use="off")
                        input(type="imuxsock" Socket="%s" CreatePath="on")
                        action(type="omfwd" target="127.0.0.1" port="%d" protocol="tcp" TCP_Framing="octet-counted"
                               StreamDriver="%s" StreamDriverMode="1" StreamDriverAuthMode="x509/certvalid")
                        """.formatted(
                                file("ca.pem"), file("client.pem"), file("client.key"), in, port(service), driver));
                try (Forked rsyslog = Forked.rsyslog(config)) {
                    await().atMost(SOON).until(() -> Files.exists(in) || !rsyslog.isAlive());
                    Process logger = new ProcessBuilder("logger", "-u", in.toString(), "by " + driver)
                            .inheritIO()
                            .start();
                    assertThat(logger.waitFor()).isZero();
                    await().atMost(SOON)
                            .until(() -> journaled().stream()
                                    .anyMatch(it -> it.payloadText().endsWith("by " + driver)));
                }
                service.stop();
            }
        }
    }

    @Test
    @Tag("once")
    void journalsWhatSyslogNgForwards() throws Exception {
        Needs.program("syslog-ng");
        try (Service service = start(clientsRequired())) {
            Path in = file("in.sock");
            Path config = Files.writeString(file("syslog-ng.conf"), """
                    @version: 3.38
                    source s { unix-dgram("%s"); };
                    destination d { syslog("127.0.0.1" port(%d) transport("tls")
                      tls(ca-file("%s") cert-file("%s") key-file("%s") peer-verify(required-trusted))); };
                    log { source(s); destination(d); };
                    """.formatted(
                            in, port(service), file("ca.pem"), file("client.pem"), file("client.key")));
            try (Forked syslogNg = Forked.syslogNg(config)) {
                await().atMost(SOON).until(() -> Files.exists(in) || !syslogNg.isAlive());
                Process logger = new ProcessBuilder("logger", "-u", in.toString(), "by syslog-ng")
                        .inheritIO()
                        .start();
                assertThat(logger.waitFor()).isZero();
                await().atMost(SOON)
                        .until(() -> journaled().stream()
                                .anyMatch(it -> it.payloadText().contains("by syslog-ng")));
            }
            service.stop();
        }
    }

    /** Clients that send in turns until they are stopped. */
    private final class BusyClients implements AutoCloseable {
        private final List<Socket> sockets = new ArrayList<>();
        private final Thread sender = new Thread(this::send, "sender");
        private volatile boolean stopped;
        private volatile @Nullable IOException failure;
        private int sent;

        BusyClients(int count, int port) throws Exception {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null);
            try (InputStream pem = Files.newInputStream(file("ca.pem"))) {
                trusted.setCertificateEntry(
                        "ca", CertificateFactory.getInstance("X.509").generateCertificate(pem));
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            for (int i = 0; i < count; i++) {
                SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
                socket.startHandshake();
                sockets.add(socket);
            }
            sender.start();
        }

        private void send() {
            try {
                while (!stopped || sent % sockets.size() != 0) {
                    OutputStream out = sockets.get(sent % sockets.size()).getOutputStream();
                    out.write(("<13>message " + sent + "\n").getBytes(UTF_8));
                    sent++;
                    if (sent % sockets.size() == 0) {
                        TimeUnit.MILLISECONDS.sleep(100);
                    }
                }
            } catch (IOException e) {
                failure = e;
            } catch (InterruptedException e) {
                failure = new InterruptedIOException();
            }
        }

        /** Stops; returns how many messages were sent, the same number by each client. */
        int stop() throws InterruptedException {
            stopped = true;
            sender.join();
            assertThat(failure).isNull();
            return sent;
        }

        @Override
        public void close() throws IOException {
            stopped = true;
            for (Socket each : sockets) {
                each.close();
            }
        }
    }

    @Test
    @Tag("full")
    void newCertificateIsTakenUnderLoadAndABrokenOneIsNot() throws Exception {
        certificate("next", "other-ca", "IP:127.0.0.1");
        try (Service service = start("");
                BusyClients clients = new BusyClients(500, port(service))) {
            Files.copy(file("next.pem"), file("server.pem"), StandardCopyOption.REPLACE_EXISTING);
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(service.get("/readyz").body())
                            .startsWith("ready\nwarning: TLS of input ")
                            .contains("server.key is not the private key of the first certificate in")
                            .contains("the previous certificate stays in use"));
            assertThat(service.get("/readyz").statusCode()).isEqualTo(200);
            assertThat(client(service).exit("<13>with the old one\n")).isZero();
            Files.copy(file("next.key"), file("server.key"), StandardCopyOption.REPLACE_EXISTING);
            await().atMost(SOON).until(() -> service.get("/readyz").body().equals("ready\n"));
            assertThat(client(service).exit("<13>does not trust the new one\n")).isNotZero();
            awaitMessages(clients.stop() + 1);
            Set<String> found =
                    journaled().stream().map(DatagramView::payloadText).collect(Collectors.toSet());
            assertThat(found).contains("<13>with the old one").hasSize(clients.sent + 1);
        }
    }

    /** Connections on TLS cannot be handed off: they are read until they have nothing to read, and closed. */
    @Test
    @Tag("full")
    void hotRestartReadsAndClosesConnections() throws Exception {
        String port = Integer.toString(FreePort.next());
        List<String> options = List.of(
                "--listen",
                "tls://127.0.0.1:" + port,
                "--tls-certificate",
                file("server.pem").toString(),
                "--tls-key",
                file("server.key").toString());
        Process client = null;
        try (Service first = Service.startWith(file("data"), options.toArray(String[]::new))) {
            Path key = Files.copy(file("server.key"), file("kept.key"));
            certificate("next", "ca", "IP:127.0.0.1");
            Files.copy(file("next.key"), file("server.key"), StandardCopyOption.REPLACE_EXISTING);
            List<String> refused = new ArrayList<>(
                    List.of("run", "--hot-restart", "--data", file("data").toString()));
            refused.addAll(options);
            try (Forked second = Forked.millrace(List.of(), refused.toArray(String[]::new))) {
                assertThat(second.awaitExit(SOON)).as("%s", second.err()).isNotZero();
                assertThat(second.err())
                        .anyMatch(line -> line.contains("is not the private key of the first certificate"));
            }
            assertThat(first.get("/healthz").statusCode()).isEqualTo(200);
            Files.copy(key, file("server.key"), StandardCopyOption.REPLACE_EXISTING);
            client = new ProcessBuilder("openssl", "s_client", "-quiet", "-connect", "127.0.0.1:" + port)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            send(client, "<13>connected");
            awaitMessages(1);
            send(client, String.join("\n", Collections.nCopies(20_000, "<13>one of many messages")));
            List<String> again = new ArrayList<>(options);
            again.add("--hot-restart");
            try (Service second = Service.startWith(file("data"), again.toArray(String[]::new))) {
                assertThat(first.process().awaitExit(SOON)).isZero();
                assertThat(first.process().err()).asString().contains("1 connections closed for the hot restart");
                assertThat(client(second).exit("<13>after\n")).isZero();
                awaitMessages(20_002);
                second.stop();
            }
        } finally {
            if (client != null) {
                client.destroyForcibly();
            }
        }
    }

    private static void send(Process client, String message) throws IOException {
        client.getOutputStream().write((message + "\n").getBytes(UTF_8));
        client.getOutputStream().flush();
    }
}
