package io.millrace.app.sink.syslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.TestCertificate;
import io.millrace.app.sink.SinkContract;
import io.millrace.app.sink.TestServer;
import io.millrace.app.sink.syslog.SyslogSinkSettings.Format;
import io.millrace.app.sink.syslog.SyslogSinkSettings.Framing;
import io.millrace.app.sink.syslog.SyslogSinkSettings.Transport;
import io.millrace.app.tls.TlsSettings;
import io.millrace.sink.Sink;
import java.nio.file.Path;
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
    private TlsSettings tls =
            new TlsSettings(serverCertificate.certificateFile(), client.certificateFile(), client.keyFile(), true);
    private SyslogReceiver receiver;

    @BeforeAll
    static void makeCertificates(@TempDir Path directory) throws Exception {
        serverCertificate = new TestCertificate(directory, "server", "IP:127.0.0.1,DNS:localhost");
        otherHost = new TestCertificate(directory, "other", "DNS:other.example");
        client = new TestCertificate(directory, "client", "DNS:client.example");
    }

    @Override
    protected TestServer newServer() throws Exception {
        receiver = new SyslogReceiver(shown.server(client).getServerSocketFactory(), Framing.OCTET_COUNTING, true);
        return receiver;
    }

    @Override
    protected Sink newSink() {
        return new SyslogSink(SyslogSinkSettings.of("127.0.0.1", receiver.port(), Transport.TLS)
                .as(Format.RAW, Framing.OCTET_COUNTING, false)
                .tls(tls));
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
    private void with(TestCertificate shownByServer, TlsSettings settings) throws Exception {
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
        with(
                otherHost,
                new TlsSettings(
                        serverCertificate.certificateFile(), client.certificateFile(), client.keyFile(), false));
        assertNothingIsSent("PKIX path");
    }

    @Test
    void serverWithAnotherHostNameReceivesNothing() throws Exception {
        with(otherHost, new TlsSettings(otherHost.certificateFile(), client.certificateFile(), client.keyFile(), true));
        assertNothingIsSent("127.0.0.1");
    }

    @Test
    void hostNameIsNotVerifiedIfDisabled() throws Exception {
        with(
                otherHost,
                new TlsSettings(otherHost.certificateFile(), client.certificateFile(), client.keyFile(), false));
        send(0, 10);
        await().atMost(SOON).untilAsserted(() -> assertThat(arrived()).isEqualTo(numbers(0, 10)));
    }

    @Test
    void serverThatRequiresAClientCertificateLosesNothing() throws Exception {
        with(serverCertificate, TlsSettings.trusting(serverCertificate.certificateFile()));
        assertNothingIsSent("certificate");
    }

    @Test
    void missingFileIsNamed() throws Exception {
        with(serverCertificate, TlsSettings.trusting(Path.of("missing.pem")));
        assertNothingIsSent("missing.pem");
    }
}
