package io.millrace.collector;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.TestCertificate;
import io.millrace.collector.TlsServerSettings.AllowedPeer;
import io.millrace.collector.TlsServerSettings.ClientAuth;
import io.millrace.journal.DatagramView;
import io.millrace.journal.FrameTransport;
import io.millrace.journal.JournalCursor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Inputs on TLS, from the handshake to the journal. */
@Timeout(60)
class TlsTest {
    private static final Endpoint ANY_PORT = Endpoint.tls(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

    @TempDir
    Path directory;

    private TestCertificate server;
    private TestCertificate client;
    private Collector collector;

    @BeforeEach
    void makeCertificates() throws Exception {
        server = new TestCertificate(directory, "server", "IP:127.0.0.1");
        client = new TestCertificate(directory, "client", "DNS:web1.example.com");
    }

    @AfterEach
    void close() throws IOException {
        if (collector != null) {
            collector.close();
        }
    }

    private void start(TlsServerSettings tls) throws IOException {
        start(tls, "auto");
    }

    private void start(TlsServerSettings tls, String transport) throws IOException {
        collector = Collector.builder()
                .journal(directory.resolve("data"))
                .transport(transport)
                .receivers(1)
                .stopTimeout(Duration.ofSeconds(5))
                .listen("tls", ANY_PORT, StreamSettings.DEFAULT.withTls(tls))
                .build()
                .start();
    }

    private TlsServerSettings withClients(ClientAuth auth, List<String> allowed) {
        return new TlsServerSettings(
                server.certificateFile(),
                server.keyFile(),
                client.certificateFile(),
                auth,
                allowed.stream().map(AllowedPeer::parse).toList(),
                Duration.ofSeconds(10));
    }

    private TlsServerSettings withoutClients() {
        return TlsServerSettings.of(server.certificateFile(), server.keyFile());
    }

    private Socket plain() throws IOException {
        InetSocketAddress address = collector.endpoints().get(0).address();
        return new Socket(address.getAddress(), address.getPort());
    }

    private SSLSocket connect(SSLContext context) throws IOException {
        InetSocketAddress address = collector.endpoints().get(0).address();
        return (SSLSocket) context.getSocketFactory().createSocket(address.getAddress(), address.getPort());
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(UTF_8));
    }

    private List<DatagramView> journaled() throws IOException {
        List<DatagramView> found = new ArrayList<>();
        try (JournalCursor cursor = collector.journal().cursor().open()) {
            while (cursor.poll((datagram, position) -> found.add(datagram.copy())) > 0) {
                // All of it.
            }
        }
        return found;
    }

    private void awaitMessages(long count) {
        await().until(() -> collector.ledger().journaled() >= count);
        assertThat(collector.ledger().journaled()).isEqualTo(count);
    }

    private void awaitCount(StreamCounter counter, long count) {
        await().untilAsserted(() ->
                assertThat(collector.streams().get(0).get(counter)).isEqualTo(count));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void messagesAreJournaled(String version) throws Exception {
        start(withoutClients());
        String large = "x".repeat(60_000);
        try (SSLSocket socket = connect(client.server(server))) {
            socket.setEnabledProtocols(new String[] {version});
            send(socket, "<13>one\n9 <13>two\nx<13>" + large + "\n<13>unterminated");
            awaitMessages(3);
        }
        awaitMessages(4);
        assertThat(journaled())
                .extracting(DatagramView::payloadText)
                .containsExactly("<13>one", "<13>two\nx", "<13>" + large, "<13>unterminated");
        assertThat(journaled()).allSatisfy(view -> {
            assertThat(view.transport()).isEqualTo(FrameTransport.TLS);
            assertThat(view.tlsPeer()).isNull();
            assertThat(view.sourceText()).isEqualTo("127.0.0.1");
        });
        awaitCount(StreamCounter.CLOSED_PEER, 1);
    }

    @Test
    void messagesAreJournaledOnNio() throws Exception {
        start(withoutClients(), "nio");
        try (SSLSocket socket = connect(client.server(server))) {
            send(socket, "<13>one\n");
            awaitMessages(1);
        }
    }

    @Test
    void nameOfTheClientIsKept() throws Exception {
        start(withClients(ClientAuth.REQUIRED, List.of("*.example.com")));
        try (SSLSocket socket = connect(client.server(server))) {
            send(socket, "<13>one\n");
            awaitMessages(1);
        }
        assertThat(journaled())
                .singleElement()
                .satisfies(view -> assertThat(new String(view.tlsPeer(), UTF_8)).isEqualTo("web1.example.com"));
    }

    @Test
    void clientIsKnownByItsFingerprintWithoutACertificateAuthority() throws Exception {
        X509Certificate certificate;
        try (InputStream in = Files.newInputStream(client.certificateFile())) {
            certificate = (X509Certificate)
                    java.security.cert.CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
        String fingerprint = java.util.HexFormat.ofDelimiter(":")
                .withUpperCase()
                .formatHex(java.security.MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
        start(new TlsServerSettings(
                server.certificateFile(),
                server.keyFile(),
                null,
                ClientAuth.REQUIRED,
                List.of(AllowedPeer.parse("SHA256:" + fingerprint)),
                Duration.ofSeconds(10)));
        TestCertificate stranger = new TestCertificate(directory, "stranger", "DNS:web1.example.com");
        assertRefused(stranger.server(server), StreamCounter.CLOSED_TLS_NOT_ALLOWED);
        try (SSLSocket socket = connect(client.server(server))) {
            send(socket, "<13>one\n");
            awaitMessages(1);
        }
    }

    private void assertRefused(SSLContext context, StreamCounter counter) throws IOException {
        try (SSLSocket socket = connect(context)) {
            socket.setSoTimeout(10_000);
            try {
                send(socket, "<13>refused\n");
                assertThat(socket.getInputStream().read()).isEqualTo(-1);
            } catch (SSLException | java.net.SocketException refused) {
                // Which of them depends on how far the client is.
            }
        }
        awaitCount(counter, 1);
        assertThat(collector.ledger().received()).isZero();
    }

    @Test
    void wildcardDoesNotMatchAnEmailAddress() throws Exception {
        client = new TestCertificate(directory, "person", "EMAIL:alice@corp.example.com");
        start(withClients(ClientAuth.REQUIRED, List.of("*.example.com")));
        assertRefused(client.server(server), StreamCounter.CLOSED_TLS_NOT_ALLOWED);
    }

    @Test
    void clientThatIsNotAllowedIsRefused() throws Exception {
        start(withClients(ClientAuth.REQUIRED, List.of("web2.example.com")));
        assertRefused(client.server(server), StreamCounter.CLOSED_TLS_NOT_ALLOWED);
    }

    @Test
    void clientOfAnotherCertificateAuthorityIsRefused() throws Exception {
        start(withClients(ClientAuth.REQUIRED, List.of()));
        TestCertificate stranger = new TestCertificate(directory, "stranger", "DNS:web1.example.com");
        assertRefused(stranger.server(server), StreamCounter.CLOSED_TLS_UNTRUSTED);
    }

    @Test
    void clientWithAnExpiredCertificateIsRefused() throws Exception {
        client = new TestCertificate(directory, "expired", "DNS:web1.example.com", -10, 5);
        start(withClients(ClientAuth.REQUIRED, List.of()));
        assertRefused(client.server(server), StreamCounter.CLOSED_TLS_EXPIRED);
    }

    @Test
    void clientWithoutACertificateIsRefusedIfOneIsRequired() throws Exception {
        start(withClients(ClientAuth.REQUIRED, List.of()));
        assertRefused(TestCertificate.client(server), StreamCounter.CLOSED_TLS_NO_CERTIFICATE);
    }

    @Test
    void clientWithoutACertificateIsTakenIfOneIsOptional() throws Exception {
        start(withClients(ClientAuth.OPTIONAL, List.of("web1.example.com")));
        try (SSLSocket socket = connect(TestCertificate.client(server))) {
            send(socket, "<13>one\n");
            awaitMessages(1);
        }
    }

    @Test
    void clientThatDoesNotTrustTheServerIsCounted() throws Exception {
        start(withoutClients());
        assertRefused(client.server(client), StreamCounter.CLOSED_TLS_REJECTED);
    }

    @Test
    void plainTextIsRefused() throws Exception {
        start(withoutClients());
        try (Socket socket = plain()) {
            send(socket, "<13>Nov 25 10:00:00 host app: plain text\n");
            awaitCount(StreamCounter.CLOSED_TLS_PLAIN_TEXT, 1);
        }
        assertThat(collector.ledger().received()).isZero();
    }

    /** As health checks of load balancers do. */
    @Test
    void resetBeforeTheHandshakeIsNoFailureOfTls() throws Exception {
        start(withoutClients());
        try (Socket socket = plain()) {
            awaitCount(StreamCounter.ACCEPTED, 1);
            socket.setSoLinger(true, 0);
        }
        awaitCount(StreamCounter.CLOSED_ERROR, 1);
    }

    @Test
    void renegotiationIsRefused() throws Exception {
        start(withoutClients());
        try (SSLSocket socket = connect(client.server(server))) {
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            send(socket, "<13>one\n");
            awaitMessages(1);
            socket.setSoTimeout(10_000);
            assertThatThrownBy(() -> {
                        socket.startHandshake();
                        var unused = socket.getInputStream().read();
                    })
                    .isInstanceOf(SSLException.class);
        }
    }

    @Test
    void expiredCertificateOfTheServerIsUsedWithAWarning() throws Exception {
        server = new TestCertificate(directory, "old-server", "IP:127.0.0.1", -10, 5);
        start(withoutClients());
        assertThat(collector.warnings()).singleElement().asString().contains("has expired at");
        assertThat(collector.problems()).isEmpty();
        // The JDK does not check the dates of a certificate that it trusts by itself.
        try (SSLSocket socket = connect(client.server(server))) {
            send(socket, "<13>one\n");
            awaitMessages(1);
        }
    }

    /** More than the event loop computes in one window of {@code HandshakePacer}. */
    @Test
    void manyHandshakesAtOnceSucceed() throws Exception {
        start(withoutClients());
        SSLContext context = client.server(server);
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String text = "<13>" + i + "\n";
            Thread thread = new Thread(
                    () -> {
                        try (SSLSocket socket = connect(context)) {
                            send(socket, text);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    },
                    "client-" + i);
            clients.add(thread);
        }
        clients.forEach(Thread::start);
        for (Thread thread : clients) {
            thread.join();
        }
        awaitMessages(40);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void closeOfTlsIsAnsweredAndTheConnectionIsClosed(String version) throws Exception {
        start(withoutClients());
        try (Socket tcp = plain();
                SSLSocket socket = (SSLSocket)
                        client.server(server).getSocketFactory().createSocket(tcp, "127.0.0.1", tcp.getPort(), false)) {
            socket.setEnabledProtocols(new String[] {version});
            socket.setSoTimeout(5000);
            send(socket, "<13>one\n<13>last");
            // A close_notify; the connection of TCP stays open on this side.
            socket.shutdownOutput();
            assertThat(socket.getInputStream().read()).as("the answer").isEqualTo(-1);
            tcp.setSoTimeout(5000);
            assertThat(tcp.getInputStream().read()).as("the end of TCP").isEqualTo(-1);
            awaitMessages(2);
        }
        awaitCount(StreamCounter.CLOSED_PEER, 1);
    }

    @Test
    void manyKeyUpdatesCloseTheirConnectionOnly() throws Exception {
        start(withoutClients());
        SSLContext context = client.server(server);
        try (SSLSocket hostile = connect(context);
                SSLSocket other = connect(context)) {
            send(other, "<13>before\n");
            awaitMessages(1);
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100_000; i++) {
                            // After the first one, each is a KeyUpdate.
                            hostile.startHandshake();
                        }
                    })
                    .isInstanceOf(IOException.class);
            awaitCount(StreamCounter.CLOSED_TLS_RECORDS, 1);
            assertThat(collector.senderNotices()).singleElement().satisfies(notice -> {
                assertThat(notice.reason()).isEqualTo(StreamCounter.CLOSED_TLS_RECORDS);
                assertThat(notice.source()).isEqualTo("127.0.0.1");
            });
            for (int i = 0; i < 10; i++) {
                other.startHandshake();
            }
            send(other, "<13>after\n");
            awaitMessages(2);
        }
    }

    @Test
    void handshakeThatIsNotFinishedIsClosed() throws Exception {
        TlsServerSettings all = withoutClients();
        start(new TlsServerSettings(
                all.certificateFile(), all.keyFile(), null, ClientAuth.NONE, List.of(), Duration.ofMillis(200)));
        try (Socket silent = plain();
                Socket half = plain()) {
            half.getOutputStream().write(new byte[] {0x16, 3, 1, 1, 0, 1});
            awaitCount(StreamCounter.CLOSED_TLS_TIMEOUT, 2);
            assertThat(silent.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void newCertificateIsForNewConnectionsOnly() throws Exception {
        Path certificateFile = Files.copy(server.certificateFile(), directory.resolve("in-use.pem"));
        Path keyFile = Files.copy(server.keyFile(), directory.resolve("in-use.key"));
        start(TlsServerSettings.of(certificateFile, keyFile));
        TestCertificate next = new TestCertificate(directory, "next", "IP:127.0.0.1");
        try (SSLSocket before = connect(client.server(server))) {
            send(before, "<13>one\n");
            awaitMessages(1);

            Files.copy(next.certificateFile(), certificateFile, StandardCopyOption.REPLACE_EXISTING);
            collector.reloadCertificates();
            assertThat(collector.warnings())
                    .singleElement()
                    .asString()
                    .contains("in-use.key is not the private key of the first certificate in");
            try (SSLSocket old = connect(client.server(server))) {
                send(old, "<13>two\n");
                awaitMessages(2);
            }

            Files.copy(next.keyFile(), keyFile, StandardCopyOption.REPLACE_EXISTING);
            // Seen by its time, without a reload.
            Files.setLastModifiedTime(keyFile, FileTime.fromMillis(1));
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> collector.warnings().isEmpty());
            try (SSLSocket fresh = connect(client.server(next))) {
                send(fresh, "<13>three\n");
                awaitMessages(3);
            }
            send(before, "<13>four\n");
            awaitMessages(4);
        }
    }

    /** Opening a pipe waits for a writer, and the reload had the lock that the stop needs. */
    @Test
    @Timeout(30)
    void certificateFileThatBlocksDelaysNeitherReloadNorStop() throws Exception {
        Path certificateFile = Files.copy(server.certificateFile(), directory.resolve("in-use.pem"));
        start(TlsServerSettings.of(certificateFile, server.keyFile()));
        Files.delete(certificateFile);
        assertThat(new ProcessBuilder("mkfifo", certificateFile.toString())
                        .start()
                        .waitFor())
                .isZero();
        collector.reloadCertificates();
        assertThat(collector.warnings())
                .singleElement()
                .asString()
                .contains("in-use.pem: it is a pipe, a socket or a device, and must be a regular file")
                .contains("the previous certificate stays in use");
        try (SSLSocket socket = connect(client.server(server))) {
            send(socket, "<13>one\n");
            awaitMessages(1);
        }
        collector.close();
    }

    @Test
    void missingFilesAreNamedAtTheStart() {
        assertThatThrownBy(() -> start(TlsServerSettings.of(directory.resolve("none.pem"), server.keyFile())))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the file does not exist")
                .hasMessageContaining("none.pem");
        assertThatThrownBy(() -> start(TlsServerSettings.of(server.keyFile(), server.keyFile())))
                .hasMessageContaining("server.key");
        assertThatThrownBy(() -> start(TlsServerSettings.of(server.certificateFile(), server.certificateFile())))
                .hasMessageContaining("holds no private key");
    }
}
