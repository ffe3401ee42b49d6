package io.millrace.output.relp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestCertificate;
import io.millrace.output.SinkContract;
import io.millrace.output.TestServer;
import io.millrace.sink.Sink;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** RELP over TLS, as RFC 5424. */
class RelpTlsSinkTest extends SinkContract {
    private static TestCertificate server;
    private static TestCertificate client;

    private RelpReceiver receiver;

    @BeforeAll
    static void makeCertificates(@TempDir Path directory) throws Exception {
        server = new TestCertificate(directory, "server", "IP:127.0.0.1,DNS:localhost");
        client = new TestCertificate(directory, "client", "DNS:client.example");
    }

    @Override
    protected TestServer newServer() throws Exception {
        receiver = new RelpReceiver(server.server(client).getServerSocketFactory());
        return receiver;
    }

    @Override
    protected Sink newSink() {
        return RelpSettings.builder()
                .host("127.0.0.1")
                .port(receiver.port())
                .transport(RelpSettings.Transport.TLS)
                .caFile(server.certificateFile())
                .certificateFile(client.certificateFile())
                .keyFile(client.keyFile())
                .build()
                .sink("out");
    }

    @Override
    protected boolean isAcknowledged() {
        return true;
    }

    @Override
    protected byte[] refusedPayload() {
        return RelpReceiver.REFUSED.getBytes(UTF_8);
    }

    @Override
    protected String refusal() {
        return "the server answered: 500 it is not taken\"";
    }

    @AfterEach
    void protocolIsKept() {
        assertThat(receiver.violations()).isEmpty();
    }
}
