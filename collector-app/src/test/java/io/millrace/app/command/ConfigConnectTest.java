package io.millrace.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestCertificate;
import io.millrace.app.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ServerSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code config check --connect} at servers that answer, and at those that do not. */
@Timeout(60)
class ConfigConnectTest {
    @TempDir
    private Path directory;

    /** What a command did. */
    private record Result(int exitCode, List<String> out) {}

    private Result check(String... outputs) throws IOException {
        Path file = Files.writeString(
                directory.resolve("m.yaml"),
                "outputs:\n  " + String.join("\n  ", outputs).replace("DIR", directory.toString()) + "\n");
        PrintStream out = System.out;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            int exitCode = Main.execute("config", "check", "--connect", file.toString());
            return new Result(
                    exitCode, bytes.toString(StandardCharsets.UTF_8).lines().toList());
        } finally {
            System.setOut(out);
        }
    }

    /** A server that accepts connections, and counts the bytes of each to its end. */
    private static final class Counting implements AutoCloseable {
        private final ServerSocket socket;
        private final BlockingQueue<Integer> bytes = new LinkedBlockingQueue<>();

        Counting(ServerSocketFactory factory, String greeting) throws IOException {
            socket = factory.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
            Thread thread = new Thread(() -> serve(greeting), "counting");
            thread.setDaemon(true);
            thread.start();
        }

        private void serve(String greeting) {
            while (!socket.isClosed()) {
                try (Socket connection = socket.accept()) {
                    connection.getOutputStream().write(greeting.getBytes(StandardCharsets.US_ASCII));
                    connection.getOutputStream().flush();
                    InputStream in = connection.getInputStream();
                    bytes.add(in.readAllBytes().length);
                } catch (IOException e) {
                    bytes.add(-1);
                }
            }
        }

        int port() {
            return socket.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void saysForEachOutputWhatAnswered() throws Exception {
        Files.createDirectory(directory.resolve("logs"));
        try (Counting server = new Counting(ServerSocketFactory.getDefault(), "")) {
            Result result = check(
                    "tcp: {type: syslog, host: 127.0.0.1, port: " + server.port() + "}",
                    "udp: {type: syslog, host: 127.0.0.1, transport: udp}",
                    "files: {type: file, path: 'DIR/logs/{hostname}.log'}",
                    "later: {type: file, path: DIR/logs/a/b/c.log}",
                    "out: {type: stdout}");
            assertThat(result.out())
                    .containsExactly(
                            "ok      tcp: TCP to 127.0.0.1 port " + server.port() + ": the connection is accepted",
                            "ok      udp: UDP to 127.0.0.1 port 514: the address is 127.0.0.1; nothing can be tried, because UDP"
                                    + " has no answers",
                            "ok      files: files can be created in " + directory + "/logs",
                            "ok      later: " + directory + "/logs/a/b does not exist, and can be created in "
                                    + directory + "/logs",
                            "ok      out: nothing can be tried",
                            directory + "/m.yaml: right: 1 input, 5 outputs");
            assertThat(result.exitCode()).isZero();
            assertThat(server.bytes.poll(10, TimeUnit.SECONDS)).isZero();
        }
        assertThat(directory.resolve("logs")).isEmptyDirectory();
    }

    @Test
    void saysWhatFailedAndWhatToDo() throws Exception {
        int closed = closedPort();
        Files.writeString(directory.resolve("file"), "");
        Result result = check(
                "good: {type: stdout}",
                "refused: {type: syslog, host: 127.0.0.1, port: " + closed + "}",
                "relp: {type: relp, host: 127.0.0.1, port: " + closed + "}",
                "http: {type: http, url: 'http://127.0.0.1:" + closed + "/'}",
                "kafka: {type: kafka, brokers: ['127.0.0.1:" + closed + "'], topic: t}",
                "unknown: {type: syslog, host: name.invalid}",
                "folder: {type: file, path: DIR/file/a.log}");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.out()).hasSize(7);
        assertThat(result.out().subList(1, 5))
                .allSatisfy(line -> assertThat(line)
                        .startsWith("FAILED  ")
                        .containsIgnoringCase("refused")
                        .contains("127.0.0.1")
                        .endsWith(": does the server run, and is this its port?"));
        assertThat(result.out().get(5))
                .isEqualTo("FAILED  unknown: TCP to name.invalid port 514: the host name cannot be resolved: check the"
                        + " spelling of the host name, and the DNS of this host");
        assertThat(result.out().get(6)).contains("/file is not a directory");
    }

    @Test
    void verifiesTheCertificateOfTheServer() throws Exception {
        TestCertificate right = new TestCertificate(directory, "right", "IP:127.0.0.1");
        TestCertificate other = new TestCertificate(directory, "elsewhere", "DNS:other.example.com");
        try (Counting good = new Counting(right.server(right).getServerSocketFactory(), "");
                Counting renamed = new Counting(other.server(other).getServerSocketFactory(), "");
                Counting plain = new Counting(ServerSocketFactory.getDefault(), "220 this is no TLS\r\n")) {
            String syslog = "{type: syslog, host: 127.0.0.1, transport: tls, caFile: DIR/right.pem, port: ";
            Result result = check(
                    "good: " + syslog + good.port() + "}",
                    "untrusted: " + syslog + renamed.port() + "}",
                    "name: {type: syslog, host: 127.0.0.1, transport: tls, caFile: DIR/elsewhere.pem, port: "
                            + renamed.port() + "}",
                    "plain: " + syslog + plain.port() + "}");
            assertThat(result.out().get(0))
                    .startsWith("ok      good: TLS to 127.0.0.1 port " + good.port()
                            + ": TLSv1.3, the server's certificate is CN=right, valid until 20");
            assertThat(result.out().get(1))
                    .startsWith("FAILED  untrusted: ")
                    .endsWith(
                            "nobody who is trusted has signed the server's certificate; set caFile to the certificate of"
                                    + " who has");
            assertThat(result.out().get(2))
                    .startsWith("FAILED  name: ")
                    .endsWith("the server's certificate is for other names; set the host to one of them");
            assertThat(result.out().get(3))
                    .startsWith("FAILED  plain: ")
                    .endsWith("the server does not speak TLS on this port; use the port for TLS, or no TLS");
            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(good.bytes.poll(10, TimeUnit.SECONDS)).isZero();
        }
    }

    /** A server that accepts and says nothing, as one behind a firewall that answers for it. */
    @Test
    void triesAllAtOnceWithinFiveSeconds() throws Exception {
        TestCertificate right = new TestCertificate(directory, "right", "IP:127.0.0.1");
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            int port = silent.getLocalPort();
            long beginNs = System.nanoTime();
            Result result = check(
                    "tls: {type: syslog, host: 127.0.0.1, transport: tls, caFile: " + right.certificateFile()
                            + ", port: " + port + "}",
                    "relp: {type: relp, host: 127.0.0.1, port: " + port + "}",
                    "http: {type: http, url: 'http://127.0.0.1:" + port + "/'}",
                    "kafka: {type: kafka, brokers: ['127.0.0.1:" + port + "'], topic: t}");
            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs))
                    .isLessThan(12_000);
            assertThat(result.out()).hasSize(4).allMatch(line -> line.startsWith("FAILED  "));
            assertThat(result.out().get(0)).contains("the TLS handshake was not done in time");
            assertThat(result.out().get(1)).contains("it has not answered the command open in time");
            assertThat(result.out().get(2)).contains("no answer within 5000 ms");
            assertThat(result.out().get(3)).contains("Kafka");
        }
    }
}
