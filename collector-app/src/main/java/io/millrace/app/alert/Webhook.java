package io.millrace.app.alert;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.app.config.AlertSettings;
import io.millrace.message.LineBuffer;
import io.millrace.output.Compression;
import io.millrace.output.internal.http.HttpAnswer;
import io.millrace.output.internal.http.HttpConnection;
import io.millrace.output.internal.http.HttpPost;
import java.io.IOException;

/** A webhook: posts the JSON, and expects an answer 2xx. */
final class Webhook implements AlertTarget {
    private static final int MAX_ANSWER = 8 << 10;

    private final HttpPost post;
    private final LineBuffer body = new LineBuffer();

    /** @throws IllegalArgumentException if the URL or a header cannot be used */
    Webhook(AlertSettings.Webhook settings) {
        if (settings.url().getUserInfo() != null) {
            throw new IllegalArgumentException(
                    "url accepts a user and a password in settings of their own, not one with a user");
        }
        post = new HttpPost(
                        settings.url(), Compression.NONE, new HttpConnection.Limits(TIMEOUT, TIMEOUT), settings.tls())
                .header("Content-Type", "application/json");
        settings.headers().forEach(post::header);
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
