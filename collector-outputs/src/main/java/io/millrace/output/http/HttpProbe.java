package io.millrace.output.http;

import io.millrace.message.LineBuffer;
import io.millrace.output.internal.http.HttpAnswer;
import io.millrace.output.internal.http.HttpConnection;
import io.millrace.output.internal.http.HttpPost;
import java.io.IOException;
import java.util.Locale;

/**
 * Asks an HTTP destination something that stores nothing: the interfaces of OpenSearch and Loki a request without messages, with the
 * credentials of the output; any other server a HEAD.
 */
final class HttpProbe {
    private static final int MAX_ANSWER = 8 << 10;

    private HttpProbe() {}

    /**
     * Asks.
     *
     * @return what answered
     * @throws IOException if nothing answers in time, or the answer shows that messages would not be taken
     */
    static String ask(HttpSettings settings, HttpConnection.Limits limits) throws IOException, InterruptedException {
        HttpPost post = settings.post(limits);
        LineBuffer nothing = new LineBuffer();
        // As the sink asks before it rejects a message.
        settings.form(settings.limit()).writeEmpty(nothing);
        try {
            return settings.shape() == HttpSettings.Shape.NDJSON
                    ? head(settings, post.head(MAX_ANSWER))
                    : empty(settings, post.send(nothing, MAX_ANSWER));
        } catch (IOException e) {
            throw new IOException(settings.place() + ": " + e.getMessage(), e);
        } finally {
            post.close();
        }
    }

    /** Many servers know POST only, and say so in different ways. */
    private static String head(HttpSettings settings, HttpAnswer answer) throws IOException {
        int status = answer.status();
        boolean redirects = status / 100 == 3;
        if (redirects || status == 401 || status == 403 || status == 407 || status == 429 || status >= 500) {
            throw new IOException("it answers " + answer.text());
        }
        return settings.place() + " answers HTTP " + status + " to HEAD"
                + (answer.isSuccess()
                        ? ""
                        : "; whether it takes a POST there is not tried, because it would be stored");
    }

    /** OpenSearch answers 400 in JSON to a request without messages, and Loki 422. */
    private static String empty(HttpSettings settings, HttpAnswer answer) throws IOException {
        boolean asksForMessages = settings.shape() == HttpSettings.Shape.BULK
                ? answer.status() == 400 && isJson(answer)
                : answer.status() == 422;
        if (!answer.isSuccess() && !asksForMessages) {
            throw new IOException("to a request without messages it answers " + answer.text());
        }
        return settings.place() + " answers HTTP " + answer.status() + " to a request without messages";
    }

    private static boolean isJson(HttpAnswer answer) {
        return answer.headers()
                .firstValue("content-type")
                .map(type -> type.toLowerCase(Locale.ROOT).contains("json"))
                .orElse(false);
    }
}
