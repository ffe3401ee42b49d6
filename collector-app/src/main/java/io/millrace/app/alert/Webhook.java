package io.millrace.app.alert;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.app.config.AlertSettings;
import io.millrace.app.sink.http.HttpAnswer;
import io.millrace.app.sink.http.HttpPost;
import io.millrace.app.sink.http.HttpSinkSettings;
import io.millrace.message.LineBuffer;
import java.io.IOException;

/** A webhook: posts the JSON, and expects an answer 2xx. */
final class Webhook implements AlertTarget {
    private static final int MAX_ANSWER = 8 << 10;

    private final HttpPost post;
    private final LineBuffer body = new LineBuffer();

    /** @throws IllegalArgumentException if the URL or a header cannot be used */
    Webhook(AlertSettings.Webhook settings) {
        HttpSinkSettings request = HttpSinkSettings.of(settings.url(), HttpSinkSettings.Shape.NDJSON)
                .header("Content-Type", "application/json")
                .compressed(HttpSinkSettings.Compression.NONE)
                .timeouts(TIMEOUT, TIMEOUT)
                .tls(settings.tls());
        for (var header : settings.headers().entrySet()) {
            request = request.header(header.getKey(), header.getValue());
        }
        post = new HttpPost(request);
    }

    @Override
    public String send(String json) throws IOException, InterruptedException {
        byte[] bytes = json.getBytes(UTF_8);
        body.clear();
        body.append(bytes, 0, bytes.length);
        HttpAnswer answer = post.send(body, MAX_ANSWER);
        if (!answer.isSuccess()) {
            throw new IOException(answer.text());
        }
        return answer.text();
    }
}
