package io.millrace.internal.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestCertificate;
import io.millrace.collector.TlsServerSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cipher suites that an input takes are those that the documentation promises. */
class CipherSuitesTest {
    @TempDir
    private Path directory;

    @Test
    void documentedSuitesWorkAndNoOthers() throws Exception {
        Set<String> documented;
        try (Stream<String> lines = Files.lines(Path.of("..", "docs", "operate", "inputs.md"))) {
            documented = lines.filter(line -> line.startsWith("| 1.3 |") || line.startsWith("| 1.2, "))
                    .flatMap(line -> Pattern.compile("TLS_\\w+").matcher(line).results())
                    .map(MatchResult::group)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
        assertThat(documented).hasSize(9);
        Set<String> working = new TreeSet<>();
        for (TestCertificate own : new TestCertificate[] {
            new TestCertificate(directory, "ec", "DNS:localhost"),
            TestCertificate.rsa(directory, "rsa", "DNS:localhost")
        }) {
            SSLContext client = TestCertificate.client(own);
            try (TlsServer server = TlsServer.of("in", TlsServerSettings.of(own.certificateFile(), own.keyFile()))) {
                for (String suite : client.getSupportedSSLParameters().getCipherSuites()) {
                    if (shakesHands(
                            client.createSSLEngine(), server.newHandler().engine(), suite)) {
                        working.add(suite);
                    }
                }
            }
        }
        assertThat(working).isEqualTo(documented);
    }

    private static boolean shakesHands(SSLEngine client, SSLEngine server, String suite) throws IOException {
        client.setUseClientMode(true);
        client.setEnabledProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
        client.setEnabledCipherSuites(new String[] {suite});
        try {
            client.beginHandshake();
            server.beginHandshake();
            ByteBuffer toServer = ByteBuffer.allocate(1 << 16);
            ByteBuffer toClient = ByteBuffer.allocate(1 << 16);
            for (int i = 0; i < 50; i++) {
                step(client, toClient, toServer);
                step(server, toServer, toClient);
            }
            return isDone(client)
                    && isDone(server)
                    && client.getSession().getCipherSuite().equals(suite);
        } catch (SSLException e) {
            return false;
        }
    }

    private static boolean isDone(SSLEngine engine) {
        return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING
                && Arrays.asList("TLSv1.3", "TLSv1.2")
                        .contains(engine.getSession().getProtocol());
    }

    private static void step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
        switch (engine.getHandshakeStatus()) {
            case NEED_TASK -> {
                for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                    task.run();
                }
            }
            case NEED_WRAP -> engine.wrap(ByteBuffer.allocate(0), out);
            default -> {
                in.flip();
                engine.unwrap(in, ByteBuffer.allocate(1 << 16));
                in.compact();
            }
        }
    }
}
