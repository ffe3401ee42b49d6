package io.millrace.output.syslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.TestCertificate;
import io.millrace.output.SinkContract;
import io.millrace.output.TestServer;
import io.millrace.output.syslog.SyslogSettings.Framing;
import io.millrace.sink.Sink;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS with a certificate on both sides, messages as they came. */
class SyslogTlsSinkTest extends SinkContract {
    private static TestCertificate serverCertificate;
    private static TestCertificate otherHost;
    private static TestCertificate client;

    private TestCertificate shown = serverCertificate;
    private UnaryOperator<SyslogSettings.Builder> tls = asClient(serverCertificate);
    private SyslogReceiver receiver;

    @BeforeAll
    static void makeCertificates(@TempDir Path directory) throws Exception {
        serverCertificate = new TestCertificate(directory, "server", "IP:127.0.0.1,DNS:localhost");
        otherHost = new TestCertificate(directory, "other", "DNS:other.example");
        client = new TestCertificate(directory, "client", "DNS:client.example");
    }

    /** Trusts a server, and shows the certificate of the client. */
    private static UnaryOperator<SyslogSettings.Builder> asClient(TestCertificate trusted) {
        return it -> it.caFile(trusted.certificateFile())
                .certificateFile(client.certificateFile())
                .keyFile(client.keyFile());
    }

    @Override
    protected TestServer newServer() throws Exception {
        receiver = new SyslogReceiver(shown.server(client).getServerSocketFactory(), Framing.OCTET_COUNTING, true);
        return receiver;
    }

    @Override
    protected Sink newSink() {
        return tls.apply(SyslogSettings.builder()
                        .host("127.0.0.1")
                        .port(receiver.port())
                        .transport(SyslogSettings.Transport.TLS)
                        .format(SyslogSettings.Format.RAW))
                .build()
                .sink("out");
    }

    @Override
    protected boolean isAcknowledged() {
        return false;
    }

    @Override
    protected byte[] refusedPayload() {
        return new byte[0];
    }

    @Override
    protected String refusal() {
        return "the payload is empty";
    }

    @AfterEach
    void framingIsValid() {
        assertThat(receiver.violations()).isEmpty();
    }

    /** Begins again with other certificates. */
    private void with(TestCertificate shownByServer, UnaryOperator<SyslogSettings.Builder> settings) throws Exception {
        close();
        shown = shownByServer;
        tls = settings;
        open();
    }

    private void assertNothingIsSent(String problem) throws Exception {
        send(0, 10);
        // The second failed attempt proves that the first one delivered nothing and was not taken for a success.
        await().atMost(SOON).until(() -> status().retries() >= 2);
        assertThat(status().problem()).contains("TLS to 127.0.0.1 port " + receiver.port(), problem);
        assertThat(status().counts().acked()).isZero();
        assertThat(receiver.received()).isEmpty();
    }

    @Test
    void untrustedServerReceivesNothing() throws Exception {
        with(otherHost, it -> asClient(serverCertificate).apply(it).verifyHostname(false));
        assertNothingIsSent("PKIX path");
    }

    @Test
    void serverWithAnotherHostNameReceivesNothing() throws Exception {
        with(otherHost, asClient(otherHost));
        assertNothingIsSent("127.0.0.1");
    }

    @Test
    void hostNameIsNotVerifiedIfDisabled() throws Exception {
        with(otherHost, it -> asClient(otherHost).apply(it).verifyHostname(false));
        send(0, 10);
        await().atMost(SOON).untilAsserted(() -> assertThat(arrived()).isEqualTo(numbers(0, 10)));
    }

    @Test
    void serverThatRequiresAClientCertificateLosesNothing() throws Exception {
        with(serverCertificate, it -> it.caFile(serverCertificate.certificateFile()));
        assertNothingIsSent("certificate");
    }

    @Test
    void missingFileIsNamed() throws Exception {
        with(serverCertificate, it -> it.caFile(Path.of("missing.pem")));
        assertNothingIsSent("missing.pem");
    }
}
