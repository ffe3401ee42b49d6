package io.millrace.output.internal.http;

import io.millrace.message.LineBuffer;
import java.io.IOException;

/**
 * Asks an HTTP destination something that stores nothing, with the credentials of the output: a known interface a request without messages, any
 * other server a HEAD.
 */
public final class HttpProbe {
    private static final int MAX_ANSWER = 8 << 10;
    private static final int NOT_FOUND = 404;

    private HttpProbe() {}

    /**
     * Sends a request without messages.
     *
     * @param place the URL, for people
     * @return what answered
     * @throws IOException if nothing answers in time, or the answer shows that messages would not be taken
     */
    public static String empty(String place, HttpPost post, HttpProtocol protocol)
            throws IOException, InterruptedException {
        // As the sink asks before it rejects a message.
        LineBuffer nothing = new LineBuffer();
        protocol.writeEmpty(nothing);
        try {
            HttpAnswer answer = post.send(nothing, protocol.emptyQuery(), MAX_ANSWER);
            if (!protocol.isAnswerToNothing(answer)) {
                throw new IOException("to a request without messages it answers " + answer.text());
            }
            return place + " answers HTTP " + answer.status() + " to a request without messages, as it should";
        } catch (IOException e) {
            throw new IOException(place + ": " + e.getMessage(), e);
        } finally {
            post.close();
        }
    }

    /**
     * Sends a HEAD. Many servers know POST only, and say so in different ways.
     *
     * @param place the URL, for people
     * @return what answered
     * @throws IOException if nothing answers in time, or the answer shows that messages would not be taken
     */
    public static String head(String place, HttpPost post) throws IOException, InterruptedException {
        try {
            HttpAnswer answer = post.head(MAX_ANSWER);
            int status = answer.status();
            boolean redirects = status / 100 == 3;
            if (redirects || status == 401 || status == 403 || status == 407 || status == 429 || status >= 500) {
                throw new IOException("it answers " + answer.text());
            }
            return place + " answers HTTP " + status + " to HEAD"
                    + (answer.isSuccess()
                            ? ""
                            : (status == NOT_FOUND ? ": is the path right? Whether" : "; whether")
                                    + " it accepts a POST there is not tried, because it would be stored");
        } catch (IOException e) {
            throw new IOException(place + ": " + e.getMessage(), e);
        } finally {
            post.close();
        }
    }
}
