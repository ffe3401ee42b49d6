package io.millrace.output.relp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.output.SinkContract;
import io.millrace.output.TestServer;
import io.millrace.output.syslog.SyslogSettings;
import io.millrace.sink.Adjustment;
import io.millrace.sink.Sink;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import javax.net.ServerSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Plain RELP, messages as they came. */
class RelpSinkTest extends SinkContract {
    private RelpReceiver receiver;

    @Override
    protected TestServer newServer() {
        receiver = new RelpReceiver(ServerSocketFactory.getDefault());
        return receiver;
    }

    @Override
    protected Sink newSink() {
        return RelpSettings.builder()
                .host("127.0.0.1")
                .port(receiver.port())
                .format(SyslogSettings.Format.RAW)
                .connectTimeout(Duration.ofSeconds(5))
                .ackTimeout(Duration.ofMillis(500))
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

    @Test
    void connectOpensAndClosesASession() throws Exception {
        RelpSettings settings =
                RelpSettings.builder().host("127.0.0.1").port(receiver.port()).build();
        assertThat(settings.connect("out", Duration.ofSeconds(10)))
                .isEqualTo("RELP to 127.0.0.1 port " + receiver.port()
                        + ": the session is opened; the connection is accepted");
        assertThat(receiver.sessions()).isEqualTo(1);
        assertThat(receiver.closed()).isEqualTo(1);
        assertThat(receiver.received()).isEmpty();
        receiver.offers("200 OK\nrelp_version=0\ncommands=");
        assertThatThrownBy(() -> settings.connect("out", Duration.ofSeconds(10)))
                .hasMessageContaining("it does not offer the command syslog");
    }

    @Test
    void serverCloseOnlyDelays() throws IOException {
        receiver.messagesPerSession(300);
        send(0, 5 * count());
        awaitAll(5 * count());
        assertThat(arrived()).isEqualTo(numbers(0, 5 * count()));
        assertThat(receiver.sessions()).isGreaterThanOrEqualTo(4);
    }

    @Test
    void idleSessionThatTheServerClosesIsNoFailure() throws IOException {
        receiver.messagesPerSession(1);
        send(0, 1);
        awaitAll(1);
        receiver.close();
        receiver.start();
        send(1, 2);
        awaitAll(2);
        assertThat(status().retries()).isZero();
    }

    @Test
    void serverThatAnswersNothingGetsItAgain() throws IOException {
        receiver.silent(true);
        send(0, 10);
        await().atMost(SOON).until(() -> status().problem() != null);
        assertThat(status().problem()).contains("it has answered nothing for 500 ms");
        assertThat(status().counts().acked()).isZero();
        receiver.silent(false);
        awaitAll(10);
        assertThat(status().counts().acked()).isEqualTo(10);
    }

    @Test
    void serverWithoutTheCommandIsAProblem() throws IOException {
        receiver.offers("200 OK\nrelp_version=0\ncommands=eventlog");
        send(0, 1);
        await().atMost(SOON).until(() -> status().problem() != null);
        assertThat(status().problem()).contains("it does not offer the command syslog");
        receiver.offers("500 too many sessions");
        await().atMost(SOON)
                .until(() -> status().problem().contains("it does not open a session: 500 too many sessions"));
        receiver.offers(RelpReceiver.OFFERS);
        awaitAll(1);
    }

    @Test
    void longMessageIsTruncatedAndAnEmptyOneADeadLetter() throws IOException {
        send(List.of(
                ("n=0; " + "x".repeat(20_000)).getBytes(UTF_8), new byte[0], "n=1; line\nfeeds\n".getBytes(UTF_8)));
        awaitAll(2);
        assertThat(receiver.received().get(0)).hasSize(8096);
        assertThat(receiver.received().get(1)).isEqualTo("n=1; line\nfeeds\n");
        assertThat(status().adjusted()).containsEntry(Adjustment.TRUNCATED, 1L);
        assertThat(Files.readString(directory.resolve("data/dead-letters/out.ndjson")))
                .contains("the payload is empty");
    }

    @Test
    void closesTheSessionInOrder() throws IOException {
        send(0, 1);
        awaitAll(1);
        collector().close();
        await().atMost(SOON).until(() -> receiver.closed() == 1);
    }
}
