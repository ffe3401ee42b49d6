package io.millrace.collector;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.TestCertificate;
import io.millrace.collector.StreamCounters.SenderNotice;
import io.millrace.journal.DatagramView;
import io.millrace.journal.JournalCursor;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections of proxies, with the PROXY protocol. */
@Timeout(60)
class ProxyTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final String SIGNATURE = "\r\n\r\n\0\r\nQUIT\n";
    private static final int LOCAL = 0x20;
    private static final int PROXY = 0x21;
    private static final int TCP4 = 0x11;
    private static final int TCP6 = 0x21;
    private static final int UNIX = 0x31;

    @TempDir
    Path directory;

    private Collector collector;

    @AfterEach
    void close() throws IOException {
        collector.close();
    }

    private void start(String proxies) throws IOException {
        start(Endpoint.tcp(ANY_PORT), StreamSettings.DEFAULT.withProxies(List.of(Network.parse(proxies))), null);
    }

    private void start(Endpoint endpoint, StreamSettings settings, String denied) throws IOException {
        CollectorBuilder builder = Collector.builder()
                .journal(directory.resolve("data"))
                .receivers(1)
                .listen("proxied", endpoint, settings);
        if (denied != null) {
            NetworkSet networks = NetworkSet.of(List.of(), List.of(Network.parse(denied)));
            builder.policy(new PolicySettings(networks, null, null, 24, 64));
        }
        collector = builder.build().start();
    }

    private Socket connect() throws IOException {
        InetSocketAddress address = collector.endpoints().get(0).address();
        return new Socket(address.getAddress(), address.getPort());
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
    }

    private static String version2(int command, int family, String addressesInHex) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(SIGNATURE.getBytes(ISO_8859_1));
        out.write(command);
        out.write(family);
        byte[] addresses = HexFormat.of().parseHex(addressesInHex);
        out.writeShort(addresses.length);
        out.write(addresses);
        return bytes.toString(ISO_8859_1);
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

    @Test
    void connectionThatEndsWithinItsHeaderIsCountedAndAHealthCheckIsNot() throws IOException {
        start("127.0.0.0/8");
        try (Socket check = connect()) {
            check.shutdownOutput();
            await().until(() -> collector.streams().get(0).get(StreamCounter.CLOSED_PEER) == 1);
        }
        try (Socket half = connect()) {
            send(half, "PROXY TCP4 192.0");
            half.shutdownOutput();
            await().until(() -> collector.streams().get(0).get(StreamCounter.CLOSED_PROXY_HEADER) == 1);
        }
        assertThat(collector.senderNotices())
                .extracting(SenderNotice::reason)
                .containsExactly(StreamCounter.CLOSED_PROXY_HEADER);
    }

    private void assertJournaled(String source, int port, String text) throws IOException {
        await().until(() -> collector.ledger().journaled() >= 1);
        assertThat(journaled()).singleElement().satisfies(view -> {
            assertThat(view.payloadText()).isEqualTo(text);
            assertThat(view.sourceText()).isEqualTo(source);
            assertThat(view.sourcePort()).isEqualTo(port);
        });
    }

    private long count(StreamCounter counter) {
        return collector.streams().get(0).get(counter);
    }

    @Test
    void sourceIsTheClientThatVersion1Names() throws Exception {
        start("127.0.0.0/8");
        try (Socket socket = connect()) {
            send(socket, "PROXY TCP4 192.0.2.7 192.0.2.1 50000 514\r\n<13>one\n");
            assertJournaled("192.0.2.7", 50000, "<13>one");
        }
    }

    @Test
    void headerMayComeInPieces() throws Exception {
        start("127.0.0.1");
        try (Socket socket = connect();
                Socket other = connect()) {
            send(other, "PROXY TCP4 192.0.2.8 192.0.2.1 50001 514\r\n");
            for (char c : "PROXY TCP6 2001:db8::7 2001:db8::1 50000 514\r\n<13>o".toCharArray()) {
                send(socket, String.valueOf(c));
                Thread.sleep(2);
            }
            // Something else is read between two pieces.
            send(other, "<13>incomplete");
            send(socket, "ne\n");
            assertJournaled("2001:db8::7", 50000, "<13>one");
        }
    }

    @Test
    void sourceIsTheClientThatVersion2Names() throws Exception {
        start("127.0.0.1");
        try (Socket socket = connect()) {
            send(socket, version2(PROXY, TCP4, "c0000207" + "c0000201" + "c350" + "0202") + "<13>one\n");
            assertJournaled("192.0.2.7", 50000, "<13>one");
        }
    }

    @Test
    void sourceIsTheClientWithAnIpv6AddressThatVersion2Names() throws Exception {
        start("127.0.0.1");
        try (Socket socket = connect()) {
            String client = "20010db8000000000000000000000007";
            send(socket, version2(PROXY, TCP6, client + client + "c350" + "0202") + "<13>one\n");
            assertJournaled("2001:db8::7", 50000, "<13>one");
        }
    }

    @Test
    void sourceOfAConnectionOfItsOwnIsTheProxy() throws Exception {
        start("127.0.0.1");
        try (Socket socket = connect()) {
            send(socket, version2(LOCAL, 0, "") + "<13>one\n");
            assertJournaled("127.0.0.1", socket.getLocalPort(), "<13>one");
        }
    }

    @Test
    void sourceOfAnotherProgramOfItsHostIsTheProxy() throws Exception {
        start("127.0.0.1");
        try (Socket socket = connect()) {
            send(socket, version2(PROXY, UNIX, "2f".repeat(216)) + "<13>one\n");
            assertJournaled("127.0.0.1", socket.getLocalPort(), "<13>one");
        }
    }

    @Test
    void headerOfAnotherAddressIsNotBelieved() throws Exception {
        start("192.0.2.0/24");
        try (Socket socket = connect()) {
            send(socket, "PROXY TCP4 192.0.2.7 192.0.2.1 50000 514\r\n");
            assertJournaled("127.0.0.1", socket.getLocalPort(), "PROXY TCP4 192.0.2.7 192.0.2.1 50000 514");
        }
    }

    @Test
    void connectionWithoutAHeaderIsClosed() throws Exception {
        start("127.0.0.1");
        try (Socket socket = connect()) {
            send(socket, "<13>Nov 25 10:00:00 host app: no header here\r\n");
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
        await().until(() -> count(StreamCounter.CLOSED_PROXY_HEADER) == 1);
        assertThat(collector.ledger().received()).isZero();
    }

    @Test
    void clientThatThePolicyDeniesIsClosed() throws Exception {
        start(
                Endpoint.tcp(ANY_PORT),
                StreamSettings.DEFAULT.withProxies(List.of(Network.parse("127.0.0.1"))),
                "192.0.2.0/24");
        try (Socket socket = connect()) {
            send(socket, "PROXY TCP4 192.0.2.7 192.0.2.1 50000 514\r\n<13>denied\n");
            await().until(() -> count(StreamCounter.CLOSED_DENIED) == 1);
        }
        assertThat(collector.ledger().received()).isZero();
    }

    @Test
    void headerComesBeforeTheHandshake() throws Exception {
        TestCertificate server = new TestCertificate(directory, "server", "IP:127.0.0.1");
        start(
                Endpoint.tls(ANY_PORT),
                StreamSettings.DEFAULT
                        .withProxies(List.of(Network.parse("127.0.0.1")))
                        .withTls(TlsServerSettings.of(server.certificateFile(), server.keyFile())),
                null);
        try (Socket plain = connect()) {
            send(plain, "PROXY TCP4 192.0.2.7 192.0.2.1 50000 514\r\n");
            SSLSocketFactory factory = TestCertificate.client(server).getSocketFactory();
            try (SSLSocket socket = (SSLSocket) factory.createSocket(plain, "127.0.0.1", plain.getPort(), false)) {
                send(socket, "<13>one\n");
                assertJournaled("192.0.2.7", 50000, "<13>one");
            }
        }
    }
}
