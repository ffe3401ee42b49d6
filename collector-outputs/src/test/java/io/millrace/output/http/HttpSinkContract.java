package io.millrace.output.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.output.SinkContract;
import io.millrace.output.http.HttpReceiver.Reply;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every sink over HTTP must do besides: an answer that is no error of messages delays them. */
abstract class HttpSinkContract extends SinkContract {
    /** The server, which answers as it is told before it answers as a model. */
    abstract HttpReceiver http();

    @ParameterizedTest
    @ValueSource(ints = {302, 401, 404, 429, 503})
    void answerOfABusyOrWrongServerDelays(int status) throws Exception {
        http().script(Reply.of(status, "why"));
        http().script(Reply.of(status, "why"));
        send(0, 10);
        awaitAll(10);
        assertThat(status().retries()).isEqualTo(2);
        assertThat(status().counts().deadLettered()).isZero();
    }

    @Test
    void retryAfterIsRespected() throws Exception {
        http().script(new Reply(429, Map.of("Retry-After", "1"), "slow down"));
        long begin = System.nanoTime();
        send(0, 1);
        await().atMost(SOON).until(() -> status().problem() != null);
        awaitAll(1);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(950));
    }
}
