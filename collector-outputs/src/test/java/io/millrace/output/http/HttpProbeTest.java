package io.millrace.output.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.output.http.HttpSettings.Shape;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is asked of an HTTP destination before there are messages. */
@Timeout(30)
class HttpProbeTest {
    private static final String NO_REQUESTS =
            "{\"error\":{\"type\":\"action_request_validation_exception\",\"reason\":\"no requests added\"}}";

    private static HttpReceiver server(String path, HttpReceiver.Reply reply) throws IOException {
        HttpReceiver server = new HttpReceiver(path, (body, received) -> reply);
        server.start();
        return server;
    }

    private static HttpReceiver.Reply json(int status, String body) {
        return new HttpReceiver.Reply(status, Map.of("Content-Type", "application/json; charset=UTF-8"), body);
    }

    private static String connect(URI uri, Shape shape) throws Exception {
        return HttpSettings.builder()
                .url(uri)
                .shape(shape)
                .user("u")
                .password("words-of-a-test")
                .build()
                .connect("out", Duration.ofSeconds(10));
    }

    @Test
    void asksOpenSearchForNothing() throws Exception {
        try (HttpReceiver server = server("/_bulk", json(400, NO_REQUESTS))) {
            assertThat(connect(server.uri(), Shape.BULK))
                    .isEqualTo(server.uri() + "/_bulk answers HTTP 400 to a request without messages, as it should");
            assertThat(server.bodies()).containsExactly("\n");
            assertThat(server.requests().get(0).getFirst("Authorization")).startsWith("Basic ");
        }
    }

    /** An HTTPS port answers 400 to anything without TLS. */
    @Test
    void doesNotTakeAnyBadRequestForOpenSearch() throws Exception {
        try (HttpReceiver server =
                server("/_bulk", HttpReceiver.Reply.of(400, "Client sent HTTP to an HTTPS server"))) {
            assertThatThrownBy(() -> connect(server.uri(), Shape.BULK))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("HTTP 400: Client sent HTTP to an HTTPS server");
        }
    }

    @Test
    void asksLokiForNothing() throws Exception {
        for (int status : new int[] {204, 422}) {
            try (HttpReceiver server = server("/loki/api/v1/push", HttpReceiver.Reply.of(status, ""))) {
                assertThat(connect(server.uri(), Shape.LOKI)).contains("answers HTTP " + status);
                assertThat(server.bodies()).containsExactly("{\"streams\":[]}");
            }
        }
    }

    /** What an unknown server does with an empty POST is unknown. */
    @Test
    void sendsOtherServersNoBody() throws Exception {
        try (HttpReceiver server = server("/logs", HttpReceiver.Reply.of(405, ""))) {
            assertThat(connect(server.uri().resolve("/logs"), Shape.NDJSON))
                    .contains("/logs answers HTTP 405 to HEAD; whether it accepts a POST there is not tried");
            assertThat(server.bodies()).containsExactly("");
            assertThat(server.received()).isEmpty();
        }
    }

    @Test
    void saysThatCredentialsAreWrong() throws Exception {
        for (Shape shape : Shape.values()) {
            try (HttpReceiver server = server("/p", HttpReceiver.Reply.of(401, ""))) {
                assertThatThrownBy(() -> connect(server.uri().resolve("/p"), shape))
                        .hasMessageContaining("HTTP 401 (user, password or token are wrong or missing)");
            }
        }
    }

    @Test
    void saysThatThePathIsWrong() throws Exception {
        try (HttpReceiver server = server("/other", HttpReceiver.Reply.of(200, ""))) {
            assertThatThrownBy(() -> connect(server.uri(), Shape.LOKI))
                    .hasMessageContaining("HTTP 404 (there is nothing at this address)");
        }
    }
}
