package io.millrace.output.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.output.TestServer;
import io.millrace.output.http.HttpReceiver.Reply;
import io.millrace.output.internal.http.HttpSink;
import io.millrace.sink.Sink;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Indexer acknowledgement: a message is delivered when Splunk says that it is indexed. A restart of the server forgets what it has not said. */
class SplunkAckSinkTest extends HttpSinkContract {
    private SplunkReceiver splunk = new SplunkReceiver(true);
    private UnaryOperator<SplunkSettings.Builder> settings = it -> it.ackTimeout(Duration.ofSeconds(2));

    @Override
    HttpReceiver http() {
        return splunk.http();
    }

    @Override
    protected TestServer newServer() {
        return splunk;
    }

    @Override
    protected Sink newSink() {
        SplunkSettings checked = settings.apply(SplunkSettings.builder()
                        .url(splunk.uri())
                        .token(SplunkReceiver.TOKEN)
                        .acknowledge(true)
                        .index("net-{appname}")
                        .connectTimeout(Duration.ofSeconds(5))
                        .timeout(Duration.ofSeconds(5)))
                .build();
        return checked.sink(checked.protocol(Duration.ofMillis(20)), HttpSink.DOUBT, HttpSink.SEARCH);
    }

    {
        splunk.create("net-app");
    }

    private void with(UnaryOperator<SplunkSettings.Builder> change) throws Exception {
        close();
        settings = change;
        open();
    }

    @Override
    protected boolean isAcknowledged() {
        return true;
    }

    @Override
    protected byte[] refusedPayload() {
        return "<34>1 - host nowhere - - - x".getBytes(UTF_8);
    }

    @Override
    protected String refusal() {
        return "HTTP 400: {\\\"text\\\":\\\"Incorrect index\\\",\\\"code\\\":7";
    }

    @Test
    void deliveredOnlyWhenIndexed() throws Exception {
        with(it -> it.ackTimeout(Duration.ofMinutes(1)));
        splunk.indexesNothing = true;
        send(0, 20);
        await().atMost(SOON).until(() -> splunk.received().size() == 20 && splunk.queries() > 3);
        assertThat(status().counts().acked()).isZero();
        splunk.indexesNothing = false;
        awaitAll(20);
        assertThat(arrived()).isEqualTo(numbers(0, 20));
    }

    @Test
    void unacknowledgedMessagesAreResent() throws Exception {
        with(it -> it.ackTimeout(Duration.ofSeconds(1)));
        splunk.indexesNothing = true;
        send(0, 10);
        await().atMost(SOON).until(() -> status().problem() != null);
        assertThat(status().problem())
                .isEqualTo(
                        splunk.uri()
                                + "/services/collector/ack: within ackTimeout (1000 ms) Splunk has not said that messages are indexed");
        splunk.indexesNothing = false;
        awaitAll(10);
        assertThat(arrived().size()).isGreaterThan(10);
        assertThat(splunk.seenChannels())
                .as("a channel in doubt is not used again")
                .hasSizeGreaterThan(1);
    }

    /** It says only once that events are indexed: with the answer, the acknowledgement is lost. */
    @Test
    void lostAnswersToQueriesLoseNothing() throws Exception {
        with(it -> it.ackTimeout(Duration.ofSeconds(1)));
        splunk.losesAnswersToQueries = true;
        send(0, 10);
        await().atMost(SOON).until(() -> status().problem() != null);
        assertThat(status().problem()).endsWith("; the last query failed: HTTP 502: the answer is lost");
        assertThat(status().counts().acked()).isZero();
        splunk.losesAnswersToQueries = false;
        awaitAll(10);
    }

    /** After a restart its numbers begin again, and those of later batches must not acknowledge earlier ones. */
    @Test
    void restartOfSplunkAcknowledgesNothing() throws Exception {
        with(it -> it.ackTimeout(Duration.ofSeconds(3)));
        splunk.indexesNothing = true;
        send(0, 5);
        await().atMost(SOON).until(() -> splunk.received().size() == 5);
        splunk.forgetChannels();
        splunk.indexesNothing = false;
        send(5, 10);
        await().atMost(SOON).until(() -> splunk.received().size() == 10);
        int queries = splunk.queries();
        await().atMost(SOON).until(() -> splunk.queries() > queries + 3);
        assertThat(status().counts().acked()).isZero();
        awaitAll(10);
        assertThat(arrived().subList(10, 15)).as("sent again").containsExactlyElementsOf(numbers(0, 5));
    }

    @Test
    void channelsAreUsedAgain() throws Exception {
        for (int i = 0; i < 40; i++) {
            send(i, i + 1);
            awaitAll(i + 1);
        }
        assertThat(splunk.seenChannels()).hasSizeLessThanOrEqualTo(16);
    }

    @Test
    void answerWithoutANumberIsNoSuccess() throws Exception {
        splunk.http().script(Reply.of(200, "{\"text\":\"Success\",\"code\":0}"));
        send(0, 1);
        await().atMost(SOON)
                .until(() -> status().problem() != null || status().counts().acked() == 1);
        assertThat(status().retries()).isEqualTo(1);
        awaitAll(1);
    }

    @Test
    void tokenWithoutAcknowledgementIsAProblem() throws Exception {
        splunk.close();
        splunk = new SplunkReceiver(false, "net-app");
        with(it -> it);
        send(0, 1);
        await().atMost(SOON).until(() -> status().problem() != null);
        assertThat(status().problem())
                .contains("enable indexer acknowledgement for the token, or set 'acknowledge: off'");
        assertThat(status().counts().acked()).isZero();
        await().atMost(SOON).until(() -> status().retries() > 5);
        assertThat(arrived()).as("the second attempt asks before it sends").containsExactly(0);
    }

    @Test
    void closeEndsTheThread() throws Exception {
        splunk.indexesNothing = true;
        send(0, 1);
        await().atMost(SOON).until(() -> splunk.queries() > 0);
        assertThat(asking()).isPositive();
        long before = asking();
        collector().close();
        await().atMost(SOON).until(() -> asking() < before);
        splunk.indexesNothing = false;
    }

    private static long asking() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("millrace-splunk-acks"))
                .count();
    }
}
