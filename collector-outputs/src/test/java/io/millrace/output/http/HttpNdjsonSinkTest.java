package io.millrace.output.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.Headers;
import io.millrace.TestCertificate;
import io.millrace.message.LineFormat;
import io.millrace.output.Compression;
import io.millrace.output.TestServer;
import io.millrace.output.http.HttpReceiver.Reply;
import io.millrace.output.http.HttpSettings.Shape;
import io.millrace.output.internal.http.HttpSink;
import io.millrace.output.internal.secret.Secrets;
import io.millrace.sink.Refusal;
import io.millrace.sink.Sink;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines over HTTP, and what is the same for every shape of requests. */
@Tag("once")
class HttpNdjsonSinkTest extends HttpSinkContract {
    private HttpReceiver receiver = new HttpReceiver("/in", this::take);
    // A connection that a server which ends has accepted, but not noticed, is never answered: that must not take long.
    private UnaryOperator<HttpSettings.Builder> settings =
            it -> it.connectTimeout(Duration.ofSeconds(5)).timeout(Duration.ofSeconds(5));
    private volatile int mostLines = 1_000;
    private volatile int tooMuch = 413;
    private volatile int failOnceAt = -1;
    private volatile boolean refusesAll;
    private volatile boolean isToBeFixed;
    private volatile boolean rejectsEmpty;
    private Duration doubt = HttpSink.DOUBT;
    private Duration search = HttpSink.SEARCH;
    private volatile long longestRefused;

    private Reply take(String body, List<String> received) {
        // At the beginning of an attempt, which has the whole batch: what an attempt has refused before is refused
        // rightly.
        if (isToBeFixed && body.lines().count() == longestRefused) {
            refusesAll = false;
        }
        if (refusesAll) {
            longestRefused = Math.max(longestRefused, body.lines().count());
            return Reply.of(400, "this port is for HTTPS");
        }
        if (body.contains("refuse-me") || (rejectsEmpty && body.isEmpty())) {
            return Reply.of(400, "line\n7 is   bad");
        }
        assertThat(body)
                .satisfiesAnyOf(
                        it -> assertThat(it).isEmpty(), it -> assertThat(it).endsWith("}\n"));
        if (body.lines().count() > mostLines) {
            return Reply.of(tooMuch, "too much");
        }
        if (failOnceAt >= 0 && body.contains("n=" + failOnceAt + ";")) {
            failOnceAt = -1;
            return Reply.of(500, "once");
        }
        received.addAll(body.lines().toList());
        return Reply.of(204, "");
    }

    @Override
    HttpReceiver http() {
        return receiver;
    }

    @Override
    protected TestServer newServer() {
        return receiver;
    }

    @Override
    protected Sink newSink() {
        return settings.apply(HttpSettings.builder().url(receiver.uri().resolve("/in")))
                .build()
                .sink(doubt, search);
    }

    @Override
    protected boolean isAcknowledged() {
        return true;
    }

    @Override
    protected byte[] refusedPayload() {
        return "refuse-me".getBytes(UTF_8);
    }

    @Override
    protected String refusal() {
        return "HTTP 400: line 7 is bad\"";
    }

    /** Begins again with other settings. */
    private void with(UnaryOperator<HttpSettings.Builder> change) throws Exception {
        close();
        settings = change;
        open();
    }

    private void awaitArrived(int count) {
        await().atMost(SOON).untilAsserted(() -> assertThat(arrived()).isEqualTo(numbers(0, count)));
    }

    /** Servers repeat what they were sent, and the reason of a refusal is written to a file. */
    @Test
    void deadLetterReasonHasNoSecret() throws Exception {
        String secret = "n3ver-shown-by-a-sink";
        Secrets.known().add(secret);
        receiver.script(Reply.of(413, "you sent " + secret + " and " + "x".repeat(150) + secret));
        send(0, 1);
        await().atMost(SOON).until(() -> status().counts().deadLettered() == 1);
        String letters = Files.readString(directory.resolve("data/dead-letters/out.ndjson"));
        assertThat(letters)
                .contains("HTTP 413 (too long): you sent *** and xxx")
                .doesNotContain("n3ver");
    }

    @ParameterizedTest
    @EnumSource
    void compressesRequests(Compression compression) throws Exception {
        with(it -> it.compression(compression));
        send(0, 100);
        awaitArrived(100);
        assertThat(receiver.requests().get(0).getFirst("Content-Encoding"))
                .isEqualTo(
                        switch (compression) {
                            case NONE -> null;
                            case GZIP -> "gzip";
                            case ZSTD -> "zstd";
                        });
    }

    @Test
    void sendsHeadersAndCredentials() throws Exception {
        with(it -> it.headers(Map.of("X-Scope-OrgID", "a")).user("me").password("p:\u00e4"));
        send(0, 1);
        awaitArrived(1);
        Headers headers = receiver.requests().get(0);
        assertThat(headers.getFirst("X-Scope-OrgID")).isEqualTo("a");
        assertThat(headers.getFirst("Authorization")).isEqualTo("Basic bWU6cDrDpA==");
        assertThat(headers.getFirst("Content-Type")).isEqualTo("application/x-ndjson");
        with(it -> it.token("t-of-a-test"));
        send(1, 2);
        awaitArrived(2);
        assertThat(receiver.requests().get(1).getFirst("Authorization")).isEqualTo("Bearer t-of-a-test");
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 413, 422})
    void halvesRequestsThatAreTooLarge(int status) throws Exception {
        mostLines = 3;
        tooMuch = status;
        receiver.delay(5);
        send(0, 100);
        awaitArrived(100);
        await().atMost(SOON).until(() -> status().pending() == 0);
        assertThat(status().counts().acked()).isEqualTo(100);
        assertThat(status().retries()).isZero();
        assertThat(receiver.bodies()).anyMatch(body -> body.lines().count() > mostLines);
    }

    @Test
    void waitsForAServerThatRejectsEverything() throws Exception {
        refusesAll = true;
        receiver.delay(5);
        send(0, 200);
        await().atMost(SOON).until(() -> status().problem() != null);
        assertThat(status().problem())
                .endsWith(
                        "/in: whatever it is sent, even a single message, it answers HTTP 400: this port is for HTTPS");
        assertThat(receiver.requests().size() / Math.max(1, status().retries()))
                .as("requests for one attempt")
                .isLessThan(40);
        isToBeFixed = true;
        await().atMost(SOON).until(() -> status().pending() == 0);
        assertThat(status().counts().deadLettered()).isZero();
        assertThat(status().counts().acked()).isEqualTo(200);
    }

    private List<byte[]> refused(int count) {
        return Collections.nCopies(count, refusedPayload());
    }

    @Test
    void rejectedBurstBecomesDeadLettersAndOthersArrive() throws Exception {
        receiver.close();
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            payloads.add(numbered(i));
        }
        payloads.addAll(refused(60));
        for (int i = 20; i < 520; i++) {
            payloads.add(numbered(i));
        }
        send(payloads);
        receiver.start();
        awaitArrived(520);
        await().atMost(SOON).until(() -> status().pending() == 0);
        assertThat(status().counts().deadLettered()).isEqualTo(60);
        assertThat(status().refused()).containsEntry(Refusal.REJECTED, 60L);
    }

    @Test
    void rejectedMessagesDoNotBlockAcceptedOnes() throws Exception {
        receiver.close();
        send(refused(60));
        receiver.start();
        await().atMost(SOON).until(() -> status().pending() == 0);
        assertThat(status().counts().deadLettered()).isEqualTo(60);
        send(0, 10);
        awaitArrived(10);
    }

    /** Each request takes so long that the search's time is over before it has found the message. */
    @Test
    void searchContinuesAtASlowServer() throws Exception {
        search = Duration.ofMillis(400);
        with(it -> it);
        receiver.close();
        List<byte[]> payloads = new ArrayList<>(refused(1));
        for (int i = 0; i < 15; i++) {
            payloads.add(numbered(i));
        }
        send(payloads);
        receiver.delay(100);
        receiver.start();
        await().atMost(SOON).until(() -> status().pending() == 0);
        assertThat(status().counts().deadLettered()).isEqualTo(1);
        assertThat(arrived()).containsOnlyOnceElementsOf(numbers(0, 15));
    }

    @Test
    void rejectsManyEqualMessagesInBoundedTime() throws Exception {
        rejectsEmpty = true;
        doubt = Duration.ofMillis(300);
        with(it -> it);
        receiver.close();
        send(refused(30));
        receiver.start();
        send(0, 10);
        await().atMost(Duration.ofSeconds(40)).until(() -> status().pending() == 0);
        assertThat(arrived()).containsExactlyInAnyOrderElementsOf(numbers(0, 10));
        assertThat(status().counts().deadLettered()).isEqualTo(30);
        assertThat(status().retries()).as("more of them with each attempt").isLessThan(20);
    }

    @Test
    void constantRejectionIsDoubtedAndDeliveryContinues() throws Exception {
        rejectsEmpty = true;
        doubt = Duration.ofMillis(300);
        with(it -> it);
        send(refused(3));
        await().atMost(SOON).until(() -> status().problem() != null);
        await().atMost(SOON).until(() -> status().counts().deadLettered() == 3);
        send(0, 10);
        awaitArrived(10);
    }

    @Test
    void firstRejectedMessageBecomesADeadLetter() throws Exception {
        receiver.close();
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            payloads.add(refusedPayload());
        }
        payloads.add(numbered(0));
        send(payloads);
        receiver.start();
        awaitArrived(1);
        await().atMost(SOON).until(() -> status().pending() == 0);
        assertThat(status().counts().deadLettered()).isEqualTo(20);
    }

    @Test
    void acceptedHalfIsNotResent() throws Exception {
        mostLines = 3;
        receiver.close();
        send(0, 40);
        await().atMost(SOON).until(() -> status().problem() != null);
        assertThat(status().problem()).isEqualTo(receiver.uri() + "/in: the connection was refused");
        failOnceAt = 20;
        receiver.start();
        awaitArrived(40);
        assertThat(failOnceAt).isNegative();
    }

    /** A reload, and the age of a connection: the host name may have another address. */
    @Test
    void refreshClosesTheConnection() throws Exception {
        try {
            var unused = HttpRequest.newBuilder(receiver.uri()).header("Connection", "close");
        } catch (IllegalArgumentException e) {
            Assumptions.abort("another test has used the client before, without the property");
        }
        send(0, 1);
        awaitArrived(1);
        assertThat(receiver.requests().get(0).get("Connection")).isNull();
        collector().refreshOutputs();
        send(1, 2);
        awaitArrived(2);
        assertThat(receiver.requests().get(1).get("Connection")).containsExactly("close");
        for (int i = 2; i < 12; i++) {
            send(i, i + 1);
            awaitArrived(i + 1);
        }
        assertThat(receiver.requests().get(11).get("Connection"))
                .as("only so many as an output has connections")
                .isNull();
    }

    @Test
    void slowResponseIsATimeout() throws Exception {
        receiver.delay(500);
        with(it -> it.connectTimeout(Duration.ofSeconds(5)).timeout(Duration.ofMillis(200)));
        send(0, 1);
        await().atMost(SOON).until(() -> status().problem() != null);
        assertThat(status().problem()).endsWith("no answer within 200 ms");
        receiver.delay(0);
        await().atMost(SOON).until(() -> status().pending() == 0);
        assertThat(arrived()).containsOnly(0);
    }

    @Test
    void trustsTheConfiguredCertificate(@TempDir Path files) throws Exception {
        TestCertificate certificate = new TestCertificate(files, "server", "IP:127.0.0.1");
        TestCertificate other = new TestCertificate(files, "other", "DNS:other.example");
        close();
        receiver = new HttpReceiver("/in", this::take, certificate.server(certificate));
        with(it -> it.caFile(other.certificateFile()));
        send(0, 10);
        await().atMost(SOON).until(() -> status().problem() != null);
        assertThat(status().problem()).contains("TLS: ", "PKIX path");
        with(it -> it.caFile(certificate.certificateFile()));
        awaitArrived(10);
        close();
        receiver = new HttpReceiver("/in", this::take, other.server(certificate));
        with(it -> it.caFile(other.certificateFile()));
        send(0, 10);
        await().atMost(SOON).until(() -> status().problem() != null);
        assertThat(status().problem()).contains("TLS: ", "127.0.0.1");
        with(it -> it.caFile(other.certificateFile()).verifyHostname(false));
        awaitArrived(10);
    }

    private static HttpSettings.Builder to(String url, Shape shape) {
        return HttpSettings.builder().url(URI.create(url)).shape(shape);
    }

    @Test
    void rejectsInvalidSettings() {
        HttpSettings.Builder good = to("http://h", Shape.BULK).format(LineFormat.of("json"));
        assertThat(good.build().target()).isEqualTo(URI.create("http://h/_bulk"));
        assertThat(to("http://h/x?y=1", Shape.LOKI).build().target()).isEqualTo(URI.create("http://h/x?y=1"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> to("http://h", Shape.BULK).index("Big").build())
                .withMessageStartingWith("index accepts the name of an index");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> to("ftp://h", Shape.BULK).build())
                .withMessage("url accepts http:// or https://, not ftp://h");
        HttpSettings.Builder loki = to("http://h", Shape.LOKI);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> loki.labels(Map.of("n", "{sequence}")).build())
                .withMessageContaining("not n={sequence}");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> loki.labels(Map.of("n", "{hostname}")).build())
                .withMessageContaining("at least one that every record has");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        good.headers(Map.of("Content-Length", "1")).build().sink("out"));
    }
}
