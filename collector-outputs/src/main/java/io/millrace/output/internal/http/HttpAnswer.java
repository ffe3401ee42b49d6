package io.millrace.output.internal.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.output.internal.secret.Secrets;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** A response of a server, limited in length because a response may be endless. */
public final class HttpAnswer {
    private static final int MAX_TEXT = 200;
    private static final int MAX_LOOKED_AT = 8 << 10;

    private final int status;
    private final HttpHeaders headers;
    private final byte[] body;
    private final boolean whole;

    private HttpAnswer(int status, HttpHeaders headers, byte[] body, boolean whole) {
        this.whole = whole;
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    public int status() {
        return status;
    }

    public HttpHeaders headers() {
        return headers;
    }

    /** The kept part of the body; not a copy. */
    public byte[] body() {
        return body;
    }

    /** Keeps a body up to a limit, then ends the connection. */
    static BodyHandler<HttpAnswer> handler(int maxBytes) {
        return info -> new Body(info, maxBytes);
    }

    private static final class Body implements BodySubscriber<HttpAnswer> {
        private final ResponseInfo info;
        private final int maxBytes;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        private final CompletableFuture<HttpAnswer> answer = new CompletableFuture<>();
        private @Nullable Subscription subscription;

        Body(ResponseInfo info, int maxBytes) {
            this.info = info;
            this.maxBytes = maxBytes;
        }

        @Override
        public CompletionStage<HttpAnswer> getBody() {
            return answer;
        }

        @Override
        public void onSubscribe(Subscription from) {
            subscription = from;
            from.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> pieces) {
            for (ByteBuffer piece : pieces) {
                byte[] copy = new byte[Math.min(piece.remaining(), maxBytes - bytes.size())];
                boolean all = piece.remaining() == copy.length;
                piece.get(copy);
                bytes.writeBytes(copy);
                if (!all) {
                    Objects.requireNonNull(subscription).cancel();
                    end(false);
                    return;
                }
            }
        }

        @Override
        public void onError(Throwable error) {
            answer.completeExceptionally(error);
        }

        @Override
        public void onComplete() {
            end(true);
        }

        private void end(boolean whole) {
            answer.complete(new HttpAnswer(info.statusCode(), info.headers(), bytes.toByteArray(), whole));
        }
    }

    public boolean isWhole() {
        return whole;
    }

    public boolean isSuccess() {
        return status / 100 == 2;
    }

    /** True if it is a page for people, as a proxy or another server gives, whatever its status says. */
    public boolean isPage() {
        return headers.firstValue("content-type")
                .map(type -> type.toLowerCase(Locale.ROOT).contains("html"))
                .orElse(false);
    }

    /** True if it says that it is JSON. */
    public boolean isJson() {
        return headers.firstValue("content-type")
                .map(type -> type.toLowerCase(Locale.ROOT).contains("json"))
                .orElse(false);
    }

    /** True if the request is invalid or too large; a part of it may be accepted. */
    public boolean isAboutContent() {
        return status == 400 || status == 413 || status == 422;
    }

    /** True if a retry may succeed: the server is busy or broken, or its settings have to be fixed. */
    public static boolean isPassing(int status) {
        return status >= 500
                || switch (status) {
                    case 401, 403, 404, 408, 429 -> true;
                    default -> false;
                };
    }

    /** The status, its meaning where that helps, and the beginning of the body, redacted. */
    public String text() {
        String meaning = switch (status) {
            case 401 -> " (user, password or token are wrong or missing)";
            case 403 -> " (this user may not)";
            case 404 -> " (there is nothing at this address)";
            case 413 -> " (too long)";
            case 429 -> " (too much for now)";
            default ->
                headers.firstValue("location")
                        .map(to -> " (it is at " + Secrets.known().redact(to) + ")")
                        .orElse("");
        };
        // Redacts more text than is shown, so that no secret is shown in part.
        String beginning = new String(body, 0, Math.min(body.length, MAX_LOOKED_AT), UTF_8);
        String begin = shorten(Secrets.known().redact(beginning));
        return "HTTP " + status + meaning + (begin.isEmpty() ? "" : ": " + begin);
    }

    public static String shorten(String text) {
        String line = text.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
        return line.length() <= MAX_TEXT ? line : line.substring(0, MAX_TEXT);
    }
}
