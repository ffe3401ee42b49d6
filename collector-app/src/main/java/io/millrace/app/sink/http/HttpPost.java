package io.millrace.app.sink.http;

import com.github.luben.zstd.Zstd;
import io.millrace.app.sink.http.HttpSinkSettings.Compression;
import io.millrace.message.LineBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/** HTTP client that posts one body at a time. One thread. */
public final class HttpPost {
    private final HttpSinkSettings settings;
    private final HttpRequest.Builder request;
    private final HttpConnection connection;

    /**
     * Creates a client, which connects on demand.
     *
     * @throws IllegalArgumentException if a header must not be set
     */
    public HttpPost(HttpSinkSettings settings) {
        this.settings = settings;
        URI target = settings.target();
        connection = new HttpConnection(
                new HttpConnection.Limits(settings.connectTimeout(), settings.timeout()),
                target.getScheme().equals("https") ? settings.tls() : null);
        request = HttpRequest.newBuilder(target)
                .header("Content-Type", settings.shape().contentType());
        settings.headers().forEach(this::set);
        if (settings.credentials() != null) {
            request.setHeader("Authorization", settings.credentials().header());
        }
    }

    private void set(String header, String value) {
        if (header.equalsIgnoreCase("connection")) {
            throw new IllegalArgumentException("headers takes no header '" + header + "'");
        }
        try {
            request.setHeader(header, value);
        } catch (IllegalArgumentException e) {
            // The exception is neither quoted nor the cause: it contains the value, which may be a secret.
            throw String.valueOf(e.getMessage()).startsWith("invalid header value")
                    ? new IllegalArgumentException("headers takes one line without control characters for '" + header
                            + "'; what is given is not shown")
                    : new IllegalArgumentException("headers takes no header '" + header + "'");
        }
    }

    /**
     * Posts a body and waits for the response.
     *
     * @param maxAnswer the maximum length of the response
     * @throws IOException if there is no response in time
     */
    public HttpAnswer send(LineBuffer body, int maxAnswer) throws IOException, InterruptedException {
        HttpRequest.Builder post = request.copy().POST(BodyPublishers.ofByteArray(compress(body)));
        if (settings.compression() != Compression.NONE) {
            post.setHeader("Content-Encoding", settings.compression().name().toLowerCase(Locale.ROOT));
        }
        return connection.answer(post.build(), maxAnswer);
    }

    /**
     * Asks for the headers that a GET would have, and waits for the response.
     *
     * @throws IOException if there is no response in time
     */
    HttpAnswer head(int maxAnswer) throws IOException, InterruptedException {
        return connection.answer(
                request.copy().method("HEAD", BodyPublishers.noBody()).build(), maxAnswer);
    }

    /** See {@link HttpConnection#refresh}. Any thread. */
    void refresh() {
        connection.refresh();
    }

    /** Releases the client, which ends its threads when it is unreachable. */
    void close() {
        connection.close();
    }

    /** A copy, because an abandoned request may still be read from. */
    private byte[] compress(LineBuffer body) throws IOException {
        return switch (settings.compression()) {
            case NONE -> Arrays.copyOf(body.array(), body.length());
            case GZIP -> {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length() / 4 + 64);
                try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
                    gzip.write(body.array(), 0, body.length());
                }
                yield bytes.toByteArray();
            }
            case ZSTD -> Zstd.compress(Arrays.copyOf(body.array(), body.length()));
        };
    }
}
