package io.millrace.output.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.message.LineFormat;
import io.millrace.output.TestServer;
import io.millrace.sink.Sink;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Raw lines for the HTTP Event Collector. */
@Tag("once")
class SplunkRawSinkTest extends HttpSinkContract {
    private final SplunkReceiver splunk = new SplunkReceiver(false);

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
        return SplunkSettings.builder()
                .url(splunk.uri())
                .token(SplunkReceiver.TOKEN)
                .endpoint(SplunkSettings.Endpoint.RAW)
                .format(LineFormat.of("raw"))
                .index("main")
                .source("a b&c={{}}")
                .connectTimeout(Duration.ofSeconds(5))
                .timeout(Duration.ofSeconds(5))
                .build()
                .sink("out");
    }

    @Override
    protected boolean isAcknowledged() {
        return true;
    }

    @Override
    protected byte[] refusedPayload() {
        return " ".getBytes(UTF_8);
    }

    @Override
    protected String refusal() {
        return "it cannot be encoded: it is blank in this format";
    }

    @Test
    void metadataIsInTheUrl() throws Exception {
        send(List.of("<34>1 - h app - - - n=0; \u00e4".getBytes(UTF_8)));
        await().atMost(SOON).until(() -> status().pending() == 0);
        assertThat(splunk.received()).containsExactly("<34>1 - h app - - - n=0; \u00e4");
        assertThat(splunk.queryOfRaw())
                .containsEntry("source", "a b&c={}")
                .containsEntry("sourcetype", "syslog")
                .containsEntry("index", "main")
                .doesNotContainKey("host");
        assertThat(splunk.seenChannels()).hasSize(1);
    }
}
