package io.millrace.output.s3;

import io.millrace.output.internal.http.HttpAnswer;
import io.millrace.output.internal.http.HttpConnection;
import io.millrace.output.internal.tls.TlsSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A bucket of an S3 server: puts objects, and asks whether it is there. One thread. */
final class S3Bucket {
    private static final int MAX_ANSWER = 8 << 10;

    private final S3Place place;
    private final S3Signature signature;
    private final HttpConnection connection;

    S3Bucket(S3Place place, S3Credentials credentials, HttpConnection.Limits limits, TlsSettings tls) {
        this.place = place;
        this.signature = new S3Signature(credentials, place.region());
        this.connection = new HttpConnection(limits, place.isSecure() ? tls : null);
    }

    final class Upload {
        private final CompletableFuture<HttpResponse<HttpAnswer>> answer;

        private Upload(CompletableFuture<HttpResponse<HttpAnswer>> answer) {
            this.answer = answer;
        }

        /**
         * Waits until the server has the object.
         *
         * @throws IOException if it does not; the message says what to do
         */
        void await() throws IOException, InterruptedException {
            HttpAnswer said = connection.await(answer);
            if (!said.isSuccess()) {
                throw S3Failure.of(said).exception();
            }
        }

        void cancel() {
            answer.cancel(true);
        }
    }

    /**
     * Begins to put an object; one of this name is replaced.
     *
     * @param body must not be changed any more
     */
    Upload put(String key, String contentType, byte[] body) throws IOException {
        return new Upload(connection.start(
                request("PUT", place.object(key), Map.of("content-type", contentType, "content-md5", md5(body)), body),
                MAX_ANSWER));
    }

    /** Buckets with a retention of their objects require it. */
    private static String md5(byte[] body) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("MD5").digest(body));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
    }

    /**
     * Asks for a list of at most one object.
     *
     * @return what answered, for people
     * @throws IOException if objects could not be put; the message says what to do
     */
    String ask() throws IOException, InterruptedException {
        HttpAnswer said = connection.answer(request("GET", place.list(), Map.of(), new byte[0]), MAX_ANSWER);
        S3Failure failure = S3Failure.of(said);
        // A key that may only write is a good one for this output. The server has checked its signature.
        if (!said.isSuccess() && !failure.isDenied()) {
            throw failure.exception();
        }
        return place + " answers HTTP " + said.status() + " to a listing"
                + (said.isSuccess() ? "" : ", which this key may not ask for")
                + "; whether it accepts objects is not tried, because they would be stored";
    }

    private HttpRequest request(String method, URI uri, Map<String, String> headers, byte[] body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        signature.sign(method, uri, headers, body, Clock.systemUTC().instant()).forEach((name, value) -> {
            if (!name.equals("host")) {
                request.setHeader(name, value);
            }
        });
        return request.build();
    }

    void refresh() {
        connection.refresh();
    }

    void close() {
        connection.close();
    }

    @Override
    public String toString() {
        return place.toString();
    }
}
