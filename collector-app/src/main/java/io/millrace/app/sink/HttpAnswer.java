package io.millrace.app.sink;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.util.Optional;

/** What a server answered. */
final class HttpAnswer {
    /** An answer of the bulk interface to 10,000 records is some MiB; a longer one is cut off, not kept. */
    private static final int MOST_BYTES = 64 << 20;

    private static final int MOST_TEXT = 200;

    private final int status;
    private final HttpHeaders headers;
    private final byte[] body;

    private HttpAnswer(int status, HttpHeaders headers, byte[] body) {
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    int status() {
        return status;
    }

    HttpHeaders headers() {
        return headers;
    }

    /** The body, as far as it was kept; not a copy. */
    byte[] body() {
        return body;
    }

    /** Keeps the body of an answer, up to a limit. */
    static BodyHandler<HttpAnswer> handler() {
        return info -> {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            return BodySubscribers.mapping(
                    BodySubscribers.ofByteArrayConsumer(piece -> keep(piece, body)),
                    nothing -> new HttpAnswer(info.statusCode(), info.headers(), body.toByteArray()));
        };
    }

    private static void keep(Optional<byte[]> piece, ByteArrayOutputStream body) {
        piece.ifPresent(bytes -> body.write(bytes, 0, Math.min(bytes.length, MOST_BYTES - body.size())));
    }

    boolean isSuccess() {
        return status / 100 == 2;
    }

    /** True if something in the request is not right, or it is too much: a part of it may be. */
    boolean isAboutContent() {
        return status == 400 || status == 413 || status == 422;
    }

    /** True if it may be another answer later to the same: the server is busy or broken, or somebody has to mend settings. */
    static boolean isPassing(int status) {
        return status >= 500
                || switch (status) {
                    case 401, 403, 404, 408, 429 -> true;
                    default -> false;
                };
    }

    /** The status, what it means where that helps, and how the body begins. */
    String text() {
        String meaning = switch (status) {
            case 401 -> " (user, password or token are wrong or missing)";
            case 403 -> " (this user may not)";
            case 404 -> " (there is nothing at this address)";
            case 413 -> " (too long)";
            case 429 -> " (too much for now)";
            default ->
                headers.firstValue("location")
                        .map(to -> " (it is at " + to + ")")
                        .orElse("");
        };
        String begin = shorten(new String(body, 0, Math.min(body.length, 4 * MOST_TEXT), UTF_8));
        return "HTTP " + status + meaning + (begin.isEmpty() ? "" : ": " + begin);
    }

    /** On one line, and not too long. */
    static String shorten(String text) {
        String line = text.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
        return line.length() <= MOST_TEXT ? line : line.substring(0, MOST_TEXT);
    }
}
